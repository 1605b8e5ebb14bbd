#!/usr/bin/env bash
# Makes every picture of the documentation anew: docs/pictures/make.sh PHYSIM
# Needs node, Chromium and `npm ci` in tests/viewer. Goldens are what is shown, so the pictures change only with them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
physim=$(realpath "$1")
top=$here/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shoot PAGE OPTIONS NAME WIDTH HEIGHT
shoot() { node "$top/tests/viewer/picture.mjs" "$1" "$2" "$here/$3.jpg" "$4" "$5" 2>/dev/null && echo "$3.jpg"; }

# A line per scene of the gallery: name, step, options of the page.
while read -r scene step options; do
  page=$folder/$scene.html
  "$physim" view "$top/replays/$scene.fixed.mcap" -o "$page" >/dev/null
  shoot "$page" "step=$step&ui=off&theme=light${options:+&$options}" "$scene" 720 450
done <<'SCENES'
billiards 90
capsules_and_compounds 150
couple 60
damping 100
free_spin 100
kinematic_platform 60
projectile 70
rolling_wall 60
shelf_crates 170
stack_20 200 contacts=on
twenty_balls 140
SCENES

page=$folder/billiards.html
shoot "$page" 'step=90&theme=light' view 1280 800
# The desync of docs/desync.md.
"$physim" run "$top/scenes/shelf_crates.ron" -o "$folder/mine.mcap" >/dev/null
"$physim" run "$top/scenes/shelf_crates.ron" --threads 2 --fault gather@100,only=threads -o "$folder/theirs.mcap" >/dev/null
"$physim" view "$folder/mine.mcap" "$folder/theirs.mcap" -o "$folder/desync.html" >/dev/null
shoot "$folder/desync.html" 'step=240&theme=dark&colour=difference' desync 1280 800
