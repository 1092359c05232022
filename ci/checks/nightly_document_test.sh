#!/bin/sh
# Tests that the table of steps in ci/docs/nightly.md is that of ci/night/steps,
# and the flags are those of `ci/nightly.sh --help`.
set -eu

awk -f ci/night/steps.awk ci/night/steps | awk -F '\t' '{
  print "| `" $1 "` | " $2 / 60 ($3 == "search" ? ", search" : "") " | " $7 " |"
}' > "$TEST_TMPDIR/want"
sed -n '/^| Step | /,/^$/p' ci/docs/nightly.md | sed '1,2d;/^$/d' \
  > "$TEST_TMPDIR/got"
diff "$TEST_TMPDIR/got" "$TEST_TMPDIR/want" || {
  echo "the table of ci/docs/nightly.md is to be:"
  cat "$TEST_TMPDIR/want"
  exit 1
}

sh ci/nightly.sh --help | grep -oE '^  --[a-z_]+' | sort -u |
  while read -r flag; do
    grep -q -F -e "$flag" ci/docs/nightly.md || {
      echo "ci/docs/nightly.md does not have \`$flag\`"
      exit 1
    }
  done
