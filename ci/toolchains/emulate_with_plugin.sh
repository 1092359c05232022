#!/bin/sh
# Usage: emulate_with_plugin MACHINE FOLDER [OPTION...] PROGRAM [ARGUMENT...]
#
# Runs a fully static program of MACHINE (aarch64, armhf or x86_64) in FOLDER,
# under the qemu of the lock that loads plug-ins: `-plugin FILE` is an option of
# qemu. qemu is started with the dynamic loader of its own release, so that it
# loads no library of the host. It is found in the runfiles that contain this
# script.
#
# The environment of the program is empty, and files in FOLDER can be named by
# relative paths. Two runs with the same arguments therefore have the same memory
# contents, whoever starts them and wherever FOLDER is.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
machine=$1
folder=$2
case $machine in
  aarch64 | x86_64) qemu=qemu-$machine ;;
  armhf) qemu=qemu-arm ;;
  *) echo "$0: \`$machine\` is not the name of a machine" >&2; exit 2 ;;
esac
shift 2
for root in "$here/../../.." "$here/${0##*/}.runfiles"; do
  unpacked=$root/debian_qemu_plugins
  [ -x "$unpacked/usr/bin/$qemu" ] && break
done
[ -x "$unpacked/usr/bin/$qemu" ] || {
  echo "$0: \`$qemu\` is not beside it" >&2
  exit 2
}
cd "$folder" || exit 2
libraries=lib/x86_64-linux-gnu
exec env -i "$unpacked/$libraries/ld-linux-x86-64.so.2" --library-path \
  "$unpacked/$libraries:$unpacked/usr/$libraries" \
  "$unpacked/usr/bin/$qemu" "$@"
