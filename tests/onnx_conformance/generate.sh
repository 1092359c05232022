#!/bin/sh
# Usage: generate.sh OUT NOTE SCRIPT TREE WHEEL...
#
# Runs SCRIPT, a program of generate/ that writes the file OUT, with the Python
# of TREE and the packages of the wheels. Writes NOTE: it is empty, or it says
# in one sentence why SCRIPT could not run, and OUT is empty then.
#
# WHEEL is the folder of an unpacked wheel. If it could not be downloaded, WHEEL
# is a file `note.txt` with the reason.
# TREE is a file in the root of the unpacked packages of Python.
set -eu

out=$1
note=$2
script=$3
root=$(dirname "$4")
shift 4

# Ends with a note instead of the file.
Note() {
  echo "$*" > "$note"
  : > "$out"
  exit 0
}

modules=
for wheel do
  [ -d "$wheel" ] || Note "$(cat "$wheel")"
  modules=$modules${modules:+:}$wheel
done

# Nothing of this machine is used, and only instructions that every processor of
# the architecture has, so that all machines write the same cases. Without its
# module `site`, Python finds only the packages of the wheels.
libraries=$root/usr/lib/x86_64-linux-gnu
env -i PATH=/usr/bin:/bin TMPDIR="${TMPDIR:-/tmp}" \
  GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F \
  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Core2 \
  PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 PYTHONHOME="$root/usr" \
  PYTHONPATH="$modules" \
  "$root/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path \
  "$root/lib/x86_64-linux-gnu:$libraries:$root/usr/lib" \
  "$root/usr/bin/python3.11" -sS "$script" "$out" > "$out.log" 2>&1 ||
  Note "$script failed: $(grep -v '^ *$' "$out.log" | tail -n 1)"
rm -f "$out.log"
: > "$note"
