#!/bin/sh
set -eu
cmake --preset library -B build-conda ${CMAKE_ARGS:-} -DBUILD_SHARED_LIBS=ON
cmake --build build-conda
cmake --install build-conda --prefix "$PREFIX"
