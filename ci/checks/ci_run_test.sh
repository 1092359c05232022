#!/bin/sh
# Tests the count that .ci/run ends with, and its exit status, with a `bazelw`
# that only prints what Bazel would.
set -eu

tree=$TEST_TMPDIR/tree
mkdir -p "$tree/.ci"
cp .ci/run "$tree/.ci/run"
cat > "$tree/bazelw" <<'BAZELW'
#!/bin/sh
cat "$(dirname "$0")/output"
exit "$(cat "$(dirname "$0")/status")"
BAZELW
chmod +x "$tree/bazelw"

fails=0
# Expect STATUS LAST BAZEL_STATUS: stdin is what Bazel prints.
Expect() {
  cat > "$tree/output"
  echo "$3" > "$tree/status"
  got=0
  sh "$tree/.ci/run" > "$TEST_TMPDIR/out" 2>&1 || got=$?
  last=$(tail -n 1 "$TEST_TMPDIR/out")
  if [ "$got" != "$1" ] || [ "$last" != "$2" ]; then
    echo "expected status $1 and \`$2\`, got $got and \`$last\` for:"
    cat "$tree/output"
    fails=$((fails + 1))
  fi
}

Expect 0 '2 passed, 0 failed' 0 <<'OUTPUT'
INFO: Build completed successfully, 3 total actions
//a:b_test                                     (cached) PASSED in 0.4s
//a:c_test                                              PASSED in 10.2s

Executed 1 out of 2 tests: 2 tests pass.
OUTPUT

Expect 1 '1 passed, 4 failed' 3 <<'OUTPUT'
//a:a_test                                              PASSED in 0.4s
//a:b_test                                              FAILED in 0.4s
  /root/.cache/testlogs/a/b_test/test.log
//a:c_test                                              TIMEOUT in 60.1s
//a:d_test                                              NO STATUS
//a:e_test                                              FAILED TO BUILD
OUTPUT

# Nothing ran, for whatever reason: never a success.
Expect 1 '0 passed, 1 failed' 1 <<'OUTPUT'
ERROR: no such package
OUTPUT
Expect 1 '0 passed, 1 failed' 0 <<'OUTPUT'
INFO: nothing to do
OUTPUT

exit "$fails"
