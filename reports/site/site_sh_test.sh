#!/bin/sh
# Tests the command: help, exit codes, and what is written.
set -eu

site=$1
make_store=$2
out=$TEST_TMPDIR/site
unset BUILD_WORKING_DIRECTORY

Expect() {
  want=$1
  shift
  got=0
  "$@" > "$TEST_TMPDIR/out" 2> "$TEST_TMPDIR/err" || got=$?
  if [ "$got" != "$want" ]; then
    echo "$*: expected exit code $want, got $got and:"
    cat "$TEST_TMPDIR/out" "$TEST_TMPDIR/err"
    exit 1
  fi
}

Expect 0 "$site" --help
grep -q 'Exit codes' "$TEST_TMPDIR/out"
Expect 2 "$site"
Expect 2 "$site" --store="$TEST_TMPDIR/none" --out="$out"
grep -q 'none' "$TEST_TMPDIR/err"
[ ! -e "$out" ] || { echo "a site of no store was written"; exit 1; }

Expect 0 "$make_store" --out="$TEST_TMPDIR/store" --nights=4 --cells=10
Expect 0 "$site" --store="$TEST_TMPDIR/store" --out="$out"
grep -q '^10 cells, 4 runs, ' "$TEST_TMPDIR/out"
[ ! -s "$TEST_TMPDIR/err" ]
for file in data/front.js data/nights.js data/cells/9.js data/tails/0.js \
    data/runs/3.js data/devices/host.js feed.xml summary.md index.html cell.html \
    site.js; do
  [ -s "$out/$file" ] || { echo "$file is missing"; exit 1; }
done
grep -q '^"store":"store"' "$out/data/front.js"

# A line that is no record, and a file that is no report, are skipped.
echo 'no record' >> "$(ls "$TEST_TMPDIR"/store/*.jsonl | head -n 1)"
mkdir -p "$TEST_TMPDIR/store/bisections"
echo '[]' > "$TEST_TMPDIR/store/bisections/x.json"
echo '{' > "$out/data/state.json"
Expect 0 "$site" --store="$TEST_TMPDIR/store" --out="$out"
[ "$(grep -c '^skipped: ' "$TEST_TMPDIR/err")" = 2 ]
[ "$(grep -c '^warning: ' "$TEST_TMPDIR/err")" = 1 ]

echo 'a file' > "$TEST_TMPDIR/file"
Expect 5 "$site" --store="$TEST_TMPDIR/store" --out="$TEST_TMPDIR/file"
