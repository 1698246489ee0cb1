#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A report in a browser, on a desk and on a phone, light and dark:
# report_page.sh PROGRAM CHROMIUM CACHE
set -euo pipefail
program=$1 chromium=$2 cache=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder/config

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# table: one that is hard to draw: many and long names, wide ranges, holes, marked-up texts
table() {
  cat <<'TABLE'
# format: nearmiss record 3
# flags: <b>none</b>
# experiment: hard
# title: What is <em>hard</em> to draw & to read
# note: A note.
# columns: name: which one; step: how far; time_us: in microseconds; paper_time_us: published; share: a share
# figure: {"title": "Wide range", "says": "Many decades", "kind": "lines", "x": "step", "y": ["time_us", "paper_time_us"], "by": ["name"], "log": "xy", "x_label": "a name of an axis that is much longer than the axis itself, and goes on and on until it cannot possibly fit any more", "y_label": "the same of the other axis, which is longer than the picture is wide, by far, whatever one does about it"}
# figure: {"title": "Names", "says": "Long names", "kind": "bars", "x": "name", "y": ["time_us", "share"], "log": "y"}
# figure: {"title": "Small differences", "says": "Far from 0", "kind": "points", "x": "time_us", "y": ["share"]}
# figure: {"title": "Steps", "says": "Steps", "kind": "steps", "x": "step", "y": ["time_us"], "where": {"name": "the first of many names that are long"}}
# figure: {"title": "Classes", "says": "A histogram", "kind": "bars", "x": "step", "y": ["share"]}
# figure: {"title": "One", "says": "One point", "kind": "points", "x": "step", "y": ["share"], "where": {"step": "7"}}
name,step,time_us,paper_time_us,share
TABLE
  local i name
  for i in $(seq 1 60); do
    for name in 'the first of many names that are long' a-name-without-any-place-to-break-it \
      short x '<i>marked</i>'; do
      echo "$name,$i,${i}e$((i % 17 - 8)),$((i % 3 ? i : 0))$((i % 3 ? 0 : 1)),1.000$i"
    done
  done
}

# look WIDTH SCHEME FIGURES
look() {
  local dark=1
  [[ $2 == light ]] || dark=0
  cat >window.html <<WINDOW
<!doctype html><pre id="findings">no answer</pre>
<script>addEventListener("message", (event) => {
  document.getElementById("findings").textContent = event.data; });</script>
<iframe src="page.html" width="$1" height="2000" style="border:0"></iframe>
WINDOW
  timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$folder/browser" --window-size=1400,2200 --virtual-time-budget=20000 \
    --blink-settings=preferredColorScheme=$dark --enable-logging=stderr \
    --dump-dom "file://$folder/window.html" >dom 2>log || fail "the browser: $(tail -3 log)"
  ! grep CONSOLE log || fail "the page complains"
  local found
  found=$(sed -n ':all;N;$!b all;s/.*<pre id="findings">\(.*\)<\/pre>.*/\1/p' dom)
  [[ $found == "$3 figures, $1 pixels, $2" ]] || fail "$1 $2: $(head -8 <<<"$found")"
}

run=(run --scene lamps --cache-dir "$cache")
"$program" "${run[@]}" --frames 2000 --profile long.csv >/dev/null
"$program" "${run[@]}" --frames 400 --budget 50 --narrow bsp --profile budget.csv >/dev/null
"$program" "${run[@]}" --frames 600 --reference bsp --calls calls.csv >/dev/null
table >hard.csv
"$program" report long.csv budget.csv calls.csv hard.csv -o report.html >/dev/null 2>warnings || fail "$(cat warnings)"
{
  sed '/<\/main>/q' report.html
  echo "<script>$(cat "$here/report_page.js")</script></body></html>"
} >page.html

# Four of the comparison, two of each run, nine of the calls, six of the table
for scheme in light dark; do
  for width in 360 1280; do look $width $scheme 23; done
done
