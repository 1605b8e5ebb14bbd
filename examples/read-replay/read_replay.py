#!/usr/bin/env python3
"""Reads the keyframes of a physim replay with nothing of physim: from the layout in docs/replay-format.md alone.

    pip install mcap
    python3 read_replay.py billiards.mcap > keyframes.jsonl

Prints one JSON object for each keyframe: its step, its time in seconds and its bodies.
"""

import json
import struct
import sys
from fractions import Fraction

SHAPES = {
    0: [("radius", "scalar")],
    1: [("half_extents", "vec3")],
    2: [("half_height", "scalar"), ("radius", "scalar")],
    3: [("normal", "vec3")],
    4: [("grid_exponent", "i32"), ("corners", "ivec3s")],
    5: [("half_height", "scalar"), ("radius", "scalar")],
    6: [("half_height", "scalar"), ("radius", "scalar")],
    7: [("grid_exponent", "i32"), ("corners_and_triangles", "surface")],
}
FAT_BOXES = {0: [("min", "vec3"), ("max", "vec3")], 1: [("normal", "vec3"), ("point", "vec3")]}
KINDS = {0: "static", 1: "kinematic", 2: "dynamic"}


class State:
    """Walks over the bytes of one state, front to back."""

    def __init__(self, data, scalar):
        self.data = data
        self.scalar_type = scalar
        self.offset = 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.offset)
        self.offset += struct.calcsize("<" + form)
        return values

    def u8(self):
        return self.take("B")[0]

    def u32(self):
        return self.take("I")[0]

    def i32(self):
        return self.take("i")[0]

    def scalar(self):
        if self.scalar_type == "fixed":
            return self.take("q")[0] / 2**32
        return self.take({"f32": "f", "f64": "d"}[self.scalar_type])[0]

    def scalars(self, count):
        return [self.scalar() for _ in range(count)]

    def vec3(self):
        return self.scalars(3)

    def ivec3s(self):
        return [self.take("3i") for _ in range(self.u32())]

    def surface(self):
        """Both counts stand before the corners and the triangles."""
        corner_count, triangle_count = self.take("2I")
        corners = [self.take("3i") for _ in range(corner_count)]
        return {"corners": corners, "triangles": [self.take("3I") for _ in range(triangle_count)]}

    def quat(self):
        return self.scalars(4)

    def sym3(self):
        return self.scalars(6)

    def text(self):
        length = self.u32()
        start = self.offset
        self.offset += length
        return self.data[start : self.offset].decode("utf-8")

    def fields(self, names_and_types):
        return {name: getattr(self, type_)() for name, type_ in names_and_types}

    def variants(self, variants):
        kind = self.u8()
        return {"kind": kind, **self.fields(variants[kind])}

    def rows(self, row):
        return [row() for _ in range(self.u32())]

    def table(self, constant, moving):
        """The constant fields of all objects, then the others of all objects."""
        rows = self.rows(constant)
        for row in rows:
            row.update(moving())
        return rows

    def body_constants(self):
        body = self.fields([("id", "u32"), ("name", "text"), ("kind", "u8"), ("centre", "vec3")])
        body["inverse_mass"] = self.fields([("mantissa", "scalar"), ("exponent", "i32")])
        body["inertia"] = self.fields([("tensor", "sym3"), ("inverse", "sym3"), ("length_exponent", "i32")])
        scalars = ["linear_damping", "angular_damping", "gravity_scale"]
        body.update(self.fields((name, "scalar") for name in scalars))
        return body

    def motion(self):
        names = ["position", "orientation", "linear_velocity", "angular_velocity"]
        return self.fields(zip(names, ["vec3", "quat", "vec3", "vec3"]))

    def key(self):
        return self.fields([("body", "u32"), ("part", "u32")])

    def collider_constants(self):
        collider = {"key": self.key(), "shape": self.variants(SHAPES)}
        collider["local"] = self.fields([("position", "vec3"), ("orientation", "quat")])
        coefficients = ["friction", "restitution", "rolling_friction", "spinning_friction"]
        collider.update(self.fields((name, "scalar") for name in coefficients))
        collider.update(self.fields([("friction_combine", "u8"), ("restitution_combine", "u8")]))
        collider["filter"] = self.fields([("category", "u32"), ("mask", "u32"), ("group", "i32")])
        collider.update(self.fields([("is_sensor", "u8")]))
        return collider

    def fat_box(self):
        return {"fat_box": self.variants(FAT_BOXES)}

    def joint(self):
        joint = self.fields([("id", "u32"), ("name", "text"), ("kind", "u8"), ("a", "u32"), ("b", "u32")])
        joint.update(self.fields([("anchor_a", "vec3"), ("anchor_b", "vec3"), ("collides", "u8"), ("impulse", "vec3")]))
        return joint

    def contact(self):
        point = [("feature", "u32"), ("normal_impulse", "scalar"), ("tangent_impulse", "vec3")]
        contact = {"a": self.key(), "b": self.key(), "piece": self.u32()}
        contact["points"] = self.rows(lambda: self.fields(point))
        contact.update(self.fields([("twist_impulse", "scalar"), ("rolling_impulse", "vec3")]))
        if self.u8():
            poses = [("centre_offset", "vec3"), ("orientation_a", "quat"), ("orientation_b", "quat")]
            contact["found_at"] = self.fields(poses)
        return contact

    def read(self):
        state = self.fields([("step", "u32"), ("gravity", "vec3"), ("next_body_id", "u32")])
        state["bodies"] = self.table(self.body_constants, self.motion)
        state["colliders"] = self.table(self.collider_constants, self.fat_box)
        state["joints"] = self.rows(self.joint)
        state["contacts"] = self.rows(self.contact)
        if self.offset != len(self.data):
            raise ValueError(f"{len(self.data) - self.offset} bytes are left over")
        return state


def mass_of(body):
    """The mass in kilograms; infinite for bodies that nothing moves."""
    inverse = body["inverse_mass"]
    mantissa = inverse["mantissa"]
    return float("inf") if mantissa == 0 else 1 / (mantissa * 2.0 ** inverse["exponent"])


def keyframes(path):
    """Yields the header and the state of each keyframe, in order."""
    from mcap.reader import make_reader

    with open(path, "rb") as file:
        reader = make_reader(file)
        header = None
        for _, channel, message in reader.iter_messages(topics=["/header", "/keyframes"]):
            if channel.topic == "/header":
                header = json.loads(message.data)
                continue
            state = State(message.data, header["scalar"]).read()
            if state["step"] != message.sequence:
                raise ValueError(f"the state of step {state['step']} has sequence {message.sequence}")
            yield header, state


def main(path):
    for header, state in keyframes(path):
        nanoseconds, steps = header["dt_nanoseconds"]
        time = Fraction(nanoseconds, steps) * state["step"] / 10**9
        motion = ["name", "position", "orientation", "linear_velocity", "angular_velocity"]
        bodies = [{**{key: body[key] for key in motion}, "kind": KINDS[body["kind"]]} for body in state["bodies"]]
        print(json.dumps({"step": state["step"], "time": float(time), "bodies": bodies}))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
