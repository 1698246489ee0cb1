#!/usr/bin/env bash
# Builds the npm package: installs what is missing, compiles the module into build-wasm/, and the package into
# web/dist. --module: only the module, without npm. --tests: also the modules of the tests.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/third_party/set_up.sh"
web=$root/web

build=${NEARMISS_WASM_BUILD:-$root/build-wasm}
prepare web
configure() {
  cmake -S "$root" -B "$build" -G Ninja "$@" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$root/cmake/wasm/toolchain.cmake" "$(launcher_options)"
}
mkdir -p "$build"
configure >"$build/configure.log" 2>&1 || configure --fresh >"$build/configure.log" 2>&1 || {
  cat "$build/configure.log" >&2
  exit 1
}
targets=(nearmiss_wasm)
if [[ ${1:-} == --tests ]]; then targets+=(nearmiss_wasm_tests); fi
cmake --build "$build" --target "${targets[@]}" --parallel "${NEARMISS_JOBS:-$(nproc)}" >&2
mkdir -p "$web/dist"
cp "$build/nearmiss.wasm" "$web/dist/nearmiss.wasm"
[[ ${1:-} == --module ]] && exit 0

# Some packages of nodejs hold npm as well
command -v npm >/dev/null || prepare node
[[ $web/node_modules/.package-lock.json -nt $web/package-lock.json ]] ||
  npm --prefix "$web" ci --prefer-offline --no-audit --no-fund >&2
node "$web/tools/layout.mjs" "$root/collision/include/nearmiss/nearmiss_c.h" clang-16 "$web/src/layout.ts"
node "$web/tools/pack_inline.mjs" "$web/dist/nearmiss.wasm" "$web/src/packed.ts"
(cd "$web" && node_modules/.bin/tsc -p .)
cp "$root/LICENSE" "$web/LICENSE"
say "The package is in web/: npm pack ./web makes an archive of it."
