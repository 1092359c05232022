#!/bin/sh
# Usage: emulate_<machine> [-cpu NAME] PROGRAM [ARGUMENT...]
#
# Runs a program that was built for another machine, under qemu from the lock
# and with that machine's C library from the lock. It finds both among the
# runfiles it is in, so it works as data of any program or test.
#
# NAME is a processor that qemu knows. Unless one is given, aarch64 is a
# Cortex-A53, the core of a Raspberry Pi 3; what it cannot run shall fail here
# too.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
case $0 in
  *_aarch64) machine=aarch64 qemu=qemu-aarch64-static cpu=cortex-a53 ;;
  *_armhf) machine=armhf qemu=qemu-arm-static cpu=cortex-a7 ;;
  *) echo "$0: not the name of a machine" >&2 && exit 2 ;;
esac
if [ "$1" = -cpu ]; then
  cpu=$2
  shift 2
fi
for root in "$here/../../.." "$0.runfiles"; do
  program=$root/debian_qemu/usr/bin/$qemu
  [ -x "$program" ] && break
done
[ -x "$program" ] || { echo "$0: \`$qemu\` is not beside it" >&2; exit 2; }
exec "$program" -cpu "$cpu" -L "$root/sysroot_$machine" "$@"
