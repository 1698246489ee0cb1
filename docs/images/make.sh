#!/usr/bin/env bash
# Makes the pictures of the README anew, without a display: docs/images/make.sh [PROGRAM]
set -euo pipefail
images=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:-$images/../../build/nearmiss}
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

# Nobody's settings and trees but the program's; the work clock, so that every machine flies alike
touch "$own/settings.toml"
"$program" fly mixed --headless --size 1280x720 --config "$own/settings.toml" --cache-dir "$own" \
  --clock work --budget 45 --fixed-step --seed 3 --frames 381 \
  --screenshot "$images/flying.png@380"
"$program" tree sheet truck -o "$images/tree-sheet.png"
