#!/bin/sh
# Tests style.sh on small trees, one fault in each.
set -eu

script=$PWD/ci/checks/style.sh
format=$PWD/../debian_tools/bin/clang-format
exceptions=$TEST_TMPDIR/exceptions
tree=$TEST_TMPDIR/tree

fails=0
# Expect STATUS PATTERN NAME: exit status and a line of the script's output.
Expect() {
  status=0
  sh "$script" "$format" "$exceptions" "$tree" > "$TEST_TMPDIR/out" 2>&1 ||
    status=$?
  if [ "$status" != "$1" ] || ! grep -q -e "$2" "$TEST_TMPDIR/out"; then
    echo "$3: expected status $1 and a line like \`$2\`, got $status and:"
    cat "$TEST_TMPDIR/out"
    fails=$((fails + 1))
  fi
}

# A tree without a fault.
Reset() {
  rm -rf "$tree"
  mkdir -p "$tree/a"
  printf 'BasedOnStyle: Google\nReflowComments: false\n' \
    > "$tree/.clang-format"
  printf '#ifndef ASSAY_A_B_H_\n#define ASSAY_A_B_H_\n\nint b();\n\n' \
    > "$tree/a/b.h"
  echo '#endif  // ASSAY_A_B_H_' >> "$tree/a/b.h"
  printf '#include "a/b.h"\n\nint b() { return 1; }\n' > "$tree/a/b.cc"
  printf 'cc_library(\n    name = "b",\n    deps = [\n        ":a",\n' \
    > "$tree/a/BUILD"
  printf '        "//x",\n    ],\n)\n' >> "$tree/a/BUILD"
  echo '# None.' > "$exceptions"
}

# Lines COUNT: that many lines of code.
Lines() {
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "int x" i ";" }'
}

Reset
Expect 0 '3 files checked, 0 complaints' 'a tree in order'

Reset
sed -i 's/A_B_H_/B_H_/' "$tree/a/b.h"
Expect 1 'a/b.h: the header guard is to be `ASSAY_A_B_H_`' 'a wrong guard'

Reset
printf 'int  b( ) {return 1;}\n' > "$tree/a/b.cc"
Expect 1 'a/b.cc: line 1: not formatted' 'a file that is not formatted'

Reset
printf '#include <map>\n\n#include "a/b.h"\n' > "$tree/a/b.cc"
Expect 1 'a/b.cc: line 1: the first include is to be `a/b.h`' 'includes unsorted'

Reset
printf '// %077d\nint b();\n' 0 > "$tree/a/b.cc"
Expect 0 '0 complaints' 'a comment of 80 columns'

printf '// %078d\nint b();\n' 0 > "$tree/a/b.cc"
Expect 1 'a/b.cc: line 1: a comment of 81 columns' 'a wide comment'

printf '// %s \342\224\200\342\224\200\n' "$(printf '%074d' 0)" > "$tree/a/b.cc"
Expect 0 '0 complaints' 'a comment of 80 columns in more bytes'

printf '// http://%078d\nint b();\n' 0 > "$tree/a/b.cc"
Expect 0 '0 complaints' 'a long URL'

Reset
Lines 501 > "$tree/a/b.cc"
Expect 1 'a/b.cc: 501 lines, more than 500' 'a long source'

echo 'a/b.cc 600 a table with a line for each case' > "$exceptions"
Expect 0 '0 complaints' 'a long source with a reason'

echo 'a/b.cc 600' > "$exceptions"
Expect 1 'lacks a reason' 'an exception without a reason'

Lines 1001 > "$tree/a/b.cc"
echo 'a/b.cc 2000 no reason is good enough' > "$exceptions"
Expect 1 'a/b.cc: 1001 lines, more than 1000' 'a source beyond all reason'

Reset
echo 'a/gone.cc 600 it was long' > "$exceptions"
Expect 1 '`a/gone.cc` does not exist' 'an exception for no file'

Reset
sed -i -e 's,":a","//y:a",' "$tree/a/BUILD"
Expect 1 'a/BUILD: line 5: "//x", is not in order' 'dependencies unsorted'

Reset
printf 'x(\n\tname = "x",\n)\n' > "$tree/a/BUILD"
Expect 1 'a/BUILD: line 2: a tab' 'a tab'

exit "$fails"
