#!/bin/sh
set -eu
"$PYTHON" -m pip install . -vv --no-deps --no-build-isolation
