#!/bin/sh
# Usage: fetch.sh LOCK PACKAGE FILE
#
# Downloads the archive of a package of LOCK to FILE, with npm and its
# configuration on this machine. Runs no code of the package.
#
# On failure prints one sentence to standard error and exits with 1.
set -eu

lock=$1
package=$2
file=$3

Fail() {
  echo "the npm package \`$package\` could not be fetched: $*" >&2
  exit 1
}

version=$(awk -v p="$package" '$1 == p { print $2 }' "$lock")
sha=$(awk -v p="$package" '$1 == p { print $3 }' "$lock")
[ -n "$sha" ] || Fail "it is not in \`$lock\`"

if [ -n "${ASSAY_CACHE:-}" ]; then
  cache=$ASSAY_CACHE/npm
elif [ -n "${XDG_CACHE_HOME:-}" ]; then
  cache=$XDG_CACHE_HOME/assay/npm
elif [ -n "${HOME:-}" ]; then
  cache=$HOME/.cache/assay/npm
else
  Fail "there is no folder for downloads; set HOME, XDG_CACHE_HOME or" \
    "ASSAY_CACHE"
fi

HasHash() {
  [ -f "$1" ] && [ "$(sha512sum "$1" | cut -d' ' -f1)" = "$sha" ]
}

# As npm names it: a scope `@a/b` becomes `a-b`.
archive=$(echo "$package" | sed -e 's,^@,,' -e 's,/,-,')-$version.tgz
kept=$cache/$archive
if ! HasHash "$kept"; then
  command -v npm > /dev/null 2>&1 || Fail "\`npm\` is not on this machine;" \
    "install the package \`npm\`"
  mkdir -p "$cache" 2> /dev/null || Fail "cannot create \`$cache\`;" \
    "set ASSAY_CACHE to a folder you may write"
  work=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  (cd "$work" && npm pack --ignore-scripts --silent "$package@$version" \
    > log 2>&1) || Fail "$(sed -n '/^npm error /{s///p;q;}' "$work/log" \
      );" "check the network and the settings of npm"
  HasHash "$work/$archive" ||
    Fail "the registry's file does not have the hash in the lock"
  mv "$work/$archive" "$kept"
fi
cp "$kept" "$file"
