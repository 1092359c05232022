#!/bin/sh
# Usage: types.sh FOLDER
#
# Prints every type that two C++ files of the tree FOLDER define in the same
# namespace, and fails if there is one, or if FOLDER has no files. Two
# definitions of one name are undefined behavior as soon as a program links
# both, and no compiler notices.
#
# Reads only lines as clang-format writes them: namespaces and the types in them
# begin at the left margin.
set -eu
export LC_ALL=C

cd "$1"
# xargs may start grep several times, each with a part of the files.
find ci compiler devices reports rpc runtime suites tests \
    \( -name '*.h' -o -name '*.cc' \) 2>/dev/null | sort |
  xargs grep -HE '^(namespace .*\{|\}  // namespace|(class|struct|enum|union) (.*[^;]|.*\{.*\};)$)' |
  awk '
  {
    at = index($0, ":")
    path = substr($0, 1, at - 1)
    $0 = substr($0, at + 1)
    if (path != last) depth = 0
    last = path
  }
  $1 == "namespace" { names[++depth] = NF > 2 ? $2 : "(anonymous)"; next }
  $1 == "}" { if (depth > 0) depth--; next }
  {
    name = $2 == "class" ? $3 : $2
    space = ""
    for (i = 1; i <= depth; i++) space = space names[i] "::"
    if (depth == 0 || space ~ /anonymous/) next
    key = space name
    if (key in file && file[key] != path) {
      print path ": `" key "` is also defined in " file[key]
      bad++
    }
    file[key] = path
  }
  END { exit bad > 0 || NR == 0 }
  '
