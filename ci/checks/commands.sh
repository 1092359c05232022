#!/bin/sh
# Usage: commands.sh FILE... FOLDER
#
# Checks that the targets and scripts that the FILEs name exist in the tree
# FOLDER: definitions of continuous integration and steps of the nightly run are
# not read by the build, which would notice it otherwise. A target exists if its
# package names it, or names a rule that makes it: `X_search` is made by
# `X` (fuzz.bzl), and a name with `%s` stands for several. Prints, and fails for,
# what does not exist.
set -eu
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while [ $# -gt 1 ]; do
  # Without addresses of the web and paths on other machines.
  sed 's,[a-z]*:///*[^ ]*,,g; s,/srv/assay/source/,,g' "$1" |
    grep -oE '(^|[ `"=])(//[a-z0-9_/]*(\.\.\.|:[a-z0-9_]+)?|\.?ci/[a-z0-9_/]+(\.[a-z]+)?|\./bazelw)' |
    sed 's/^[ `"=]//' | sort -u |
    sed "s,^,$(basename "$1") ,"  >> "$work/names"
  shift
done
cd "$1"

# HasTarget PACKAGE NAME
HasTarget() {
  [ -f "$1/BUILD" ] || return 1
  grep -oE '"[a-z0-9_%]+"' "$1/BUILD" | tr -d '"' | awk -v name="$2" '
    $0 == name || $0 "_search" == name && /_fuzz_test$/ { found = 1 }
    sub(/%s/, "[a-z0-9_]+") && name ~ "^" $0 "$" { found = 1 }
    END { exit !found }'
}

bad=0
while read -r file name; do
  case $name in
    //...) continue ;;
    //*/...) folder=${name#//} && [ -d "${folder%/...}" ] && continue ;;
    //*:*) package=${name%%:*} && HasTarget "${package#//}" "${name#*:}" &&
      continue ;;
    //*) HasTarget "${name#//}" "${name##*/}" && continue ;;
    *) [ -e "$name" ] && continue ;;
  esac
  echo "$file: there is no \`$name\`"
  bad=1
done < "$work/names"
echo "$(wc -l < "$work/names") names checked"
[ -s "$work/names" ] || bad=1
exit "$bad"
