#!/bin/sh
# Usage: prepare.sh [PATTERN...]
#
# Run in a folder of unpacked packages. Deletes what no build needs, the
# PATTERNs included, and makes the tree independent of where it lies.
set -eu

# Build actions depend on the stamp instead of on every file, so whatever
# decides how the files look has to be in it.
sha256sum < "$0" >> stamp
echo "$@" >> stamp

rm -rf etc usr/share/doc usr/share/lintian usr/share/man usr/share/locale \
  usr/share/bash-completion usr/share/bug usr/share/binfmts var
for pattern in "$@"; do
  # Unquoted: the pattern is to be expanded.
  rm -rf $pattern
done

# A package's links are made for the root of a system: /lib/x.so becomes
# ../../lib/x.so.
find . -type l -lname '/*' | while read -r link; do
  up=$(dirname "${link#./}" | sed -e 's,[^/][^/]*,..,g')
  ln -sfn "$up$(readlink "$link")" "$link"
done

# So are the paths in linker scripts; `=` stands for the sysroot.
for script in usr/lib/*/libc.so usr/lib/*/libm.so usr/lib/*/libm.a; do
  [ -f "$script" ] && ! [ -L "$script" ] || continue
  # libm.a is a script for some architectures and an archive for others.
  head -c 2 "$script" | grep -q '^/\*' || continue
  sed -i -e 's|\([( ]\)/\(usr/\)\{0,1\}lib|\1=/\2lib|g' "$script"
done

# Bazel takes a file for a shared library only if it is called like one, which
# `libbenchmark.so.1debian` is not; so the name inside the file is cut short.
for library in usr/lib/*/libbenchmark.so.1.7.1; do
  [ -f "$library" ] || continue
  LC_ALL=C sed \
    -e 's/libbenchmark\.so\.1debian/libbenchmark.so.1\x00\x00\x00\x00\x00\x00/' \
    "$library" > "${library%.7.1}"
done

# The tools are started through the loader that came with them, so that they
# load nothing of the host.
[ -d usr/lib/llvm-19/bin ] && [ -f usr/bin/protoc ] || exit 0
mkdir bin
cat > bin/run <<'WRAPPER'
#!/bin/sh
# Runs the program this script is called as with the libraries beside it.
here=${0%/*}/..
name=${0##*/}
case $name in
  protoc | grpc_cpp_plugin) program=$here/usr/bin/$name ;;
  clang-format) program=$here/usr/bin/clang-format-19 ;;
  *) program=$here/usr/lib/llvm-19/bin/$name ;;
esac
exec "$here/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --argv0 "$0" \
  --library-path "$here/lib/x86_64-linux-gnu:$here/usr/lib/x86_64-linux-gnu" \
  "$program" "$@"
WRAPPER
chmod +x bin/run
for name in clang clang-format grpc_cpp_plugin ld.lld llvm-ar llvm-cov \
    llvm-dwp llvm-nm llvm-objcopy llvm-objdump llvm-readelf llvm-strip \
    llvm-symbolizer protoc; do
  cp bin/run "bin/$name"
done
rm bin/run

# The headers of the toolchain as modules, for Bazel's layering_check: every
# target may include those below the folders named here.
for machine in aarch64 armhf x86_64; do
  cat > "system_$machine.modulemap" <<MAP
module "crosstool" [system] {
  module "clang" {
    umbrella "usr/lib/llvm-19/lib/clang/19/include"
  }
  module "sysroot" {
    umbrella "../sysroot_$machine/usr/include"
  }
}
MAP
done
