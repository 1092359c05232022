#!/bin/sh
# Usage: walkthrough.sh DOCUMENT... FOLDER
#
# Checks the list of files in documents that walk through one addition to the
# tree FOLDER. Such a document ends with a comment that holds an extended
# regular expression for the names of what was added, and the list of all files
# in which the expression occurs, other than documents:
#
#   <!-- walkthrough: Name|name -->
#   - `folder/name.cc`
#
# Prints, and fails for, a file that the list lacks, or has and should not.
set -eu
export LC_ALL=C

documents=
while [ $# -gt 1 ]; do
  documents="$documents $1"
  shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
for document in $documents; do
  pattern=$(sed -n 's/^<!-- walkthrough: \(.*\) -->$/\1/p' "$document")
  if [ -z "$pattern" ]; then
    echo "$document: there is no line \`<!-- walkthrough: PATTERN -->\`"
    bad=1
    continue
  fi
  sed '1,/^<!-- walkthrough: /d' "$document" | sed -n 's/^- `\(.*\)`.*$/\1/p' |
    sort > "$work/listed"
  # Documents other than the README may mention anything.
  (cd "$1" && find . -type f -not -path './.*' -not -path './bazel-*' \
    -not -path '*/docs/*.md' -exec grep -lE -e "$pattern" {} + |
    sed 's,^\./,,') | sort > "$work/found"
  comm -13 "$work/listed" "$work/found" | while read -r file; do
    echo "$document: the list lacks \`$file\`, which has \`$pattern\`"
  done > "$work/complaints"
  comm -23 "$work/listed" "$work/found" | while read -r file; do
    echo "$document: \`$file\` is listed, but does not have \`$pattern\`"
  done >> "$work/complaints"
  if [ -s "$work/complaints" ]; then
    cat "$work/complaints"
    bad=1
  fi
done
exit "$bad"
