#!/usr/bin/env bash
# one_build.sh ROOT FOLDER: two builds in one folder come one after the other. A stand-in for cmake
# tells when it begins and ends.
set -euo pipefail
source "$1/third_party/set_up.sh"
rm -rf "$2"
mkdir -p "$2/bin"
root=$2
cat >"$2/bin/cmake" <<END
#!/bin/sh
echo begin >>"$2/log"
sleep 0.2
echo end >>"$2/log"
END
chmod +x "$2/bin/cmake"
PATH="$2/bin:$PATH"
build_nearmiss ON &
build_nearmiss OFF
wait
# Each configures and builds
[[ $(tr '\n' ' ' <"$2/log") == "begin end begin end begin end begin end " ]] && echo "one at a time"
