#!/usr/bin/env bash
# Builds the page that flies and serves it on this machine: ./page.sh [--port N] [--build]
# --build: only builds the static files, into web/page/dist.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

serve=(node "$root/web/page/serve.mjs")
only_build=
while (($#)); do
  case $1 in
    --port)
      (($# > 1)) || { echo "page.sh: --port needs a number" >&2; exit 2; }
      serve+=(--port "$2")
      shift ;;
    --port=*) serve+=("$1") ;;
    --build) only_build=1 ;;
    -h | --help)
      sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"
      exit 0 ;;
    *)
      echo "page.sh: unknown option \"$1\"; --port N and --build are known" >&2
      exit 2 ;;
  esac
  shift
done

"$root/web/page/build.sh"
[[ $only_build ]] || exec "${serve[@]}" "$root/web/page/dist"
