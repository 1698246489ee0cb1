#!/bin/sh
# SPDX-License-Identifier: MIT
# bare.sh SOURCE WORK CXX CC: the C library without threads, exceptions and files, built from the sources, looked through
# for what it must not call, and used from a bare folder.
set -eu
source=$1 work=$2 cxx=$3 cc=$4
rm -rf "$work" && mkdir -p "$work/bare"
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DNEARMISS_BARE=ON -DCMAKE_CXX_COMPILER="$cxx"
cmake --build "$work/build" --target nearmiss_c
cd "$work/bare"
cp "$source/examples/two_parts.c" .
"$cc" -std=c99 -pedantic -Wall -Werror two_parts.c -o two_parts -I"$source/collision/include" \
  -L"$work/build/collision" -lnearmiss_c -Wl,-rpath,"$work/build/collision"
./two_parts

# Names of what would start threads, throw, catch or open
library=$work/build/collision/libnearmiss_c.so
nm -D --undefined-only "$library" | sed 's/.* //; s/@.*//' > called
if grep -E '^(pthread_(create|mutex_lock|cond_wait)|_ZNSt6thread.*|_ZNSt18condition_variable.*|_ZSt9call_once.*)$' called ||
  grep -E '^(__cxa_(throw|rethrow|allocate_exception|begin_catch|end_catch)|_ZSt17rethrow_exception.*)$' called ||
  grep -E '^(f?open(64)?|fdopen|creat|rename|unlink|fsync|f?read|f?write|l?stat(64)?|_ZNSt10filesystem.*(status|rename|remove|file_size).*|_ZNSt13basic_filebuf.*)$' called
then
  echo "$library calls what a bare machine lacks"
  exit 1
fi
echo "no threads, exceptions or files in $(wc -c < "$library") bytes"
