#!/bin/sh
# Tests what bare_chroot.sh refuses. The rest needs root and a mirror:
# ci/docs/nightly.md has the command.
set -eu

tree=$TEST_TMPDIR/tree
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
mkdir -p "$tree/ci/checks" "$TEST_TMPDIR/precious/data"
cp ci/checks/bare_chroot.sh "$tree/ci/checks"
git -C "$tree" init -q
git -C "$tree" -c user.name=a -c user.email=a@b commit -q --allow-empty -m a

fails=0
# Expect STATUS TEXT ARGUMENT...
Expect() {
  want=$1
  text=$2
  shift 2
  got=0
  sh "$tree/ci/checks/bare_chroot.sh" "$@" > "$TEST_TMPDIR/out" 2>&1 || got=$?
  if [ "$got" != "$want" ] || ! grep -q -F -e "$text" "$TEST_TMPDIR/out"; then
    echo "$*: expected status $want and \`$text\`, got $got and:"
    cat "$TEST_TMPDIR/out"
    fails=$((fails + 1))
  fi
}

Expect 0 'Usage: ' --help
Expect 2 'there is no command after `--`'
Expect 2 'there is no command after `--`' --keep --
Expect 2 'what is `--frob`?' --frob -- true
Expect 2 'there is no commit `v9`' --commit=v9 -- true
# A folder that somebody else made is neither used nor deleted.
Expect 2 'exists, and this script did not make it' \
  --folder="$TEST_TMPDIR/precious" -- true
Expect 2 'exists, and this script did not make it' \
  --folder="$TEST_TMPDIR/out" -- true
[ -d "$TEST_TMPDIR/precious/data" ] || {
  echo "a folder was deleted"
  fails=$((fails + 1))
}

exit "$fails"
