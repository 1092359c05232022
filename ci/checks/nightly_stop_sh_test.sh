#!/bin/sh
# Tests how the nightly run ends its steps: at their limit, when it is interrupted
# and after it was killed.
set -eu

. ci/checks/nightly_testing.sh

# The limit of a step ends all its processes, also those that ignore the request
# and have a process group of their own; so does the end of the budget.
cat > "$TEST_TMPDIR/stubborn.sh" <<'STUBBORN'
trap '' TERM
echo $$ > "$TEST_TMPDIR/stubborn"
while :; do sleep 1; done
STUBBORN
Steps <<'STEPS'
step slow
checks the limit
usual 10s
limit 1s
run set -m; sh "$TEST_TMPDIR/stubborn.sh" & wait
step later
checks something
usual 1m
limit 1h
run echo later >> "$ASKED"
STEPS
Expect 1 '' --budget_minutes=1
Says 'not run (budget; it needs 1:00)'
Expect 1 'later'
Says 'failed (stopped after 0:01, the limit of the step)'
Until Gone "$TEST_TMPDIR/stubborn"

# An interrupt ends the step, and the summary says so. The next start goes on
# with it. A killed run leaves a step, which the next start ends and repeats.
Steps <<'STEPS'
step early
checks something
usual 5m
limit 1h
run echo early >> "$ASKED"
step long
checks a step that ends if it may
usual 5m
limit 1h
run echo long >> "$ASKED"; [ ! -e "$TEST_TMPDIR/hang" ] || \
  sh "$TEST_TMPDIR/stubborn.sh"
step late
checks something
usual 5m
limit 1h
run echo late >> "$ASKED"
STEPS
# Start: the nightly run, until its step is at work.
Start() {
  : > "$TEST_TMPDIR/hang"
  : > "$asked"
  rm -f "$TEST_TMPDIR/stubborn"
  sh "$tree/ci/nightly.sh" --state="$state" > "$TEST_TMPDIR/out" 2>&1 &
  pid=$!
  Until test -s "$TEST_TMPDIR/stubborn"
  rm "$TEST_TMPDIR/hang"
}
Start
Expect 5 '' --only=late
Says 'another nightly run is at work'
kill -TERM "$pid"
got=0
wait "$pid" || got=$?
[ "$got" = 5 ] || Complain "interrupted: exit code $got"
Until Gone "$TEST_TMPDIR/stubborn"
Has "$night/summary.md" '| long | interrupted |'
Has "$night/summary.md" '| late | not run (interrupted) |'
Expect 0 'long late'

rm -rf "$state"
Start
kill -KILL "$pid"
wait "$pid" 2> /dev/null || true
Expect 0 'long late'
Until Gone "$TEST_TMPDIR/stubborn"

exit "$fails"
