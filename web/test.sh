#!/usr/bin/env bash
# test.sh WORK: builds the npm package, packs it, installs the archive in an empty folder, and runs its tests there.
# Exit code 77: something is missing here, and the first line says what.
set -euo pipefail
web=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1
build=${NEARMISS_WASM_BUILD:-$web/../build-wasm}
for command in node npm clang-16 wasm-ld-16 wasm-opt; do
  command -v "$command" >/dev/null || { echo "$command is missing: third_party/debian_packages.txt names its package"; exit 77; }
done
[[ -d $web/node_modules/three && -d $web/node_modules/typescript ]] || npm --prefix "$web" ci --prefer-offline --no-audit --no-fund ||
  { echo "npm reaches no registry, and nothing is installed in web/node_modules"; exit 77; }
"$web/build.sh" --tests

rm -rf "$work" && mkdir -p "$work"
archive=$(cd "$work" && npm pack --silent "$web")
echo "packed: $(wc -c <"$work/$archive") bytes; module: $(gzip -9c "$web/dist/nearmiss.wasm" | wc -c) bytes by gzip"
cd "$work"
echo '{ "name": "empty", "private": true, "type": "module" }' >package.json
npm install --silent --offline --no-audit --no-fund --no-package-lock --legacy-peer-deps "./$archive"
# The peer, and the compiler, as a project of its own would have them
for package in "$web"/node_modules/* "$web"/node_modules/@*/*; do
  name=${package#"$web/node_modules/"}
  [[ $name != @* || $name == */* ]] || continue
  mkdir -p "node_modules/$(dirname "$name")"
  ln -s "$package" "node_modules/$name"
done
cp -r "$web/test" .
NEARMISS_WASM_TESTS=$(cd "$build/tests" && pwd) node --test --test-reporter=spec test/
# The declarations of the package are checked as well; those of three.js are not ours
node_modules/typescript/bin/tsc -p test
node_modules/typescript/bin/tsc -p test/tsconfig.three.json
python3 -B "$web/../tests/determinism.py" --check-module "$build/tests/portable_answers.wasm"
echo "the package is sound"
