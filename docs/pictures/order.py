#!/usr/bin/env python3
"""Measures the table of errors in docs/physics.md: docs/pictures/order.py PHYSIM [SCALAR]

Each case runs at three lengths of the step. Errors are against closed forms; the slope is log2 of the ratio of the first error to the
second, and of the second to the third: 1 for an error that halves with the step, 2 for one that falls to a quarter.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

G = 9.81
FLOOR = '(name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))'


def scene(rate, seconds, bodies, material="", gravity=True, solver=""):
    """The text of a scene."""
    return f"""(version: 1, name: "order", dt: "1/{rate}", steps: {round(seconds * rate)}, keyframe_every: {rate},
        gravity: (0, {-G if gravity else 0}, 0), materials: {{"default": ({material})}}, solver: Impulse({solver}),
        bodies: [{", ".join(bodies)}])"""


def track(text, name="b"):
    """The states of a body at every step."""
    with tempfile.TemporaryDirectory() as folder:
        path, replay = pathlib.Path(folder, "scene.ron"), pathlib.Path(folder, "scene.mcap")
        path.write_text(text)
        subprocess.run([PHYSIM, "run", path, "-o", replay, "--scalar", SCALAR, "--format", "json"], check=True, capture_output=True)
        shown = subprocess.run([PHYSIM, "show", replay, "--body", name, "--format", "json"], check=True, capture_output=True)
        return json.loads(shown.stdout)["track"]


def ball(at, velocity=(0, 0, 0), spin=(0, 0, 0), radius=0.5):
    return (f'(name: "b", shape: Sphere(radius: {radius}), position: Origin{at}, linear_velocity: {velocity}, '
            f"angular_velocity: {spin})")


def table(rate):
    """A turntable in the plane y = 0."""
    return f'(name: "table", kind: Kinematic, shape: Cuboid(half_extents: (5, 0.5, 5)), position: Origin(0, -0.5, 0), angular_velocity: (0, {rate}, 0))'


def returns(states):
    """Steps after which a falling body rises."""
    pairs = zip(states, states[1:])
    return [step for step, (before, after) in enumerate(pairs, 1) if before["linear_velocity"][1] < 0 < after["linear_velocity"][1]]


def free_fall(rate):
    height = 100 - track(scene(rate, 1, [ball((0, 100, 0))]))[-1]["position"][1]
    return height / (G / 2) - 1


def flight(states, first):
    """Height of the top, and time of the start at y = 0.5, of the parabola through three states from `first` on."""
    low, middle, high = (states[first + k]["position"][1] for k in range(3))
    dt = states[1]["time"] - states[0]["time"]
    speed = (high - low) / (2 * dt)
    top = middle + speed ** 2 / (2 * G)
    return top, states[first + 1]["time"] + (speed - math.sqrt(2 * G * (top - 0.5))) / G


def tenth_apex(rate):
    states = track(scene(rate, 14.5, [FLOOR, ball((0, 2.5, 0))], "restitution: 1"))
    return (flight(states, returns(states)[9])[0] - 0.5) / 2 - 1


def bouncing(rate, height=1.0):
    """States of a ball with e = 0.8, and the time of its first impact."""
    material, solver = "restitution: 0.8", "restitution_threshold: 0"
    return track(scene(rate, 6, [FLOOR, ball((0, 0.5 + height, 0))], material, solver=solver)), math.sqrt(2 * height / G)


def tenth_bounce(rate):
    states, first = bouncing(rate)
    time = flight(states, returns(states)[9])[1]
    return time / (first * (1 + 2 * sum(0.8 ** k for k in range(1, 10)))) - 1


def last_bounce(rate):
    states, first = bouncing(rate)
    moving = [state["time"] for state in states if state["linear_velocity"][1] > 1e-3]
    return max(moving) / (first * (1 + 0.8) / (1 - 0.8)) - 1


def off_centre(rate):
    """A ball that hits the end of a free stick: its speed and spin follow from the two momenta and the energy."""
    stick = '(name: "stick", shape: Cuboid(half_extents: (0.1, 1, 0.1)), mass: Total(2))'
    ball_ = '(name: "b", shape: Sphere(radius: 0.1), mass: Total(1), position: Origin(-2.013, 0.8, 0), linear_velocity: (10, 0, 0))'
    states = track(scene(rate, 0.3, [stick, ball_], "friction: 0, restitution: 1", gravity=False), "stick")
    inertia = 2 * (0.2 ** 2 + 2 ** 2) / 12
    impulse = 2 * 10 / (1 + 1 / 2 + 0.8 ** 2 / inertia)
    return states[-1]["angular_velocity"][2] / (-impulse * 0.8 / inertia) - 1


def carried_cube(rate):
    cube = ('(name: "b", shape: Cuboid(half_extents: (0.1, 0.1, 0.1)), position: Origin(1.5, 0.1, 0), '
            f"linear_velocity: (0, 0, {-1.5 * math.pi / 4}), angular_velocity: (0, {math.pi / 4}, 0))")
    state = track(scene(rate, 8, [table(math.pi / 4), cube], "friction: 1"))[-1]
    return math.hypot(state["position"][0], state["position"][2]) / 1.5 - 1


def rolling_ball(rate):
    """A ball that rolls on a turntable keeps its speed, on a circle."""
    spin = (20.0, 0.0, -5.0)  # rolls without slipping at its start
    states = track(scene(rate, 10, [table(2), ball((1, 0.1, 0), (0.5, 0, 0), spin, 0.1)], "friction: 1"))
    return math.hypot(*states[-1]["linear_velocity"]) / 0.5 - 1


def sag(rate):
    states = track(scene(rate, 4, [FLOOR, '(name: "b", shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), position: Origin(0, 0.5, 0))']))
    return 0.5 - states[-1]["position"][1]


CASES = [
    ("free fall: displacement after 1 s", free_fall),
    ("elastic ball: height after ten bounces of 2 m", tenth_apex),
    ("ball with e = 0.8: time of the tenth bounce", tenth_bounce),
    ("ball with e = 0.8: time to the last bounce", last_bounce),
    ("ball on the end of a stick: spin", off_centre),
    ("cube carried by a turntable: radius after a turn", carried_cube),
    ("ball rolling on a turntable: speed after 10 s", rolling_ball),
    ("sag of a cube of 1 m, in metres", sag),
]


def main():
    for name, case in CASES:
        errors = [case(rate) for rate in (60, 120, 240)]
        slopes = [math.log2(abs(a / b)) if a and b else math.nan for a, b in zip(errors, errors[1:])]
        print(f"| {name} |", " | ".join(f"{error:.1e}" for error in errors), "|", ", ".join(f"{slope:.1f}" for slope in slopes), "|", flush=True)


if __name__ == "__main__":
    PHYSIM = str(pathlib.Path(sys.argv[1]).resolve())
    SCALAR = sys.argv[2] if len(sys.argv) > 2 else "f64"
    main()
