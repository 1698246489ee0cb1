# shellcheck shell=bash disable=SC2154
# Sourced by fly.sh and test.sh, which have set `root` and `set -euo pipefail`: installs what is
# missing of debian_packages.txt, configures and builds.

# say TEXT...: to the terminal, apart from what the program itself prints
say() { printf '%s\n' "$*" >&2; }

# install_missing PART...: asks dpkg what is there, and apt only for the rest
install_missing() {
  local part package missing=()
  while read -r part package; do
    [[ " $* " == *" $part "* ]] || continue
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
      missing+=("$package")
  done < <(grep -v '^#' "$root/third_party/debian_packages.txt")
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    # Without a terminal sudo could only wait for a password for ever
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      say "These packages are missing, and neither root nor sudo is at hand to install them:" \
        "${missing[*]}. Ask your administrator for: apt install ${missing[*]}"
      exit 1
    fi
  fi
  say "Installing what is missing: ${missing[*]}"
  "${as_root[@]}" apt-get -qq update >&2 || say "apt-get update failed; trying with the old lists."
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" >&2 || {
    say "apt-get could not install: ${missing[*]}"
    exit 1
  }
}

check_system() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null && return 0
  say "This is no Debian: the packages that third_party/debian_packages.txt names must be there" \
    "under the names that this system has for them."
  return 1
}

# prepare PART...: packages, where this is a Debian
prepare() {
  if check_system; then install_missing "$@"; fi
}

# launcher_options: compiles through ccache where that is installed
launcher_options() {
  if command -v ccache >/dev/null; then
    echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  else
    echo -UCMAKE_CXX_COMPILER_LAUNCHER
  fi
}

# build_nearmiss TESTS TARGET...: TESTS is ON or OFF. Leaves build/nearmiss.
build_nearmiss() {
  local tests=$1 options=() lock
  shift
  # Two builds at once in one folder would leave half-written files
  mkdir -p "$root/build"
  exec {lock}>"$root/build/.lock"
  if command -v flock >/dev/null && ! flock -n "$lock"; then
    say "Another fly.sh or test.sh builds in this folder: waiting for it."
    flock "$lock"
  fi
  # What an older cache may hold of other wishes is set back
  options+=(-DNEARMISS_BUILD_APP=ON -DNEARMISS_BUILD_FLY=ON "-DNEARMISS_BUILD_TESTS=$tests"
    -DNEARMISS_SANITIZE=)
  options+=("$(launcher_options)")
  local log
  log=$(mktemp)
  # A cache of another folder, generator or compiler is thrown away
  if ! cmake -S "$root" --preset release "${options[@]}" >"$log" 2>&1 &&
    ! cmake -S "$root" --fresh --preset release "${options[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
  cmake --build "$root/build" --parallel "$(nproc)" "$@" >&2
  exec {lock}>&-
}
