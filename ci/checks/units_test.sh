#!/bin/sh
# Lets systemd itself check the units of the nightly run, if this machine has it;
# //ci/docs:definitions_test checks them without it.
set -eu

command -v systemd-analyze > /dev/null || {
  echo "skipped: there is no \`systemd-analyze\` on this machine"
  exit 0
}
for unit in assay-nightly.service assay-nightly.timer; do
  sed "s,/srv/assay/source,$PWD,g" "ci/docs/$unit" > "$TEST_TMPDIR/$unit"
done
# It complains about unknown keys and missing programs, but does not fail. Other
# units of this machine are none of our business.
systemd-analyze verify "$TEST_TMPDIR/assay-nightly.service" \
  "$TEST_TMPDIR/assay-nightly.timer" > "$TEST_TMPDIR/out" 2>&1 || true
if grep assay-nightly "$TEST_TMPDIR/out"; then
  exit 1
fi
