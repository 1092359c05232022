# The tests of the nightly run share a tree with its scripts and another
# table of steps, which note in `asked` that they have run.

tree=$TEST_TMPDIR/tree
state=$TEST_TMPDIR/state
asked=$TEST_TMPDIR/asked
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@b
export ASSAY_NIGHTLY_GRACE=0 ASKED="$asked" TEST_TMPDIR
mkdir -p "$tree/ci" "$TEST_TMPDIR/bin"
cp ci/nightly.sh "$tree/ci"
cp -RL ci/night "$tree/ci"
git -C "$tree" init -q

fails=0
Complain() {
  echo "$*"
  echo "--- output:"
  cat "$TEST_TMPDIR/out"
  fails=$((fails + 1))
}

# Steps: stdin is the table, as a new commit, and the state is empty.
Steps() {
  cat > "$tree/ci/night/steps"
  git -C "$tree" add -A
  git -C "$tree" commit -q --allow-empty -m steps
  night=$state/nights/$(git -C "$tree" rev-parse HEAD)
  rm -rf "$state"
}

# Nightly ARGUMENT...: sets `got` to its exit code.
Nightly() {
  : > "$asked"
  got=0
  sh "$tree/ci/nightly.sh" --state="$state" "$@" > "$TEST_TMPDIR/out" 2>&1 ||
    got=$?
}

# Expect STATUS ASKED ARGUMENT...: the exit code, and what the steps have noted.
Expect() {
  want=$1
  want_asked=$2
  shift 2
  Nightly "$@"
  was=$(tr '\n' ' ' < "$asked")
  [ "$got" = "$want" ] && [ "${was% }" = "$want_asked" ] ||
    Complain "$*: expected status $want and \`$want_asked\`, got $got and \`$was\`"
}

# Says TEXT: the last output has this text.
Says() { grep -q -F -e "$1" "$TEST_TMPDIR/out" || Complain "no \`$1\`"; }

# Has FILE TEXT
Has() {
  grep -q -F -e "$2" "$1" || {
    cat "$1"
    Complain "no \`$2\` in $1"
  }
}

# Until COMMAND: waits until it succeeds, for half a minute at most.
Until() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || { Complain "never: $*"; return; }
    sleep 0.1
  done
}

Gone() { ! kill -0 "$(cat "$1")" 2> /dev/null; }
