#!/bin/sh
# Tests make_model.sh with a Python that is a script: a model with the right
# SHA-256 arrives, and whatever goes wrong becomes a note of one line.
set -eu

script=$PWD/suites/model_zoo/make_model.sh
work=$TEST_TMPDIR/work
fails=0
mkdir "$work"
cd "$work"

# A tree of packages whose dynamic loader is a script. It is called as
# `--library-path PATH PYTHON -s SCRIPT ARGUMENT...`; the last argument is the
# file to write.
mkdir -p tree/lib/x86_64-linux-gnu
touch tree/stamp
cat > tree/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 <<'LOADER'
#!/bin/sh
echo "$*" > arguments
env > environment
[ ! -f broken ] || { echo 'Traceback'; echo 'Error: no such layer'; exit 1; }
while [ $# -gt 1 ]; do shift; done
echo model > "$1"
LOADER
chmod +x tree/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2

echo model > model
sha=$(sha256sum model | cut -d' ' -f1)

# Expect NAME NOTE ARGUMENT...: the note matches NOTE, or there is a model and
# no note for an empty NOTE.
Expect() {
  name=$1
  note=$2
  shift 2
  rm -f out.onnx out.note arguments environment
  got=0
  sh "$script" "$@" > said 2>&1 || got=$?
  if [ "$got" != 0 ] || [ -s said ]; then
    echo "$name: status $got, and it said:"
    cat said
    fails=$((fails + 1))
  elif [ -z "$note" ]; then
    [ ! -s out.note ] && cmp -s out.onnx model || {
      echo "$name: there is no model, but the note: $(cat out.note)"
      fails=$((fails + 1))
    }
  elif [ "$(wc -l < out.note)" != 1 ] || ! grep -q -e "$note" out.note ||
       [ -s out.onnx ]; then
    echo "$name: expected the note \`$note\` and no model, got:"
    cat out.note
    fails=$((fails + 1))
  fi
}

# Saw FILE PATTERN: Python was last called with what matches.
Saw() {
  grep -q -e "$2" "$1" || {
    echo "$1 has no \`$2\`:"
    cat "$1"
    fails=$((fails + 1))
  }
}

mkdir -p wheel/files/pkg
cp model wheel/files/pkg/net.onnx
echo other > wheel/files/pkg/other.onnx
Expect 'a model of a wheel' '' take "$sha" out pkg/net.onnx wheel/files
Expect 'another file' "its SHA-256 is [0-9a-f]*, but models.bzl says $sha" \
  take "$sha" out pkg/other.onnx wheel/files
Expect 'no such file' 'the wheel has no `pkg/absent.onnx`' \
  take "$sha" out pkg/absent.onnx wheel/files
echo 'pkg 1.0 could not be fetched: no route' > wheel/note.txt
Expect 'no wheel' '^pkg 1.0 could not be fetched: no route$' \
  take "$sha" out pkg/net.onnx wheel/note.txt

Expect 'an export' '' export "$sha" out export.py net tree/stamp tree/usr
Saw arguments ' tree/usr/bin/python3.11 -s export.py net out.onnx$'
Saw environment '^PYTHONPATH=tree/usr/lib/python3/dist-packages$'
Saw environment '^ATEN_CPU_CAPABILITY=default$'
Expect 'an export with other bytes' 'but models.bzl says 0123$' \
  export 0123 out export.py net tree/stamp

: > empty.note
mkdir -p a/files b/files
wheels=a/files:b/files
Expect 'another form' '' convert "$sha" out convert.py qdq model empty.note \
  "$wheels" tree/stamp
Saw arguments ' convert.py qdq model out.onnx$'
Saw environment '^PYTHONPATH=a/files:b/files:tree/usr/lib/python3/dist-packages$'
Expect 'another form without a wheel' '^pkg 1.0 could not be fetched' \
  convert "$sha" out convert.py qdq model empty.note \
  a/files:wheel/note.txt tree/stamp
echo 'its script failed: x' > source.note
Expect 'another form of a missing model' \
  'the model that it is made of is missing: its script failed: x' \
  convert "$sha" out convert.py qdq model source.note "$wheels" tree/stamp

touch broken
Expect 'a script that fails' '^its script failed: Error: no such layer$' \
  export "$sha" out export.py net tree/stamp

exit "$fails"
