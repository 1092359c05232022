#!/bin/sh
# Tests the program: what it writes, what it says, its exit codes.
set -eu

page=$PWD/reports/page/page
results=$PWD/reports/render/testdata/results.json
cd "$TEST_TMPDIR"
fails=0

# Expect STATUS PATTERN ARGUMENT...: the exit code, and what is said.
Expect() {
  want=$1
  pattern=$2
  shift 2
  got=0
  "$page" "$@" > said 2>&1 || got=$?
  [ "$got" = "$want" ] && grep -q -e "$pattern" said || {
    echo "$*: expected status $want and \`$pattern\`, got $got and:"
    cat said
    fails=$((fails + 1))
  }
}

Expect 0 'Exit codes: 0 written; 2 usage' --help
Expect 2 'out is required' "$results"
Expect 2 'no results were given' --out=page.html
Expect 2 'cannot open `missing.json`\|missing.json' --out=page.html missing.json
echo '{}' > empty.json
Expect 2 '`empty.json`: ' --out=page.html empty.json
Expect 2 'missing' --out=page.html --store=missing
mkdir store
"$page" --out=page.html --store=store
grep -q 'There is no run yet' page.html ||
  { echo 'an empty store does not give an empty page'; fails=1; }
Expect 5 'missing/page.html' --out=missing/page.html "$results"

sed -e 's/"2024-05-01T12:00:00Z"/"2024-05-02T12:00:00Z"/' "$results" > next.json
# Oldest first, in whichever order they are given.
"$page" --out=a.html next.json "$results"
"$page" --out=b.html "$results" next.json
cmp a.html b.html || fails=$((fails + 1))
grep -q '^<p class="lead"><time datetime="2024-05-02T12:00:00Z">' a.html ||
  { echo 'the newest run is not on top'; fails=$((fails + 1)); }

# What another program measured.
cat > benchmark.json <<'END'
{"context": {"date": "2024-05-03T12:00:00Z", "executable": "sort"},
 "benchmarks": [{"name": "BM_Sort/1024", "run_type": "iteration",
                 "real_time": 2500, "time_unit": "ns"}]}
END
"$page" --out=c.html benchmark.json
grep -q 'BM_Sort/1024' c.html ||
  { echo 'a file of Google Benchmark is not read'; fails=$((fails + 1)); }

exit "$fails"
