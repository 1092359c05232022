#!/bin/sh
# Tests that commands.sh finds what does not exist, and nothing else.
set -eu

tree=$TEST_TMPDIR/tree
mkdir -p "$tree/a/b" "$tree/ci"
touch "$tree/bazelw" "$tree/ci/it.sh"
cat > "$tree/a/b/BUILD" <<'BUILD'
cc_fuzz_test(
    name = "x_fuzz_test",
)
cc_test(
    name = "on_%s_test" % machine,
)
cc_library(
    name = "b",
)
BUILD

fails=0
# Expect STATUS NAMES: stdin is the file that names them.
Expect() {
  cat > "$TEST_TMPDIR/file"
  got=0
  sh ci/checks/commands.sh "$TEST_TMPDIR/file" "$tree" > "$TEST_TMPDIR/out" ||
    got=$?
  names=$(sed -n 's/^file: there is no `\(.*\)`$/\1/p' "$TEST_TMPDIR/out" |
    tr '\n' ' ')
  if [ "$got" != "$1" ] || [ "${names% }" != "$2" ]; then
    echo "expected status $1 and \`$2\`, got $got and \`$names\` for:"
    cat "$TEST_TMPDIR/file"
    fails=$((fails + 1))
  fi
}

Expect 0 '' <<'FILE'
run ./bazelw test //... //a/... //a/b:x_fuzz_test_search //a/b:on_arm_test //a/b
run ci/it.sh -x ; `ci/it.sh` http://ci/nowhere /srv/assay/source/ci/it.sh
FILE
Expect 1 '//a/b:on_test' <<'FILE'
run ./bazelw test //a/b:on_test
FILE
Expect 1 '//a/b:b_search //c/... //c:b ci/her.sh' <<'FILE'
run ./bazelw test //c:b //c/... //a/b:b_search "ci/her.sh"
FILE
Expect 1 'ci/her.sh' <<'FILE'
ExecStart=/srv/assay/source/ci/her.sh
FILE
# A file without any name is the wrong file.
Expect 1 '' < /dev/null

exit "$fails"
