#!/usr/bin/env bash
# Builds the page into web/page/dist: static files. Installs what is missing.
# NEARMISS_NATIVE: a build folder that has the native programs already.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/third_party/set_up.sh"

build=${NEARMISS_WASM_BUILD:-$root/build-wasm}
data=$build/page-data
prepare build fly web

# Models and scenes, and a flight to replay, by the native program
native=${NEARMISS_NATIVE:-$root/build}
[[ ${NEARMISS_NATIVE:-} ]] || build_nearmiss OFF --target nearmiss nearmiss-page-data
if [[ ! $data/page.json -nt $native/nearmiss-page-data ]]; then
  say "Preparing models and scenes; the first time this builds their spheres, which takes a minute."
  mkdir -p "$data" "$build/sessions"
  "$native/nearmiss-page-data" "$data"
  "$native/nearmiss" run lamps --frames 1200 --clock work --budget 5 --record "$data/sample.session" >/dev/null
  # For the tests: a flight of each scene, and its last state
  states=
  for flight in lamps:600 trucks:200 mixed:300 fig21:60 crowd:40 joints:200 chase:400 shuttles:200 antenna:100 tori:300 \
    slalom:200 escape:200 station:200 salvage:200 duel:200; do
    scene=${flight%:*}
    state=$("$native/nearmiss" run "$scene" --frames "${flight#*:}" --clock work --budget 20 \
      --record "$build/sessions/$scene.session" | grep -o 'state 0x[0-9a-f]*')
    states+="${states:+, }\"$scene\": \"${state#state }\""
  done
  echo "{ $states }" >"$build/sessions/states.json"
fi

# The simulator in WebAssembly
configure() {
  cmake -S "$root" -B "$build" -G Ninja "$@" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$root/cmake/wasm/toolchain.cmake" "$(launcher_options)"
}
configure >/dev/null || configure --fresh >/dev/null
cmake --build "$build" --target nearmiss_page_wasm --parallel "${NEARMISS_JOBS:-$(nproc)}" >&2

cd "$root/web/page"
if [[ ! -d node_modules/three || ! -d node_modules/esbuild || ! -d node_modules/fzstd ]]; then
  npm install --no-audit --no-fund --no-package-lock --silent >&2
fi
node build.mjs --data "$data" --module "$build/nearmiss_page.wasm" >&2
