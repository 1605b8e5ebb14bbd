"""Loads a Foxglove export with Rerun's MCAP importer and compares its transforms and shapes with the CSV of the same run.

    python read_rerun.py RUN.mcap RUN.csv
"""

import csv
import sys

import numpy
import rerun.chunk
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory


def bodies_with_shapes(mcap_path):
    """The bodies that have shapes in the scene for Foxglove; some have none."""
    with open(mcap_path, "rb") as file:
        scenes = make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages(topics=["/scene"])
        entities = [entity for *_, scene in scenes for entity in scene.entities]
        return {entity.id for entity in entities if entity.spheres or entity.cubes}


def main(mcap_path, csv_path):
    rows = {}
    with open(csv_path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            pose = [float(row[name]) for name in ("px", "py", "pz", "qx", "qy", "qz", "qw")]
            rows[row["time"], row["body"]] = numpy.array(pose, "f4")
    times = sorted({float(time) for time, _ in rows})
    bodies = {body for _, body in rows}
    transforms, frames_with_shapes, parents = {}, set(), set()
    for chunk in rerun.chunk.McapReader(mcap_path).stream().to_chunks():
        batch = chunk.to_record_batch()
        column = {name: index for index, name in enumerate(batch.schema.names)}

        def values(component):
            return batch.column(column[component]).to_pylist()

        if "Transform3D:child_frame" in column and "Transform3D:translation" in column:
            stamps = batch.column(column["timestamp"]).cast("int64").to_pylist()
            parents.update(name for cell in values("Transform3D:parent_frame") for name in cell)
            for stamp, (body,), (at,), (turn,) in zip(
                stamps, values("Transform3D:child_frame"), values("Transform3D:translation"), values("Transform3D:quaternion")
            ):
                transforms[stamp, body] = [*at, *turn]
        if "CoordinateFrame:frame" in column and "/visual_geometries/" in chunk.entity_path:
            frames_with_shapes.update(name for cell in values("CoordinateFrame:frame") for name in cell)
    assert len(parents) == 1 and not parents & bodies, parents
    assert len(transforms) == len(rows), (len(transforms), len(rows))
    stamps = sorted({stamp for stamp, _ in transforms})
    time_of = dict(zip(stamps, times))
    text_of = {float(time): time for time, _ in rows}
    for (stamp, body), pose in transforms.items():
        assert abs(stamp / 1e9 - time_of[stamp]) < 1e-8, stamp
        expected = rows[text_of[time_of[stamp]], body]
        assert (numpy.array(pose, "f4") == expected).all(), (stamp, body, pose, expected)
    expected = bodies_with_shapes(mcap_path)
    assert frames_with_shapes == expected, f"shapes of {frames_with_shapes ^ expected}"
    print(f"{mcap_path}: Rerun has {len(transforms)} transforms as in the CSV, and shapes in {len(expected)} frames")


if __name__ == "__main__":
    main(*sys.argv[1:])
