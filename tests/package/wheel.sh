#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh SOURCE WORK PYTHON [BUILD]: the sources packed, the wheel from them by one command, installed into a
# fresh environment without network, and used from a bare folder. BUILD: a build folder to take the
# module from; without it everything is compiled, as a stranger does it.
set -eu
source=$1 work=$2 python=$3 build=${4:-}
for module in pip setuptools wheel venv ensurepip numpy; do
  "$python" -c "import $module" 2>/dev/null && continue
  echo "NOT TESTED: the Python wheel, for $python has no $module (Debian: python3-$module)"
  exit 77
done

rm -rf "$work" && mkdir -p "$work/source" "$work/packed" "$work/bare"
cp -r "$source/CMakeLists.txt" "$source/CMakePresets.json" "$source/pyproject.toml" "$source/setup.py" "$source/MANIFEST.in" \
  "$source/README.md" "$source/LICENSE" "$source/cmake" "$source/collision" "$source/engine" "$source/python" \
  "$source/third_party" "$source/docs" "$work/source"
mkdir -p "$work/source/app/tools" && cp -r "$source/app/tools/robot" "$work/source/app/tools"
unset PYTHONPATH
cd "$work/source"
"$python" setup.py -q sdist -d "$work"
tar -xzf "$work"/nearmiss-*.tar.gz --strip-components=1 -C "$work/packed"
find . -type f ! -path "./build*" ! -path "*/__pycache__/*" | while read -r file; do
  test -e "$work/packed/$file" || { echo "not packed: $file"; exit 1; }
done
cd "$work/packed"
test -z "$build" || export NEARMISS_BUILD_DIR="$build"
"$python" -m pip wheel --no-index --no-build-isolation --no-deps -w "$work/wheels" .

# NumPy is Debian's, all else is the environment's own
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --no-index --no-deps "$work"/wheels/nearmiss-*.whl
cd "$work/bare"
"$work/venv/bin/python" "$source/tests/package/use_wheel.py" "$work/venv" \
  "$(sed -n 's/.*project(nearmiss VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")"
