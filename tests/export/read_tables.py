"""Reads the table and array exports of a run with pandas, pyarrow and numpy, and compares them with each other.

    python read_tables.py RUN.csv RUN.parquet RUN.npz ENERGY.csv [STOPPED]

STOPPED is how the reason begins for which the run must have stopped; without it, the run must have come to its end.
"""

import sys

import numpy
import pandas
import pyarrow.parquet

UNITS = {"step": "1", "time": "s", "body": ""}
UNITS |= dict.fromkeys(["px", "py", "pz"], "m") | dict.fromkeys(["qw", "qx", "qy", "qz"], "1")
UNITS |= dict.fromkeys(["vx", "vy", "vz"], "m/s") | dict.fromkeys(["wx", "wy", "wz"], "rad/s")
FIELDS = {
    "position": ["px", "py", "pz"],
    "orientation": ["qw", "qx", "qy", "qz"],
    "linear_velocity": ["vx", "vy", "vz"],
    "angular_velocity": ["wx", "wy", "wz"],
}


def main(csv_path, parquet_path, npz_path, energy_path, stopped=""):
    # Names such as "NA" are names.
    text = pandas.read_csv(csv_path, keep_default_na=False)
    table = pandas.read_parquet(parquet_path)
    assert list(text.columns) == list(table.columns) == list(UNITS)
    schema = pyarrow.parquet.read_schema(parquet_path)
    if schema.metadata[b"physim.scalar"] == b"f32":
        # The text of an f32 is short: it has to be read as one.
        numbers = [name for names in FIELDS.values() for name in names]
        text[numbers] = text[numbers].astype("f4").astype("f8")
    for name in UNITS:
        assert (text[name].astype(object) == table[name].astype(object)).all(), name
    for name, unit in UNITS.items():
        assert schema.field(name).metadata[b"unit"].decode() == unit, name
    assert schema.metadata[b"physim.dt"]

    arrays = numpy.load(npz_path)
    assert arrays["stopped"].shape == () and arrays["stopped"].dtype.kind == "U"
    reason = str(arrays["stopped"])
    assert reason == schema.metadata.get(b"physim.stopped", b"").decode()
    assert reason.startswith(stopped) and bool(reason) == bool(stopped), reason
    steps, bodies = arrays["step"], [str(name) for name in arrays["body"]]
    assert sorted(set(text["step"])) == list(steps)
    row_of = {step: row for row, step in enumerate(steps)}
    column_of = {name: column for column, name in enumerate(bodies)}
    rows, columns = text["step"].map(row_of).to_numpy(), text["body"].map(column_of).to_numpy()
    for field, names in FIELDS.items():
        array = arrays[field]
        assert array.shape == (len(steps), len(bodies), len(names)), (field, array.shape)
        assert (array[rows, columns] == text[names].to_numpy()).all(), field
        absent = numpy.ones(array.shape[:2], bool)
        absent[rows, columns] = False
        assert numpy.isnan(array[absent]).all() and not numpy.isnan(array[~absent]).any(), field

    energy = pandas.read_csv(energy_path)
    assert list(energy["step"]) == list(steps)
    assert numpy.allclose(energy["kinetic"] + energy["potential"], energy["total"], rtol=1e-9, atol=1e-9)
    assert (energy["bodies"].to_numpy() == text.groupby("step").size().to_numpy()).all()
    print(f"{csv_path}: {len(text)} rows, {len(steps)} states, {len(bodies)} bodies agree in csv, parquet and npz")


if __name__ == "__main__":
    main(*sys.argv[1:])
