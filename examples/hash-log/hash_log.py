"""A hash log in Python: the same toy simulation and the same log as in the other languages here.

    python3 hash_log.py > python.log
    python3 hash_log.py 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}
"""

import json
import math
import struct
import sys


class Unit:
    def __init__(self, x):
        self.x = float(x)
        self.v = 0.0


class Game:
    def __init__(self):
        self.random = 2463534242
        self.units = [Unit(x) for x in (1, 2, 3, 4)]

    def step(self):
        r = self.random
        r ^= (r << 13) & 0xFFFFFFFF
        r ^= r >> 17
        r ^= (r << 5) & 0xFFFFFFFF
        self.random = r
        for number, unit in enumerate(self.units):
            push = ((r >> (8 * number)) & 255) / 256 - 0.5
            unit.v = unit.v * 0.99 + push * 0.125 - unit.x * 0.01
            unit.x = unit.x + unit.v


# ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

def hash_of(game):
    state = struct.pack("<I", game.random)
    for unit in game.units:
        state += struct.pack("<dd", unit.x, unit.v)
    value = 0xCBF29CE484222325
    for byte in state:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def number(value):
    # JSON has no NaN and no infinity: as texts they are read.
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def field(value):
    return {"value": number(value), "bits": struct.pack(">d", value).hex(), "type": "f64"}


def line(game, number, first, last):
    told = {"step": number, "hash": f"{hash_of(game):016x}"}
    if last > 0 and first <= number <= last:
        told["objects"] = [
            {"name": f"unit {i}", "fields": {"x": field(unit.x), "v": field(unit.v)}} for i, unit in enumerate(game.units)
        ]
    return json.dumps(told, allow_nan=False)


def main():
    first, last = (list(map(int, sys.argv[1:3])) + [0, 0])[:2]
    game = Game()
    print(line(game, 0, first, last))
    for number in range(1, 101):
        game.step()
        print(line(game, number, first, last))


main()
