#!/bin/sh
# Usage: layering.sh LAYERS FOLDER
#
# Checks every dependency in the tree FOLDER against the table LAYERS: those
# that BUILD files declare and those that `#include`s make. Prints, and fails
# for,
#   - a dependency that the table does not allow,
#   - a folder without a line in the table, or a line without a folder,
#   - an entry of the table that no dependency uses,
#   - folders that depend on each other, directly or through others.
#
# Rules and files of tests (`*_test`, `*_benchmark`, `testonly`, folders
# `testing` and `testdata`) are left out: a test may use what its subject must
# not.
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

# All folders that have rules or sources.
sed 's,/[^/]*$,,' "$work/builds" "$work/sources" | sort -u > "$work/folders"

awk '
  # The line of the table for a folder. All of tests/ has one line.
  function layer(folder) {
    if (folder in known) return folder
    if (folder ~ /^tests\//) return layer("tests")
    return ""
  }
  # Marks the entry that allows the dependency.
  function allowed(from, to) {
    while (to != "") {
      if ((from, to) in may) return used[from, to] = 1
      if (("*", to) in may) return used["*", to] = 1
      if (!sub(/\/[^\/]*$/, "", to)) return 0
    }
    return 0
  }
  function complain(what) { print what; bad++ }
  # Follows the dependencies of `folder`; `path` is the way there.
  function visit(folder, path,  n, i, next_folders) {
    if (done[folder]) return
    if (open[folder]) {
      sub(".*(^| )" folder " -> ", folder " -> ", path)
      complain("these folders depend on each other: " path)
      return
    }
    open[folder] = 1
    n = split(uses[folder], next_folders, " ")
    for (i = 1; i <= n; i++) {
      visit(next_folders[i], path " -> " next_folders[i])
    }
    open[folder] = 0
    done[folder] = 1
  }
  FILENAME == ARGV[1] {
    if ($0 ~ /^#/ || NF == 0) next
    from = $1
    sub(/:$/, "", from)
    known[from] = 1
    for (i = 2; i <= NF; i++) may[from, $i] = 1
    next
  }
  FILENAME == ARGV[2] {
    if ($1 == "." || $1 ~ /^ci(\/|$)/ || $1 !~ /^[a-z_\/0-9]+$/) next
    present[$1] = 1
    if ($1 ~ /^tests\//) present["tests"] = 1
    if (layer($1) == "") {
      complain("the folder `" $1 "` is not in ci/checks/layers; say there " \
        "what it may depend on")
    }
    next
  }
  $2 == "." || $2 ~ /^ci(\/|$)/ { next }
  $3 ~ /^ci\/(toolchains|bazel|checks)/ { next }
  $3 ~ /^third_party\/(gtest|gtest_main|benchmark)$/ && $2 !~ /^suites/ { next }
  {
    checked++
    if ($3 !~ /^(@|ci\/|third_party\/)/ && $2 != $3 &&
        index(" " uses[$2] " ", " " $3 " ") == 0) {
      uses[$2] = uses[$2] " " $3
    }
    from = layer($2)
    if (from == "" || from == layer($3)) next
    if ($3 !~ /^@/ && allowed(from, $3)) next
    complain($1 ": `" from "` may not depend on `" $3 \
      "`; see ci/checks/layers")
  }
  END {
    for (key in may) {
      split(key, pair, SUBSEP)
      if (pair[1] == "ci" || pair[1] == "tests") continue
      if (!(key in used)) {
        complain("ci/checks/layers: `" pair[1] ": " pair[2] "` is never used")
      }
    }
    for (folder in known) {
      if (folder == "*" || folder == "ci" || folder in present) continue
      complain("ci/checks/layers: there is no folder `" folder "`")
    }
    for (folder in present) visit(folder, folder)
    print checked + 0 " dependencies checked, " bad + 0 " problems"
    exit bad > 0 || checked == 0
  }' "$layers" "$work/folders" "$work/edges"
