#!/usr/bin/env python3
"""The figures of docs/performance.md beside the table of peers, as tables in Markdown.

    cargo build --release
    benches/figures.py [--before PHYSIM] [SECTION...]

Sections: threads, scale, memory, hashing, files, lab; all of them unless some are named. `--before` is an earlier build of
physim: `lab` then times it too, in turn. Python 3 and Linux; nothing else uses this file.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PHYSIM = ROOT / "target/release/physim"
BENCH = ROOT / "scenes/bench"
# As the columns `*-matched` of benches/peers.
MATCHED = [f"solver.{key}" for key in ("substeps=4", "iterations=1", "relax_iterations=1", "relax_limit=1", "friction=Patch")]
SET_MATCHED = [word for key in MATCHED for word in ("--set", key)]
# Columns of ten unit cubes, so many by so many.
COLUMNS = (10, 22, 50, 70)


def run(words, program=PHYSIM):
    """Runs physim, which may say with status 1 that something does not hold; its output."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode > 1:
        sys.exit(f"{program} {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def bench(scenes, scalars, steps, *more):
    """What `physim bench` measured: by scene and scalar, milliseconds by stage and the number of bodies."""
    words = ["bench", *scenes, "--scalar", scalars, "--steps", steps, "--format", "json", *more]
    cases = json.loads(run(words))["cases"]
    stages = lambda case: {stage: time["median"] for stage, time in case["milliseconds"].items()}
    return {(case["scene"], case["scalar"]): (stages(case), case["bodies"]) for case in cases}


def table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()


def columns(folder):
    """Scenes of columns, from the one of the bench scenes."""
    text = (BENCH / "columns_10x10.ron").read_text()
    scenes = []
    for side in COLUMNS:
        middle = -1.5 * (side - 1)
        changed = text.replace("columns_10x10", f"columns_{side}x{side}").replace("count: (10, 10, 10)", f"count: ({side}, 10, {side})")
        changed = changed.replace("(-13.5, 0.5, -13.5)", f"({middle}, 0.5, {middle})")
        scene = Path(folder) / f"columns_{side}x{side}.ron"
        scene.write_text(changed)
        scenes.append(scene)
    return scenes


def threads(_):
    scenes = [BENCH / f"{name}.ron" for name in ("columns_10x10", "wall_40", "wall_100", "net_20x20", "pile_boxes_5000")]
    found = {number: [] for number in (1, 2)}
    for _ in range(3):
        for number, rounds in found.items():
            rounds.append(bench(scenes, "f32,fixed", 90, "--rounds", 1, "--threads", number, *SET_MATCHED))
    rows = []
    for case in found[1][0]:
        one, two = (statistics.median(of[case][0]["step"] for of in found[number]) for number in (1, 2))
        rows.append((*case, f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}"))
    table("ms per step on one thread and on two", ("scene", "scalar", "1 thread", "2 threads", "ratio"), rows)


def scale(_):
    with tempfile.TemporaryDirectory() as folder:
        found = bench(columns(folder), "f32,fixed", 60, "--rounds", 3, "--warm-up", 20, *SET_MATCHED)
    rows = [(scene, scalar, str(bodies), f"{step['step']:.2f}", f"{1000 * step['step'] / bodies:.2f}") for (scene, scalar), (step, bodies) in found.items()]
    table("Cost per body", ("scene", "scalar", "bodies", "ms per step", "microseconds per body"), rows)


def memory(_):
    with tempfile.TemporaryDirectory() as folder:
        scenes = columns(folder)
        rows = []
        for scalar in ("f32", "fixed"):
            taken = [peak(scene, scalar, Path(folder) / "out.mcap") for scene in scenes]
            bodies = [10 * side * side for side in COLUMNS]
            for place in range(1, len(scenes)):
                more = (taken[place] - taken[0]) / (bodies[place] - bodies[0])
                rows.append((scenes[place].stem, scalar, str(bodies[place]), f"{taken[place] / 1024:.0f}", f"{more:.2f}"))
    head = ("scene", "scalar", "bodies that move", "MiB at most, recording", "KiB per body beyond the first thousand")
    table("Memory", head, rows)


def peak(scene, scalar, output):
    """The most memory that a recorded run takes, in KiB."""
    words = [PHYSIM, "run", scene, "--scalar", scalar, "--steps", "30", "-o", output]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_maxrss


def hashing(_):
    found = bench([BENCH], "f32,fixed", 200, "--rounds", 1, *SET_MATCHED)
    rows = []
    for (scene, scalar), (step, _) in found.items():
        spent = step["hash"] + step["record"]
        rows.append((scene, scalar, f"{step['step']:.2f}", f"{spent:.2f}", f"{100 * spent / step['step']:.1f}"))
    table("Hash and record", ("scene", "scalar", "ms per step", "of it hash and record", "%"), rows)


def files(_):
    number = 1000
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "0.mcap"
        run(["run", ROOT / "scenes/couple.ron", "--steps", "30", "-o", first])
        for place in range(1, number):
            shutil.copy(first, Path(folder) / f"{place}.mcap")
        rows = []
        for threads in (1, 2):
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            run(["verify", folder, "--threads", threads])
            passed, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            rows.append((str(threads), f"{passed:.2f}", f"{1000 * passed / number:.1f}", f"{100 * worked / passed / threads:.0f}"))
    table(f"`verify` of {number:,} replays of 30 steps", ("threads", "seconds", "ms per file", "% of the processors used"), rows)


def lab(before):
    programs = [PHYSIM, *([before] if before else [])]
    with tempfile.TemporaryDirectory() as folder:
        fault = "ulp@60,object=dropped[1,0,0],field=position.y"
        scene = ROOT / "scenes/twenty_balls.ron"
        commands = {
            "minimize": ["minimize", scene, "--fault", fault, "-o", Path(folder) / "small.ron", "--force"],
            "bisect": ["bisect", scene, "--axis", "threads=1,2", "--axis", "restore", "--fault", fault + ",only=restored"],
            "stress": ["stress", ROOT / "scenes/shelf_crates.ron", "--budget", "600", "--only", "repeat,threads,restore,mid_contact,order,far_body,faults"],
        }
        rows = []
        for name, words in commands.items():
            times = {program: [] for program in programs}
            for _ in range(3):
                for program in programs:
                    start = time.monotonic()
                    run(words, program)
                    times[program].append(time.monotonic() - start)
            medians = [statistics.median(times[program]) for program in programs]
            rows.append((f"`{name}`", *(f"{seconds:.2f}" for seconds in medians)))
    table("Seconds of the lab", ("command", "now", *(["before"] if before else [])), rows)


SECTIONS = {section.__name__: section for section in (threads, scale, memory, hashing, files, lab)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", choices=[*SECTIONS, []])
    parser.add_argument("--before", type=Path, metavar="PHYSIM")
    arguments = parser.parse_args()
    if not PHYSIM.exists():
        sys.exit(f"{PHYSIM} does not exist; `cargo build --release` makes it")
    for name in arguments.sections or SECTIONS:
        SECTIONS[name](arguments.before)


if __name__ == "__main__":
    main()
