#!/usr/bin/env bash
# Makes pages of real replays with a given physim and tries them in a headless browser, then the player itself on pages
# made for that.
#
#   tests/viewer/pages.sh PHYSIM [REPLAY...]
#
# Needs node, Chromium and `npm ci` in this folder; what is missing is said loudly, and the exit status is then 0.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
physim=$(realpath "$1")
shift
replays=("$@")
[[ ${#replays[@]} -gt 0 ]] || replays=("$here"/../../replays/*.mcap)
if ! command -v node >/dev/null; then
  printf '\n!!! SKIPPED: there is no node, so no page of physim view was opened in a browser.\n\n'
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# positions REPLAY: what its page must show, a list of {step, body, position, orientation}.
positions() {
  "$physim" show "$1" --step 0..last --format json | node -e '
    const lines = require("fs").readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const rows = lines.filter((state, at) => at % 40 === 0 || at === lines.length - 1).flatMap((state) =>
      state.bodies.map((body) => ({ step: state.step, body: body.name, position: body.position, orientation: body.orientation })));
    console.log(JSON.stringify(rows));'
}

pages=()
for replay in "${replays[@]}"; do
  page=$folder/$(basename "$replay" .mcap).html
  "$physim" view "$replay" -o "$page" >/dev/null
  positions "$replay" >"${page%.html}.expected.json"
  pages+=("$page")
done
# The picture of a desync: the same shot, one of them with a bit flipped at step 120.
scene=$here/../../scenes/billiards.ron
"$physim" run "$scene" -o "$folder/a.mcap" >/dev/null
"$physim" run "$scene" -o "$folder/b.mcap" --fault ulp@120,object=cue_ball,field=linear_velocity.x >/dev/null
"$physim" view "$folder/a.mcap" "$folder/b.mcap" -o "$folder/desync.html" >/dev/null
pages+=("$folder/desync.html")
node "$here/run.mjs"
node "$here/run.mjs" "${pages[@]}"
