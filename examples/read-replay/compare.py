#!/usr/bin/env python3
"""Holds read_replay.py against `physim show`: every number of every body of every keyframe has to be the same.

    python3 compare.py PATH/TO/physim replays/*.mcap
"""

import json
import subprocess
import sys

from read_replay import keyframes

FIELDS = ["name", "position", "orientation", "linear_velocity", "angular_velocity"]


def shown(physim, replay, step):
    command = [physim, "show", replay, "--step", str(step), "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main(physim, replays):
    bodies = states = 0
    for replay in replays:
        for _, state in keyframes(replay):
            expected = shown(physim, replay, state["step"])["bodies"]
            found = [{field: body[field] for field in FIELDS} for body in state["bodies"]]
            expected = [{field: body[field] for field in FIELDS} for body in expected]
            if found != expected:
                sys.exit(f"{replay}: step {state['step']} differs\n  read  {found}\n  shown {expected}")
            states += 1
            bodies += len(found)
    print(f"the same: {bodies} bodies in {states} keyframes of {len(replays)} replays")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
