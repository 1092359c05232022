#!/bin/sh
# Usage: update_uplot.sh [VERSION SHA512]
#
# Makes uplot/ what the lock says, of VERSION if one is given; SHA512 is that of
# the archive, which `npm pack uplot@VERSION` gives.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# = 2 ]; then
  sed -i "s/^uplot .*/uplot $1 $2/" "$here/lock"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$here/fetch.sh" "$here/lock" uplot "$work/package.tgz"
tar -xzf "$work/package.tgz" -C "$work"
cd "$here/uplot"
cp "$work/package/LICENSE" "$work/package/dist/uPlot.iife.min.js" \
  "$work/package/dist/uPlot.min.css" .
sha256sum LICENSE uPlot.iife.min.js uPlot.min.css > files.sha256
echo "uplot/ is $(awk '$1 == "uplot" { print $1, $2 }' "$here/lock")"
