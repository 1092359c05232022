#!/bin/sh
# Usage: prepare.sh [PATTERN...]
#
# Must be run in a folder of unpacked packages. Deletes the files that no build
# needs and those that match a PATTERN, and makes the tree relocatable.
set -eu

# Build actions depend on the file `stamp` instead of on every file, so it must
# contain everything that determines the contents of the files.
sha256sum < "$0" >> stamp
echo "$@" >> stamp

rm -rf etc usr/share/doc usr/share/lintian usr/share/man usr/share/locale \
  usr/share/bash-completion usr/share/bug usr/share/binfmts var
for pattern in "$@"; do
  # The shell must expand the pattern, so it is not quoted.
  rm -rf $pattern
done

# Absolute symbolic links of a package refer to the root of a system. Make them
# relative: /lib/x.so becomes ../../lib/x.so.
find . -type l -lname '/*' | while read -r link; do
  up=$(dirname "${link#./}" | sed -e 's,[^/][^/]*,..,g')
  ln -sfn "$up$(readlink "$link")" "$link"
done

# Paths in linker scripts are absolute, too. `=` stands for the sysroot.
for script in usr/lib/*/libc.so usr/lib/*/libm.so usr/lib/*/libm.a; do
  [ -f "$script" ] && ! [ -L "$script" ] || continue
  # libm.a is a script for some architectures and an archive for others.
  head -c 2 "$script" | grep -q '^/\*' || continue
  sed -i -e 's|\([( ]\)/\(usr/\)\{0,1\}lib|\1=/\2lib|g' "$script"
done

# Bazel accepts a shared library only if its name matches `*.so` or `*.so.N`.
# `libbenchmark.so.1debian` does not, so shorten the name inside the file.
for library in usr/lib/*/libbenchmark.so.1.7.1; do
  [ -f "$library" ] || continue
  LC_ALL=C sed \
    -e 's/libbenchmark\.so\.1debian/libbenchmark.so.1\x00\x00\x00\x00\x00\x00/' \
    "$library" > "${library%.7.1}"
done

# Start the tools with the dynamic loader of their release, so that they load
# no library of the host.
[ -d usr/lib/llvm-19/bin ] && [ -f usr/bin/protoc ] || exit 0
mkdir bin
cat > bin/run <<'WRAPPER'
#!/bin/sh
# Runs the program after which this script is named, with its own libraries.
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

# Module maps of the toolchain's headers for Bazel's layering_check: every
# target may include the headers below the folders that they name.
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
