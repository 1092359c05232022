#!/bin/sh
# Usage: emulate_<machine> [-cpu NAME] PROGRAM [ARGUMENT...]
#
# Runs a program built for another machine, under qemu and with the C library of
# that machine, both from the lock. Finds them in the runfiles that contain this
# script, so that it works as data of any program or test.
#
# NAME is a processor known to qemu. The default is a Cortex-A53 for aarch64, the
# core of a Raspberry Pi 3, and a Cortex-A7 for armhf: instructions that these
# lack fail here, too.
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
