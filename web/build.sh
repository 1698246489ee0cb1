#!/usr/bin/env bash
# Builds the npm package: installs what is missing, compiles the module into build-wasm/ and copies it to
# web/dist. --module: only the module, without npm.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/third_party/set_up.sh"

build=${NEARMISS_WASM_BUILD:-$root/build-wasm}
prepare web
# Some packages of nodejs hold npm as well
command -v npm >/dev/null || prepare node
configure() {
  cmake -S "$root" -B "$build" -G Ninja "$@" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$root/cmake/wasm/toolchain.cmake" "$(launcher_options)"
}
configure >/dev/null || configure --fresh >/dev/null
cmake --build "$build" --target nearmiss_wasm --parallel "${NEARMISS_JOBS:-$(nproc)}" >&2
mkdir -p "$root/web/dist"
cp "$build/nearmiss.wasm" "$root/web/dist/nearmiss.wasm"
[[ ${1:-} == --module ]] && exit 0
