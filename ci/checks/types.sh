#!/bin/sh
# Usage: types.sh FOLDER
#
# Prints every type that two C++ files of the tree FOLDER define in the same
# namespace, and fails if there is one. Two definitions of one name are
# undefined behavior as soon as a program links both, and no compiler notices.
#
# Reads only lines as clang-format writes them: namespaces and the types in them
# begin at the left margin.
set -eu
export LC_ALL=C

cd "$1"
find ci compiler devices reports rpc runtime suites tests \
    \( -name '*.h' -o -name '*.cc' \) 2>/dev/null | sort |
  xargs awk '
  FNR == 1 { depth = 0 }
  /^namespace( [A-Za-z_0-9:]+)? \{/ {
    names[++depth] = NF > 2 ? $2 : "(anonymous)"
    next
  }
  /^}  \/\/ namespace/ { if (depth > 0) depth--; next }
  /^(class|struct|enum|union) .*[^;]$/ {
    name = $2 == "class" ? $3 : $2
    space = ""
    for (i = 1; i <= depth; i++) space = space names[i] "::"
    if (depth == 0 || space ~ /anonymous/) next
    key = space name
    if (key in file && file[key] != FILENAME) {
      print FILENAME ": `" key "` is also defined in " file[key]
      bad++
    }
    file[key] = FILENAME
  }
  END { exit bad > 0 }
  '
