#!/usr/bin/env bash
# test.sh NATIVE: builds the page with the native programs in the folder NATIVE, and drives it in a headless Chromium.
# Exit code 77: something is missing here, and the first line says what.
set -euo pipefail
page=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for command in node npm clang-16 wasm-ld-16 wasm-opt chromium; do
  command -v "$command" >/dev/null || { echo "$command is missing: third_party/debian_packages.txt names its package"; exit 77; }
done
[[ -d $page/node_modules/three ]] || (cd "$page" && npm install --prefer-offline --no-audit --no-fund --no-package-lock --silent) ||
  { echo "npm reaches no registry, and nothing is installed in web/page/node_modules"; exit 77; }
NEARMISS_NATIVE=$1 "$page/build.sh"
node --test --test-reporter=spec "$page/test/page.test.mjs"
