#!/bin/sh
# Usage: in_tree.sh SCRIPT [FILE...]
#
# Runs SCRIPT with the FILEs and, last, the folder of the source tree, which
# it finds by following the link to one of its files. For checks that are
# about every file there is and not about those that some target names; such
# a test needs the tag `external`, so that it runs whenever it is asked for.
set -eu

tree=$(dirname "$(readlink -f WORKSPACE)")
[ -f "$tree/ci/checks/in_tree.sh" ] || {
  echo "the source tree is not where \`WORKSPACE\` links to: \`$tree\`" >&2
  exit 1
}
for file do
  shift
  set -- "$@" "$PWD/$file"
done
exec sh "$@" "$tree"
