#!/bin/sh
# Tests which steps the nightly run starts with a budget, in which order, and how
# long its fuzzers search.
set -eu

. ci/checks/nightly_testing.sh

# Steps run that are expected to fit, and the fuzzers share the rest. Steps that
# were left out come first in the next night, which is another commit here.
Steps <<'STEPS'
step a
checks a
usual 20m
limit 1h
run echo a >> "$ASKED"
step b
checks b
usual 30m
limit 1h
run echo b >> "$ASKED"
step c
checks c
usual 50m
limit 2h
run echo c >> "$ASKED"
step huge
checks too much
usual 10h
limit 20h
run echo huge >> "$ASKED"
step first_search
checks a search
search 1h
limit 1h
run echo "first_search:$(((SEARCH_SECONDS + 59) / 60))" >> "$ASKED"
step second_search
checks a search
search 30m
limit 1h
run echo "second_search:$(((SEARCH_SECONDS + 59) / 60))" >> "$ASKED"
step d
checks d
usual 20m
limit 1h
run echo d >> "$ASKED"
STEPS
# Nothing takes any time, so less is left out than expected: 42 minutes for `c`
# are not enough. Both searches need four minutes more, and `d` needs 20.
Expect 0 'a b first_search:9 second_search:18 d' --budget_minutes=42
Says 'not run (budget; it needs 10:00:00, more than all of it)'
Has "$night/junit.xml" \
  '<skipped message="budget; it needs 50:00, more than all of it"/>'
# The same night with more time goes on with what is missing.
Expect 0 'c' --budget_minutes=60
git -C "$tree" commit -q --allow-empty -m next
Expect 0 'a b c first_search:60 second_search:30 d' --budget_minutes=600 \
  --only=a,b,c,first_search,second_search,d
git -C "$tree" commit -q --allow-empty -m next
Expect 0 'huge a b c first_search:60 second_search:30 d'
# The least that a fuzzer gets, and a budget for nothing.
rm -rf "$state"
Expect 0 'first_search:5 d' --budget_minutes=25 --only=first_search,d
rm -rf "$state"
Expect 2 '' --budget_minutes=10 --only=c
# The next night begins with what has waited, and the last times are expected.
Expect 0 'a b' --budget_minutes=31 --only=a,b
git -C "$tree" commit -q --allow-empty -m next
Expect 0 'c first_search:51 a b' --budget_minutes=55 --only=a,b,c,first_search

exit "$fails"
