#!/usr/bin/env bash
# Makes the film of ninety seconds without a display, by the commands of assets/scripts/reel.txt:
#   docs/images/film.sh FILE [PROGRAM] [SIZE] [FRAMES PER SECOND]
# FILE is NAME.y4m, NAME_%04d.png, or any name that ffmpeg writes, if that is installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
file=${1:?usage: docs/images/film.sh FILE [PROGRAM] [SIZE] [FRAMES PER SECOND]}
program=${2:-$root/build/nearmiss}
size=${3:-1280x720}
rate=${4:-30}
[ -x "$program" ] || "$root/fly.sh" --help > /dev/null
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT
touch "$own/settings.toml"

film() {
  "$program" fly lamps --headless --mute --config "$own/settings.toml" --size "$size" \
    --frame-ms "$(awk "BEGIN { print 1000 / $rate }")" --script "$root/assets/scripts/reel.txt" \
    --video "$1" > /dev/null
}

case $file in
  *.y4m | *%*d.png) film "$file" ;;
  *)
    command -v ffmpeg > /dev/null || {
      echo "ffmpeg is not installed: name the film $file.y4m, or install ffmpeg" >&2
      exit 2
    }
    mkfifo "$own/film.y4m"
    film "$own/film.y4m" &
    ffmpeg -loglevel error -y -i "$own/film.y4m" -pix_fmt yuv420p "$file"
    wait
    ;;
esac
