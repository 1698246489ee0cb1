#!/usr/bin/env bash
# Sets up what is missing, builds everything, and runs the tests; those that take minutes run with --all only. --all: again with clang,
# with the Address and UndefinedBehavior sanitizers, with the Thread sanitizer where a test has
# threads, and without the window; what passed at this commit before is not run again, so that an
# interrupted run goes on. Other options go to ctest.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/third_party/set_up.sh"

all=false
if [[ "${1:-}" == --all ]]; then
  all=true
  shift
fi

# count_cases FOLDER PASSED|SKIPPED: the sum over the test programs of the last run
count_cases() {
  awk -v word="$2" '$1 == "[" && $2 == word && $5 ~ /^tests?[.]$/ { sum += $4 } END { print sum + 0 }' \
    "$1/Testing/Temporary/LastTest.log"
}

# run_tests FOLDER OPTION...: leaves ctest's line of passes as the last one
run_tests() {
  local folder=$1 log status=0
  shift
  log=$(mktemp)
  ctest --test-dir "$folder" --output-on-failure --parallel "$(nproc)" "$@" 2>&1 | tee "$log" ||
    status=$?
  # ctest counts programs, each of many cases
  echo "$(count_cases "$folder" PASSED) cases passed, $(count_cases "$folder" SKIPPED) skipped"
  # ctest says more after its summary; whoever looks at one line looks at the last
  grep -E '^[0-9]+% tests passed' "$log" || true
  rm -f "$log"
  return "$status"
}

# The commit whose files these are, or nothing if some differ
commit_of_files() {
  local changed
  changed=$(git -C "$root" status --porcelain 2>/dev/null) && [[ -z $changed ]] || return 0
  git -C "$root" rev-parse HEAD
}
commit=""
if (($# == 0)); then commit=$(commit_of_files); fi
passed_before() { [[ -n $commit && -f "$1/passed-commit" && $(<"$1/passed-commit") == "$commit" ]]; }
# Files may have changed while the tests ran
keep_passed() {
  if [[ -n $commit && $(commit_of_files) == "$commit" ]]; then echo "$commit" >"$1/passed-commit"; fi
}

prepare build fly test web
command -v npm >/dev/null || prepare node
if $all && passed_before "$root/build"; then
  ends=("release: passed before")
else
  build_nearmiss ON
  run_tests "$root/build" "$@"
  keep_passed "$root/build"
  ends=("release: passed")
fi
$all || exit 0

# A preset that fails lets the next ones run: the last lines say of each how it ended
prepare all
failed=0
for preset in clang debug tsan headless; do
  began=$SECONDS
  folder="$root/build-$preset"
  if passed_before "$folder"; then
    ends+=("$preset: passed before")
    continue
  fi
  how=passed
  { cmake -S "$root" --preset "$preset" "$(launcher_options)" >/dev/null &&
    cmake --build "$folder" --parallel "$(nproc)" >&2; } || how="not built"
  if [[ $how == passed ]]; then run_tests "$folder" "$@" || how=failed; fi
  if [[ $how == passed ]]; then keep_passed "$folder"; else failed=1; fi
  ends+=("$preset: $how, $(((SECONDS - began) / 60)) min $(((SECONDS - began) % 60)) s")
done
printf '%s\n' "${ends[@]}"
exit "$failed"
