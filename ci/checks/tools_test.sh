#!/bin/sh
# Checks that every tool of the lock starts with the libraries of the lock
# alone: a library that the lock forgot would be taken from the build machine,
# or not be found on the next one.
set -eu

cd ../debian_tools
loader=lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
fails=0
count=0
for script in bin/*; do
  # As in the scripts, which //ci/third_party/debian:prepare.sh writes.
  case $script in
    bin/clang-format) program=usr/bin/clang-format-19 ;;
    bin/grpc_cpp_plugin | bin/protoc) program=usr/$script ;;
    *) program=usr/lib/llvm-19/$script ;;
  esac
  count=$((count + 1))
  "$loader" --library-path lib/x86_64-linux-gnu:usr/lib/x86_64-linux-gnu \
    --list "$program" > "$TEST_TMPDIR/libraries" || fails=$((fails + 1))
  # Lines `name => path (address)`; the kernel's own object has no path.
  if grep -v -e '=> lib/' -e '=> usr/lib/' -e 'linux-vdso' -e "$loader" \
      "$TEST_TMPDIR/libraries"; then
    echo "$program: the libraries above are not in the lock; add their" \
      "packages to ci/third_party/debian/packages"
    fails=$((fails + 1))
  fi
done
[ "$count" -ge 10 ] || { echo "only $count tools found"; fails=1; }
exit "$fails"
