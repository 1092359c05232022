#!/bin/sh
# Usage: layering.sh LAYERS FOLDER
#
# Checks every dependency in the tree FOLDER against the table LAYERS: those
# that BUILD files declare and those that `#include`s make. Prints the ones
# that the table does not allow and fails if there are any.
#
# Rules and files of tests (`*_test`, `*_benchmark`, `testonly`, folders
# `testing` and `testdata`) are left out: a test may well use what its subject
# must not.
set -eu
export LC_ALL=C

layers=$1
root=$2

cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines `file folder dependency`, from the labels in BUILD files.
find . -name BUILD -not -path './bazel-*' -not -path './.git/*' \
    -not -path './ci/bazel/stubs/*' -not -path '*/testing/*' \
    -not -path '*/testdata/*' |
  sed 's,^\./,,' | sort > "$work/builds"
xargs awk '
  function flush(  i) {
    if (rule != "" && rule !~ /_test$/ && rule != "load" && !testonly) {
      for (i = 0; i < n; i++) print file, folder, deps[i]
    }
    rule = ""; n = 0; testonly = 0
  }
  FNR == 1 {
    flush()
    file = FILENAME
    folder = file
    if (!sub(/\/BUILD$/, "", folder)) folder = "."
  }
  /^\[?[a-z_]+\(/ {
    flush()
    rule = $0
    sub(/^\[/, "", rule)
    sub(/\(.*/, "", rule)
    if (rule == "package" || rule == "package_group") rule = "load"
  }
  /testonly = (True|1)/ { testonly = 1 }
  { sub(/(^|[ \t])#.*/, "") }
  {
    line = $0
    while (match(line, /"(@[a-z0-9_]*)?\/\/[^"]*"/)) {
      label = substr(line, RSTART + 1, RLENGTH - 2)
      line = substr(line, RSTART + RLENGTH)
      if (label ~ /:__|^\/\/visibility/) continue
      deps[n++] = label
    }
  }
  END { flush() }' < "$work/builds" > "$work/labels"

# Labels as folders.
awk '{
    label = $3
    if (label ~ /^@/) { dependency = label }
    else if (label ~ /^\/\/ci\/third_party:/) {
      dependency = "third_party/" substr(label, 18)
    } else {
      dependency = substr(label, 3)
      sub(/:.*/, "", dependency)
    }
    # gtest_main and benchmark come with the rules that use them.
    if (dependency == "") next
    print $1, $2, dependency
  }' "$work/labels" > "$work/edges"

# The same from `#include "folder/file.h"`.
find ci compiler devices reports rpc runtime suites tests \
    \( -name '*.h' -o -name '*.cc' \) 2>/dev/null |
  grep -v -e '_test\.cc$' -e '_benchmark\.cc$' -e '/testing/' \
    -e '/testdata/' |
  sort > "$work/sources"
if [ -s "$work/sources" ]; then
  xargs awk '
    /^#include "(ci|compiler|devices|reports|rpc|runtime|suites|tests)\// {
      folder = FILENAME
      sub(/\/[^\/]*$/, "", folder)
      dependency = $2
      gsub(/"/, "", dependency)
      sub(/\/[^\/]*$/, "", dependency)
      print FILENAME, folder, dependency
    }' < "$work/sources" >> "$work/edges"
fi

awk '
  # The longest line of the table that covers a folder.
  function layer(folder) {
    while (folder != "") {
      if (folder in known) return folder
      if (!sub(/\/[^\/]*$/, "", folder)) return ""
    }
    return ""
  }
  function allowed(from, to) {
    while (to != "") {
      if ((from, to) in may || ("*", to) in may) return 1
      if (!sub(/\/[^\/]*$/, "", to)) return 0
    }
    return 0
  }
  FNR == NR {
    if ($0 ~ /^#/ || NF == 0) next
    from = $1
    sub(/:$/, "", from)
    known[from] = 1
    for (i = 2; i <= NF; i++) may[from, $i] = 1
    next
  }
  $2 == "." || $2 ~ /^ci(\/|$)/ { next }
  $3 ~ /^ci\/(toolchains|bazel|checks)/ { next }
  {
    checked++
    from = layer($2)
    if (from == "") {
      if (!unknown[$2]++) {
        print $1 ": the folder `" $2 "` is not in ci/checks/layers; say there what it may depend on"
        bad++
      }
      next
    }
    if ($3 ~ /^third_party\/(gtest_main|benchmark)$/) next
    to = $3 ~ /^@/ ? "" : layer($3)
    if (to == from) next
    if ($3 !~ /^@/ && allowed(from, $3)) next
    print $1 ": `" from "` may not depend on `" $3 "`; see ci/checks/layers"
    bad++
  }
  END {
    print checked + 0 " dependencies checked, " bad + 0 " not allowed"
    exit bad > 0 || checked == 0
  }' "$layers" "$work/edges"
