#!/bin/sh
# Usage: make_model.sh take SHA256 OUT MEMBER WHEEL
#        make_model.sh export SHA256 OUT SCRIPT NAME TREE...
#        make_model.sh convert SHA256 OUT SCRIPT FORM MODEL.onnx MODEL.note \
#          WHEEL:... TREE...
#
# Makes a model of the zoo: writes OUT.onnx and OUT.note. The note is empty, or
# it says in one sentence why there is no model, and OUT.onnx is empty then: a
# model that cannot be made must not break the build of the others.
#
#   take     takes the file MEMBER of a wheel.
#   export   runs SCRIPT (export/export_model.py) with the Python in TREE.
#   convert  runs SCRIPT (export/convert_model.py) on another model.
#
# WHEEL is the folder of an unpacked wheel. If it could not be downloaded, WHEEL
# is a file `note.txt` with the reason.
# TREE are files and folders in the root of the unpacked packages of PyTorch.
set -eu

command=$1
sha=$2
out=$3
shift 3

# Ends with a note instead of a model.
Note() {
  echo "$*" > "$out.note"
  : > "$out.onnx"
  exit 0
}

# Runs Python with ARGUMENTS and with the modules in PYTHONPATH. Its libraries
# are those of TREE, and none of the machine. Results must not depend on the
# processor: only instructions that every processor of the architecture has are
# used, and one thread.
Python() {
  libraries=$root/usr/lib/x86_64-linux-gnu
  env -i PATH=/usr/bin:/bin TMPDIR="${TMPDIR:-/tmp}" \
    ATEN_CPU_CAPABILITY=default \
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F \
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 PYTHONHOME="$root/usr" \
    PYTHONPATH="$modules$root/usr/lib/python3/dist-packages" \
    "$root/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path \
    "$root/lib/x86_64-linux-gnu:$libraries:$libraries/blas:$libraries/lapack:$libraries/pulseaudio:$root/usr/lib" \
    "$root/usr/bin/python3.11" -s "$@" > "$out.log" 2>&1 ||
    Note "its script failed: $(grep -v '^ *$' "$out.log" | tail -n 1)"
  rm -f "$out.log"
}

case $command in
  take)
    member=$1
    wheel=$2
    [ -d "$wheel" ] || Note "$(cat "$wheel")"
    [ -f "$wheel/$member" ] || Note "the wheel has no \`$member\`"
    cp "$wheel/$member" "$out.onnx"
    chmod u+w "$out.onnx"
    ;;
  export)
    script=$1
    name=$2
    root=$(dirname "$3")
    modules=
    Python "$script" "$name" "$out.onnx"
    ;;
  convert)
    script=$1
    form=$2
    model=$3
    note=$4
    wheels=$5
    root=$(dirname "$6")
    [ ! -s "$note" ] || Note "the model that it is made of is missing:" \
      "$(cat "$note")"
    modules=
    while [ -n "$wheels" ]; do
      wheel=${wheels%%:*}
      wheels=${wheels#"$wheel"}
      wheels=${wheels#:}
      [ -d "$wheel" ] || Note "$(cat "$wheel")"
      modules=$modules$wheel:
    done
    Python "$script" "$form" "$model" "$out.onnx"
    ;;
  *)
    echo "make_model.sh: unknown command \`$command\`" >&2
    exit 2
    ;;
esac

got=$(sha256sum "$out.onnx" | cut -d' ' -f1)
[ "$got" = "$sha" ] || Note "its SHA-256 is $got, but models.bzl says $sha"
: > "$out.note"
