#!/bin/sh
# Usage: hermetic_test.sh FOLDER
#
# Checks what `toolchain_probe` wrote into FOLDER: every header and library
# that compiler and linker opened, and every folder that they would search,
# lies in a repository made of locked packages. An absolute path is one of the
# build machine.
set -eu

probe=$1
fails=0

# Check WHAT MINIMUM: stdin has one path a line, at least MINIMUM of them.
Check() {
  cat > "$TEST_TMPDIR/paths"
  count=$(wc -l < "$TEST_TMPDIR/paths")
  if [ "$count" -lt "$2" ]; then
    echo "$1: $count paths listed, $2 expected at least; the probe is blind"
    fails=$((fails + 1))
  fi
  if grep -v -e '^external/sysroot_' -e '^external/debian_tools/' \
      -e '^bazel-out/' -e '^ci/checks/probe\.cc$' "$TEST_TMPDIR/paths"; then
    echo "$1: the paths above are not in a locked repository"
    fails=$((fails + 1))
  fi
}

tr -d '\\' < "$probe/headers" | sed 's/^[^:]*://' | tr ' ' '\n' |
  grep -v '^$' | Check headers 300
sed -n '/search starts here/,/^End of search list/p' "$probe/search" |
  sed -n 's/^ //p' | Check 'header search path' 6
Check libraries 8 < "$probe/libraries"
exit "$fails"
