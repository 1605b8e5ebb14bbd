#!/usr/bin/env bash
# Exports every golden with a given physim and holds the files to the readers of others.
#
#   tests/export/run.sh PHYSIM [REPLAY...]
#
# PHYSIM_PYTHON is a Python with the packages of tests/export/requirements.txt, PHYSIM_NODE_MODULES the folder in which
# gltf-validator is installed. What is missing is said loudly and left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
physim=$(realpath "$1")
shift
replays=("$@")
[[ ${#replays[@]} -gt 0 ]] || replays=("$here"/../../replays/*.mcap)
python=${PHYSIM_PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

skip() { printf '\n!!! SKIPPED: %s\n\n' "$*"; }
# has PACKAGE...: whether Python has them all.
has() { "$python" -c "import $(IFS=,; echo "$*")" 2>/dev/null; }

tables=yes foxglove=yes rerun=yes gltf=yes validator=yes
has numpy pandas pyarrow || { tables=; skip "no numpy, pandas, pyarrow for $python: csv, parquet and npz are not read"; }
has mcap mcap_protobuf || { foxglove=; skip "no mcap, mcap_protobuf for $python: Foxglove's messages are not read"; }
has rerun pyarrow mcap_protobuf || { rerun=; skip "no rerun or mcap_protobuf for $python: Rerun does not load anything"; }
has numpy || { gltf=; skip "no numpy for $python: the animation of glTF is not read"; }
node -e "require(require('path').join(process.env.PHYSIM_NODE_MODULES || 'node_modules', 'gltf-validator'))" 2>/dev/null ||
  { validator=; skip 'no node with gltf-validator: glTF is not validated'; }

"$physim" run "$here/odd.ron" -o "$folder/odd.mcap" >/dev/null 2>&1
"$physim" run "$here/stopped.ron" -o "$folder/stopped.mcap" >/dev/null 2>&1 || [[ $? -eq 2 ]]
for replay in "$folder"/{odd,stopped}.mcap "${replays[@]}"; do
  name=$(basename "$replay" .mcap)
  run=$folder/out/$name
  mkdir -p "$folder/out"
  for file in "$run.csv" "$run.parquet" "$run.npz" "$run-3d.mcap" "$run.glb"; do
    "$physim" export "$replay" -o "$file" >/dev/null 2>&1
  done
  "$physim" export "$replay" -o "$run-energy.csv" --format energy >/dev/null 2>&1
  shapes=() stopped=()
  [[ $name != odd ]] || shapes=("$here/odd_shapes.json")
  [[ $name != stopped ]] || stopped=('step 9: the position of body "ball" left the bounds of the run')
  [[ -z $tables ]] || "$python" "$here/read_tables.py" "$run.csv" "$run.parquet" "$run.npz" "$run-energy.csv" "${stopped[@]}"
  [[ -z $foxglove ]] || "$python" "$here/read_foxglove.py" "$run-3d.mcap" "$run.csv" "${shapes[@]}"
  [[ -z $rerun ]] || "$python" "$here/read_rerun.py" "$run-3d.mcap" "$run.csv"
  [[ -z $gltf ]] || "$python" "$here/read_gltf.py" "$run.glb" "$run.csv"
done
[[ -z $validator ]] || node "$here/validate_gltf.mjs" "$folder"/out/*.glb
