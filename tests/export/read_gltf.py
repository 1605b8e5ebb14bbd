"""Compares the animation of a glTF export with the CSV of the same run.

    python read_gltf.py RUN.glb RUN.csv
"""

import csv
import json
import struct
import sys

import numpy


def main(glb_path, csv_path):
    with open(glb_path, "rb") as file:
        data = file.read()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    json_bytes, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    document = json.loads(data[20 : 20 + json_bytes])
    binary = data[28 + json_bytes :]

    def values(accessor):
        accessor = document["accessors"][accessor]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = view["byteOffset"] + accessor.get("byteOffset", 0)
        return numpy.frombuffer(binary, "<f4", accessor["count"] * width, start).reshape(-1, width)

    steps, rows = [], {}
    with open(csv_path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if not steps or steps[-1][0] != row["step"]:
                steps.append((row["step"], float(row["time"])))
            pose = [float(row[name]) for name in ("px", "py", "pz", "qx", "qy", "qz", "qw")]
            rows.setdefault(row["body"], {})[len(steps) - 1] = pose
    nodes, moved = document["nodes"], {}
    for animation in document.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = channel["target"]
            moved[target["node"], target["path"]] = values(sampler["input"])[:, 0], values(sampler["output"])
    bodies = nodes[0].get("children", [])
    assert {nodes[body]["name"] for body in bodies} == set(rows)
    for body in bodies:
        node, poses = nodes[body], rows[nodes[body]["name"]]
        times = numpy.array([numpy.float32(time - steps[0][1]) for _, time in steps])
        if (body, "translation") in moved:
            assert (moved[body, "translation"][0] == times).all()
            positions, turns = moved[body, "translation"][1], moved[body, "rotation"][1]
        else:
            assert node["extras"]["kind"] == "static"
            positions = numpy.array([node["translation"]] * len(steps), "f4")
            turns = numpy.array([node["rotation"]] * len(steps), "f4")
        assert (numpy.einsum("ij,ij->i", turns[1:], turns[:-1]) >= 0).all(), "turns take the short way"
        there = sorted(poses)
        expected = numpy.array([poses[state] for state in there])
        assert (positions[there] == expected[:, :3].astype("f4")).all(), node["name"]
        signs = numpy.sign(numpy.einsum("ij,ij->i", turns[there], expected[:, 3:]))
        assert numpy.abs(turns[there] - signs[:, None] * expected[:, 3:]).max() < 1e-6, node["name"]
        scale_times, scales = moved.get((body, "scale"), (times[:1], numpy.ones((1, 3), "f4")))
        shown = scales[numpy.searchsorted(scale_times, times, "right") - 1]
        is_there = numpy.isin(numpy.arange(len(steps)), there)
        assert (shown == is_there[:, None]).all(), f"{node['name']} is there when it should be"
    print(f"{glb_path}: {len(bodies)} bodies, {len(steps)} states as in the CSV")


if __name__ == "__main__":
    main(*sys.argv[1:])
