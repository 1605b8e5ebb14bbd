#!/usr/bin/env bash
# Makes every picture of the documentation anew: docs/pictures/make.sh PHYSIM
# The charts (SVG) come first and need nothing else; the photographs need node, Chromium and `npm ci` in tests/viewer.
# Goldens are what the photographs show, so they change only with them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
physim=$(realpath "$1")
top=$here/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The charts of docs/physics.md, from the scenes in this folder. A line is called as the replay it is drawn from.
# record SCENE NAME OPTIONS...
record() { "$physim" run "$here/$1.ron" -o "$folder/$2.mcap" "${@:3}" >/dev/null; }
# chart NAME REPLAYS AND OPTIONS...
chart() { (cd "$folder" && "$physim" plot "${@:2}" -o "$here/$1.svg" >/dev/null) && echo "$1.svg"; }

record bounces bounces
chart bounces bounces.mcap --body ball --what position.y,kinetic,potential,total
stacks=()
for iterations in 1 4 8 50; do
  record stack_10 "$iterations iterations" --set solver.iterations=$iterations
  stacks+=("$iterations iterations.mcap")
done
chart stack_10 "${stacks[@]}" --body 'box[9]' --what position.y
runs=()
for rate in 60 120 240; do
  record elastic_balls "$rate steps a second" --set dt=1/$rate --steps $((10 * rate))
  runs+=("$rate steps a second.mcap")
done
chart elastic_balls "${runs[@]}" --what total

# shoot PAGE OPTIONS NAME WIDTH HEIGHT
shoot() { node "$top/tests/viewer/picture.mjs" "$1" "$2" "$here/$3.jpg" "$4" "$5" 2>/dev/null && echo "$3.jpg"; }

# A line per scene of the gallery: name, step, options of the page.
while read -r scene step options; do
  page=$folder/$scene.html
  "$physim" view "$top/replays/$scene.fixed.mcap" -o "$page" >/dev/null
  shoot "$page" "step=$step&ui=off&theme=light${options:+&$options}" "$scene" 720 450
done <<'SCENES'
billiards 90
broad_phase_race 130
capsules_and_compounds 150
chain 60
couple 60
cylinders_and_cones 116
damping 100
dice 60
free_spin 100
hull_heap 45
kinematic_platform 60
loaded_die 110
mesh_slide 110
narrow_phase_race 75
net 90
projectile 70
rolling_wall 60
sensors 116
shelf_crates 170
shells 60
stack_20 200 contacts=on
tables 60
terrain 150
twenty_balls 140
SCENES

page=$folder/billiards.html
shoot "$page" 'step=90&theme=light' view 1280 800
# The desync of docs/desync.md.
"$physim" run "$top/scenes/shelf_crates.ron" -o "$folder/mine.mcap" >/dev/null
"$physim" run "$top/scenes/shelf_crates.ron" --threads 2 --fault gather@100,only=threads -o "$folder/theirs.mcap" >/dev/null
"$physim" view "$folder/mine.mcap" "$folder/theirs.mcap" -o "$folder/desync.html" >/dev/null
shoot "$folder/desync.html" 'step=240&theme=dark&colour=difference' desync 1280 800
