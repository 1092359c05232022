#!/bin/sh
# Tests layering.sh on a small tree: what it must find, and what it must not.
set -eu

script=$PWD/ci/checks/layering.sh
tree=$TEST_TMPDIR/tree
mkdir -p "$tree/compiler/te" "$tree/compiler/graph/passes" "$tree/runtime/base"
layers=$TEST_TMPDIR/layers
cat > "$layers" <<'LAYERS'
# A comment.
*: runtime/base
runtime/base:
compiler/te:
compiler/graph: compiler/te
compiler/graph/passes: compiler/te
LAYERS

fails=0
# Expect STATUS PATTERN: the script's exit status and a line of its output.
Expect() {
  status=0
  sh "$script" "$layers" "$tree" > "$TEST_TMPDIR/out" 2>&1 || status=$?
  if [ "$status" != "$1" ] || ! grep -q -e "$2" "$TEST_TMPDIR/out"; then
    echo "$3: expected status $1 and a line like \`$2\`, got $status and:"
    cat "$TEST_TMPDIR/out"
    fails=$((fails + 1))
  fi
}

echo 'cc_library(name = "status")' > "$tree/runtime/base/BUILD"
echo 'cc_library(name = "te", deps = ["//runtime/base:status"])' \
  > "$tree/compiler/te/BUILD"
echo '#include "runtime/base/status.h"' > "$tree/compiler/graph/status.cc"
cat > "$tree/compiler/graph/BUILD" <<'BUILD'
package(default_visibility = ["//compiler:__subpackages__"])

cc_library(
    name = "graph",
    deps = [
        ":attrs",
        "//compiler/te",
    ],
)
BUILD
cp "$tree/compiler/graph/BUILD" "$tree/compiler/graph/passes/BUILD"
echo '#include "compiler/te/te.h"' > "$tree/compiler/graph/graph.cc"
Expect 0 'dependencies checked, 0 problems' 'a tree in order'

echo 'cc_library(name = "te", deps = ["//compiler/graph"])' \
  > "$tree/compiler/te/BUILD"
Expect 1 'te/BUILD: `compiler/te` may not depend on `compiler/graph`' \
  'a forbidden label'

echo 'cc_test(name = "te_test", deps = ["//compiler/graph"])' \
  > "$tree/compiler/te/BUILD"
Expect 0 '0 problems' 'the same label in a test'

echo '#include "compiler/graph/passes/x.h"' > "$tree/compiler/te/te.h"
Expect 1 'te/te.h: `compiler/te` may not depend on `compiler/graph/passes`' \
  'a forbidden include'

mv "$tree/compiler/te/te.h" "$tree/compiler/te/te_test.cc"
Expect 0 '0 problems' 'the same include in a test'

echo 'cc_library(name = "te", deps = ["//ci/third_party:absl"])' \
  > "$tree/compiler/te/BUILD"
Expect 1 '`compiler/te` may not depend on `third_party/absl`' \
  'a library of others'

echo 'cc_library(name = "te", deps = ["@debian_llvm//:llvm"])' \
  > "$tree/compiler/te/BUILD"
Expect 1 '`compiler/te` may not depend on `@debian_llvm//:llvm`' \
  'a repository by its own name'

echo '' > "$tree/compiler/te/BUILD"
mkdir -p "$tree/compiler/new"
echo 'cc_library(name = "new", deps = ["//compiler/te"])' \
  > "$tree/compiler/new/BUILD"
Expect 1 'the folder `compiler/new` is not in ci/checks/layers' \
  'a folder without a line'

rm -r "$tree/compiler/new"

# A cycle of two folders, one of which goes through a third folder.
cat >> "$layers" <<'LAYERS'
compiler/te: compiler/graph/passes
LAYERS
Expect 1 '`compiler/te: compiler/graph/passes` is never used' 'a dead entry'
echo '#include "compiler/graph/passes/x.h"' > "$tree/compiler/te/te.h"
Expect 1 'these folders depend on each other: compiler/' 'a cycle'
mv "$tree/compiler/te/te.h" "$tree/compiler/te/te_test.cc"
Expect 1 '1 problems' 'the same cycle through a test'

rm -r "$tree/compiler/graph/passes"
Expect 1 'there is no folder `compiler/graph/passes`' 'a line without a folder'

exit "$fails"
