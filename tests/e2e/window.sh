#!/usr/bin/env bash
# shellcheck disable=SC2154  # look() sets the numbers of a picture
# One case of the real program, as a person would meet it: window.sh CASE PROGRAM PICTURE_TOOL CACHE
set -euo pipefail
case=$1 program=$2 picture=$3 cache=$4

folder=$(mktemp -d)
started=()
cleanup() {
  local pid
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap cleanup EXIT
cd "$folder"
unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_DATA_HOME=$folder/data

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
# until_true SECONDS COMMAND...: polls, so that a slow machine only takes longer
until_true() {
  until_within "$@" || fail "waited in vain for: ${*:2}"
}
# until_within SECONDS COMMAND...: whether it succeeds in time; NEARMISS_PATIENCE times as long under
# a sanitizer
until_within() {
  local end=$((SECONDS + $1 * ${NEARMISS_PATIENCE:-1}))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}
# refused CODE SENTENCE COMMAND...: ends with that code and says that
refused() {
  local code=$1 sentence=$2 status=0
  shift 2
  timeout 60 "$@" >out 2>err || status=$?
  ((status == code)) || fail "exit code $status instead of $code: $(cat err)"
  grep -qF -- "$sentence" err || fail "did not say '$sentence' but: $(cat err)"
}

open_display() {
  Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>display >/dev/null 2>&1 &
  started+=($!)
  until_true 20 test -s display
  DISPLAY=:$(cat display)
  export DISPLAY
}
# titled PATTERN: the window's title says so
# shellcheck disable=SC2053  # a pattern is wanted
titled() { [[ $(xdotool getwindowname "$window" 2>/dev/null) == $1 ]]; }
press() { xdotool key --window "$window" "$@"; }
running() { kill -0 "$flying" 2>/dev/null; }
ended() { ! running; }
some_file() { compgen -G "$1" >/dev/null; }
shots() { compgen -G 'nearmiss-2*.png' | wc -l; }
has_shots() { [[ $(shots) -ge $1 ]]; }

size=1280x720
start_flying() {
  # No page for newcomers, and nothing remembered of the flight before
  mkdir -p "$XDG_CONFIG_HOME/nearmiss"
  echo 'introduced = true' >"$XDG_CONFIG_HOME/nearmiss/window.toml"
  "$program" fly --size "$size" --cache-dir "$cache" "$@" >out 2>err &
  flying=$!
  started+=("$flying")
  until_true 60 xdotool search --name Nearmiss >/dev/null
  window=$(xdotool search --name Nearmiss | tail -1)
  # The scene is in the title once it flies; models may have to be built first
  until_true 120 titled '*sphere-tree*'
}

ask_to_leave() {
  # While trees are being built, the first Escape calls that off and the next one asks
  press Escape
  until_within 5 titled '*Quit*' || press Escape
  until_true 30 titled '*Quit*'
}

quit_flying() {
  ask_to_leave
  # The window may be gone before the key is let go
  press Return || true
  until_true 60 ended
  local status=0
  wait "$flying" || status=$?
  ((status == 0)) || fail "exit code $status: $(cat err)"
}

# What is predicted of a frame's rest is the mean of what was measured of the last thirty, the first
# ten not counted.
check_prediction() { # FILE
  awk -F, '
    /^#/ { next }
    !named { for (i = 1; i <= NF; i++) at[$i] = i; named = 1; next }
    { sum = 0; count = 0
      for (f = (n > 40 ? n - 30 : 10); f < n; f++) { sum += rest[f]; count++ }
      error = $at["predicted_rest_ms"] - (count ? sum / count : 0)
      if (error > 1e-5 || error < -1e-5 || (count && sum <= 0)) { print "frame", n, error; bad = 1 }
      rest[n++] = $at["frame_ms"] - $at["watching_ms"] - $at["slack_ms"] - $at["broad_ms"] - $at["narrow_ms"] }
    END { exit bad || n < 20 }' "$1" || fail "$1: what is predicted is not the mean of what was"
}

# check_profile FILE LEAST_ROWS DETECTORS: rows, phases that sum to the frame, order of detectors
check_profile() {
  grep -v '^#' "$1" | awk -F, -v least="$2" -v wanted="$3" '
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    {
      split("input motion broad narrow response render swap slack watching other", phases, " ")
      sum = 0
      for (p in phases) sum += $column[phases[p] "_ms"]
      frame = $column["frame_ms"]
      if (sum < 0.99 * frame || sum > 1.01 * frame) { print "row " NR ": phases " sum ", frame " frame; bad = 1 }
      if ($column["detector"] != last) { last = $column["detector"]; seen = seen last " " }
    }
    END {
      if (NR - 1 < least) { print NR - 1 " rows, wanted " least; bad = 1 }
      if (seen != wanted " ") { print "detectors: " seen; bad = 1 }
      exit bad
    }' >complaints || fail "$1: $(head -3 complaints)"
}

# look FILE [OTHER]: sets the numbers of the picture as variables
look() {
  "$picture" "$@" >numbers || fail "cannot read $1"
  # shellcheck disable=SC1091
  source ./numbers
}

case $case in
no_display)
  refused 2 'no display found (DISPLAY and WAYLAND_DISPLAY are unset). Run inside a desktop session, or use --headless.' \
    "$program" fly
  DISPLAY=:4096 refused 2 'no display found' "$program" fly
  ;;
old_gl)
  MESA_GL_VERSION_OVERRIDE=2.1 refused 2 'needs OpenGL 3.3; this driver offers 2.1 (' \
    "$program" fly --headless --frames 2
  open_display
  MESA_GL_VERSION_OVERRIDE=2.1 refused 2 'needs OpenGL 3.3; this driver offers 2.1 (' \
    "$program" fly --frames 2
  ;;
bad_model)
  refused 3 'cannot open' "$program" fly --headless --frames 2 --model nothing.obj
  printf 'v 0 0 0\nf 1 2 9999\n' >broken.obj
  refused 3 'broken.obj' "$program" fly --headless --frames 2 --model broken.obj --cache-dir "$cache"
  ;;
headless)
  options=(--frames 40 --clock work --drones 12 --seed 7 --cache-dir "$cache")
  "$program" fly --headless "${options[@]}" --size 800x500 --screenshot shot.png@30 \
    --profile profile.csv --summary summary.json >out 2>err || fail "$(cat err)"
  flown=$(tail -1 out)
  [[ $flown =~ ^state\ 0x[0-9a-f]{16}$ ]] || fail "last line: $flown"
  [[ $("$program" run "${options[@]}" | tail -1) == "$flown" ]] || fail "run gives another state"
  check_profile profile.csv 40 sphere-tree
  check_prediction profile.csv
  test -s summary.json || fail "no summary"
  look shot.png
  ((width == 800 && height == 500)) || fail "picture of $width x $height"
  ((lit > 50 && orange > 10)) || fail "the picture is empty: $(cat numbers)"
  ;;
flight)
  open_display
  start_flying --seed 42
  press F10
  until_true 60 has_shots 1
  # What one sees first: space with stars, the own ship, the overlay
  first=$(compgen -G 'nearmiss-2*.png')
  look "$first"
  ((width == 1280 && height == 720)) || fail "picture of $width x $height"
  ((lit > 50)) || fail "the picture is black: $(cat numbers)"
  ((orange > 10)) || fail "no own ship in sight: $(cat numbers)"
  ((bar > 600 && levels > 200)) || fail "no overlay: $(cat numbers)"

  # The detectors in turn, recorded; the world goes on
  press F9
  until_true 30 some_file 'nearmiss-profile-*.csv'
  sleep 0.5
  press b
  until_true 30 titled '*- bsp*'
  sleep 0.3
  press b
  until_true 30 titled '*sphere-tree + bsp*'
  sleep 0.3
  press F9
  sleep 0.5

  # Keys fly: turning carries the planet out of the picture
  xdotool keydown --window "$window" w keydown --window "$window" a
  sleep 1.5
  xdotool keyup --window "$window" a keyup --window "$window" w
  press F10
  until_true 60 has_shots 2
  for shot in nearmiss-2*.png; do [[ $shot == "$first" ]] || second=$shot; done
  look "$first" "$second"
  ((changed > 250)) || fail "turning did not turn the view: $(cat numbers)"

  quit_flying
  check_profile nearmiss-profile-*.csv 3 'sphere-tree bsp both'
  ;;
overlay)
  open_display
  start_flying
  # Full, compact, off; then help over it, which Escape closes before it asks to quit
  press Tab Tab F10
  until_true 60 has_shots 1
  look nearmiss-2*.png
  ((bar < 400 && levels < 100)) || fail "the overlay is not off: $(cat numbers)"
  press F1 Escape
  sleep 0.5
  titled '*Quit*' && fail "Escape asked to quit instead of closing the help"
  ask_to_leave
  press Escape
  until_true 30 titled '*sphere-tree*'
  running || fail "ended without being asked to"
  quit_flying
  ;;
changeover)
  # Nothing is cached: a tree that is built quickly flies at once, the wanted tree follows, and then the next builder's
  open_display
  cache=$folder/empty-cache
  # Nothing is looked at but the title
  size=480x300
  # Trees of a rod are built soon
  for x in -1 1; do for y in -0.05 0.05; do for z in -0.05 0.05; do echo "v $x $y $z"; done; done; done >rod.obj
  printf 'f %s\n' '1 2 4 3' '5 7 8 6' '1 5 6 2' '3 4 8 7' '1 3 7 5' '2 6 8 4' >>rod.obj
  start_flying --tree annealed --model rod.obj --player-model rod.obj
  titled '*sphere-tree, sah*' || titled '*sphere-tree, annealed*' || fail "no tree is named"
  until_true 120 titled '*sphere-tree, annealed*'
  press f
  until_true 120 titled '*sphere-tree, annealed-apart*'
  press f
  until_true 120 titled '*sphere-tree, variational*'
  press b
  until_true 120 titled '*- bsp -*'
  quit_flying
  some_file "$cache/*.bsptree" || fail "the BSP trees were not kept"
  ;;
*)
  fail "no such case: $case"
  ;;
esac
