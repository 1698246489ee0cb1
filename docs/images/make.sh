#!/usr/bin/env bash
# Makes the screenshots of README and docs, and docs/gallery.md, without a display:
#   docs/images/make.sh [PROGRAM] [CACHE OF TREES]
# Needs ImageMagick, which compresses them.
set -euo pipefail
images=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:-$images/../../build/nearmiss}
own=$(mktemp -d)
cache=${2:-$own/cache}
trap 'rm -rf "$own"' EXIT
touch "$own/settings.toml"
gallery=$images/../gallery.md

# Without personal settings, on the work clock, so that flights are equal on every machine
fly() {
  "$program" fly "$@" --headless --mute --config "$own/settings.toml" --cache-dir "$cache" \
    --clock work --fixed-step > /dev/null
}

pack() {
  mogrify -strip -depth 8 -define png:compression-level=9 -define png:compression-filter=5 "$@"
}

# The window with its panels: window NAME FRAME SCENE [OPTION...]
window() {
  local name=$1 frame=$2
  shift 2
  fly "$@" --size 1280x720 --frames $((frame + 1)) --screenshot "$images/$name.png@$frame"
  pack +dither -colors 256 "$images/$name.png"
}

# A picture of the gallery: the scene alone, four samples per pixel: scene NAME FRAME CAPTION SCENE [OPTION...]
scene() {
  local name=$1 frame=$2 caption=$3
  shift 3
  mkdir "$own/$name"
  fly "$@" --size 1600x900 --frames "$frame" --video "$own/$name/%d.png"
  mv "$own/$name/$frame.png" "$images/$name.png"
  rm -r "${own:?}/$name"
  mogrify -filter box -resize 50% "$images/$name.png"
  pack "$images/$name.png"
  printf '## %s\n\n![%s](images/%s.png)\n\n`nearmiss fly %s`\n\n' \
    "$caption" "$caption" "$name" "$*" >> "$gallery"
}

printf '# Gallery\n\nWritten by `docs/images/make.sh` from flights that are equal on every machine.\n\n' > "$gallery"
scene lamps 60 'Lamps among lamps' lamps
scene trucks 30 'Nine trucks with the time steps of the paper' fig21
scene mixed 120 'All four ships under a budget of 45 µs' mixed --budget 45 --seed 3
scene chase 200 'Drones that hunt: a glow where ships hit' chase
scene joints 60 'Ships with joints' joints
scene crowd 30 'Two hundred ships' crowd --drones 200
sed -i '$d' "$gallery"

# Four frames of the film: a mission, hits at level 1, the bench, a split flight
mkdir "$own/film"
"$images/film.sh" "$own/film/%d.png" "$program" 1280x720 20
montage "$own"/film/{620,930,1370,1640}.png -tile 2x2 -geometry 640x360+2+2 -background black "$images/film.png"
pack +dither -colors 256 "$images/film.png"
rm -r "$own/film"

window flying 380 mixed --budget 45 --seed 3
"$program" tree sheet truck -o "$images/tree-sheet.png"
mogrify -resize 1100x "$images/tree-sheet.png"
pack "$images/tree-sheet.png"

# The page in a headless Chromium. Needs what ./page.sh --build makes
node "$images/../../web/page/pictures.mjs" "$images/page.png" "$images/page-tour.png"
