#!/bin/sh
# Tests the nightly run with steps that take no time: which steps it repeats, its
# summary and its exit codes.
set -eu

. ci/checks/nightly_testing.sh

# A step that passed is not repeated in the night of a commit; one that failed is.
Steps <<'STEPS'
step good
checks something
usual 5m
limit 1h
run echo good >> "$ASKED"

step bad
checks something else
usual 5m
limit 1h
run echo bad >> "$ASKED"; \
  echo '<b>&"quoted" | ]]>'; printf '\033[31m\377\n'; exit 3
step measure
checks times
usual 1h
limit 1h
needs store
passes 3
run echo "$STORE" "$PAGE" >> "$ASKED"; exit 3
STEPS
Expect 1 'good bad'
Says '1 of 2 steps passed, 1 failed'
Expect 1 'bad'
Expect 1 'good bad' --again
Expect 0 'good' --again --only=good
Expect 1 "/s /s/page.html bad" --store=/s
Says 'passed (exit code 3)'
Expect 2 '' --only=good,worse
Says '`--only`: there is no step `worse`'
Expect 2 '' --only=measure
Expect 2 '' --only=,
Expect 2 '' --budget_minutes=1h
Expect 2 '' --budget_minutes=0
Expect 2 '' --frobnicate
Expect 0 '' --list
Says 'something else'
Says 'failed, 20'
Expect 0 '' --help

# Both summaries, with an untrusted log in them.
Nightly
Has "$night/summary.md" '<!-- assay-nightly -->'
Has "$night/summary.md" '| good | passed |'
Has "$night/summary.md" '| bad | **failed (exit code 3)** |'
Has "$night/summary.md" '&lt;b&gt;&amp;&quot;quoted&quot; | ]]&gt;'
Has "$night/junit.xml" \
  '<testsuite name="nightly" tests="2" failures="1" errors="0" skipped="0"'
Has "$night/junit.xml" '<failure message="exit code 3">&lt;b&gt;&amp;'
# Tags are closed in the opposite order, and there is no other `<`, `&` or
# control character.
LC_ALL=C awk '
  { text = text $0 "\n" }
  END {
    sub(/^<[?]xml[^?]*[?]>\n/, "", text)
    if (text ~ /[\001-\010\013-\037\377]/) exit 1
    while (match(text, /<[^<>]*>/)) {
      between = substr(text, 1, RSTART - 1)
      gsub(/&(amp|lt|gt|quot);/, "", between)
      if (between ~ /[<>&]/) exit 1
      tag = substr(text, RSTART + 1, RLENGTH - 2)
      text = substr(text, RSTART + RLENGTH)
      if (tag ~ /^\//) {
        if (depth == 0 || substr(tag, 2) != open[depth--]) exit 1
      } else if (tag !~ /\/$/) {
        split(tag, words, " ")
        open[++depth] = words[1]
      }
      tags++
    }
    exit !(depth == 0 && tags == 8)
  }' "$night/junit.xml" || { cat "$night/junit.xml"; Complain "no valid XML"; }

# The machine: exit code 5, no network, no disk.
Steps <<'STEPS'
step no_device
checks something
usual 5m
limit 1h
run echo "no device"; exit 5
step no_network
checks something
usual 5m
limit 1h
run echo 'debian packages: `x` 1 for amd64: no mirror could be reached ()'; exit 1
step fine
checks something
usual 5m
limit 1h
run echo fine >> "$ASKED"
STEPS
Expect 5 'fine'
Says 'machine (`x` 1 for amd64: no mirror could be reached ())'
Has "$night/junit.xml" '<error message="exit code 5: the machine failed">no device'
cat > "$TEST_TMPDIR/bin/df" <<'DF'
echo Filesystem 1048576-blocks Used Available Capacity Mounted on
echo /dev/x 1000 990 10 99% /
DF
chmod +x "$TEST_TMPDIR/bin/df"
PATH=$TEST_TMPDIR/bin:$PATH Expect 5 '' --again
Says 'machine (less than 1 GB of disk is free)'

# A table with an error.
Steps <<'STEPS'
step a
checks something
usual 5 minutes
limit 1h
run true
STEPS
Expect 2 '' --list
Says 'ci/night/steps: line 3: `5 minutes` is not a time'

exit "$fails"
