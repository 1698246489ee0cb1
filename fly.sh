#!/usr/bin/env bash
# Sets up what is missing, builds, and flies. Options go to `nearmiss fly`; try --help.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/third_party/set_up.sh"

prepare build fly
build_nearmiss OFF --target nearmiss
exec "$root/build/nearmiss" fly "$@"
