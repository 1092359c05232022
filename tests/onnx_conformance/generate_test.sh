#!/bin/sh
# Tests generate.sh with a Python that is a script: its file arrives, and
# whatever goes wrong becomes a note of one line.
set -eu

script=$PWD/tests/onnx_conformance/generate.sh
cd "$TEST_TMPDIR"
fails=0

# A tree of packages whose dynamic loader is a script. It is called as
# `--library-path PATH PYTHON -sS SCRIPT FILE`.
mkdir -p tree/lib/x86_64-linux-gnu a b
touch tree/stamp
cat > tree/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 <<'LOADER'
#!/bin/sh
env > environment
[ ! -f broken ] || { echo 'Traceback'; echo 'Error: no such operator'; exit 1; }
while [ $# -gt 1 ]; do shift; done
echo cases > "$1"
LOADER
chmod +x tree/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2

# Expect NAME NOTE WHEEL...: the note matches NOTE, or there is a file and no
# note for an empty NOTE.
Expect() {
  name=$1
  wanted=$2
  shift 2
  rm -f out note
  got=0
  sh "$script" out note cases.py tree/lib "$@" > said 2>&1 || got=$?
  if [ "$got" = 0 ] && [ ! -s said ]; then
    if [ -z "$wanted" ] && [ ! -s note ] && [ "$(cat out)" = cases ]; then
      return
    fi
    if [ -n "$wanted" ] && [ "$(wc -l < note)" = 1 ] && [ ! -s out ] &&
       grep -q -e "$wanted" note; then
      return
    fi
  fi
  echo "$name: status $got, note \`$(cat note)\`, and it said:"
  cat said
  fails=$((fails + 1))
}

Expect 'two wheels' '' a b
grep -q '^PYTHONPATH=a:b$' environment || {
  echo 'the modules are others:'
  cat environment
  fails=$((fails + 1))
}
echo 'pkg 1.0 could not be fetched: no route' > note.txt
Expect 'a missing wheel' '^pkg 1.0 could not be fetched: no route$' a note.txt
touch broken
Expect 'a script that fails' '^cases.py failed: Error: no such operator$' a b

exit "$fails"
