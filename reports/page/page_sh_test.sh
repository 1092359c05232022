#!/bin/sh
# Tests the output, the messages and the exit codes of the program.
set -eu

page=$PWD/reports/page/page
results=$PWD/reports/render/testdata/results.json
cd "$TEST_TMPDIR"
fails=0

# Expect STATUS PATTERN ARGUMENT...: checks exit code and output.
Expect() {
  want=$1
  pattern=$2
  shift 2
  got=0
  "$page" "$@" > output 2>&1 || got=$?
  [ "$got" = "$want" ] && grep -q -e "$pattern" output || {
    echo "$*: expected status $want and \`$pattern\`, got $got and:"
    cat output
    fails=$((fails + 1))
  }
}

Expect 0 'Exit codes: 0 success; 2 usage' --help
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
# The order of the arguments does not matter.
"$page" --out=a.html next.json "$results"
"$page" --out=b.html "$results" next.json
cmp a.html b.html || fails=$((fails + 1))
grep -q '^<p class="lead"><time datetime="2024-05-02T12:00:00Z">' a.html ||
  { echo 'the newest run is not on top'; fails=$((fails + 1)); }

# Results of Google Benchmark.
cat > benchmark.json <<'END'
{"context": {"date": "2024-05-03T12:00:00Z", "executable": "sort"},
 "benchmarks": [{"name": "BM_Sort/1024", "run_type": "iteration",
                 "real_time": 2500, "time_unit": "ns"}]}
END
"$page" --out=c.html benchmark.json
grep -q 'BM_Sort/1024' c.html ||
  { echo 'a file of Google Benchmark is not read'; fails=$((fails + 1)); }

exit "$fails"
