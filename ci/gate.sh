#!/bin/sh
# Judges a change: builds two commits, each in a worktree of its own, and
# measures what the new compiler makes side by side with what the old one made.
# See Usage.
set -eu

Usage() {
  cat <<'END'
Builds two commits hermetically, compiles every model with both, and measures
side by side what came out differently.

Usage: ./bazelw run //ci:gate -- --base=REV [OPTIONS] [FLAGS OF THE SUITE]

  --base=REV     what to compare with: any name of a commit
  --head=REV     what to judge; default HEAD. What is not committed is not seen
  --suite=NAME   a target of suites/; default full
  --out=FOLDER   for the reports; default a new folder in /tmp

Other flags go to the suite, such as --device, --threads, --budget, --margin
(`./bazelw run //suites:full -- --help`). Models whose artifacts are the same,
bit by bit, are not measured again, unless the runtime changed: then those of
each commit are run by its own, in two programs that take turns.

Reports: FOLDER/head/results.json, .csv, .xml (JUnit) and summary.md; for what
regressed, FOLDER/head/attribution/ has the kernel of both in stages. FOLDER/base
has the same of the old commit.

Exit codes: 0 pass; 1 regression; 2 usage; 3 nothing conclusive; 4 wrong result;
5 a commit could not be built, or the machine failed.
END
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

base=
head=HEAD
suite=full
out=
for argument do
  shift
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --base=*) base=${argument#*=} ;;
    --head=*) head=${argument#*=} ;;
    --suite=*) suite=${argument#*=} ;;
    --out=*) out=${argument#*=} ;;
    --against=* | --against_runtime=* | --keep_artifacts | --dump_dir=* | \
    --bless | --bless=*)
      Fail 2 "\`$argument\` is for the gate to say, not for its user" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
[ -n "$base" ] || Fail 2 "\`--base\` is missing; see \`--help\`"
workspace=${BUILD_WORKSPACE_DIRECTORY:-}
[ -n "$workspace" ] || Fail 2 "start this with \`./bazelw run //ci:gate\`"
cd "${BUILD_WORKING_DIRECTORY:-$workspace}"
if [ -n "$out" ]; then
  mkdir -p "$out" || Fail 2 "cannot make the folder \`$out\`"
else
  out=$(mktemp -d /tmp/assay_gate.XXXXXX)
fi
out=$(cd "$out" && pwd)

# Prints the commit that a name stands for.
CommitOf() {
  git -C "$workspace" rev-parse --verify --quiet --end-of-options "$1^{commit}" ||
    Fail 2 "\`$1\` is no commit of this repository"
}
base_commit=$(CommitOf "$base")
head_commit=$(CommitOf "$head")

# The same two folders every time, so that Bazel builds only what changed.
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
trees=$cache/gate/$(printf %s "$workspace" | cksum | cut -d ' ' -f 1)
mkdir -p "$trees"
exec 9> "$trees/lock"
flock 9

# CheckOut FOLDER COMMIT
CheckOut() {
  if [ -e "$trees/$1/.git" ]; then
    git -C "$trees/$1" checkout --quiet --detach --force "$2" &&
      git -C "$trees/$1" clean -fdxq && return
    rm -rf "${trees:?}/$1"
  fi
  git -C "$workspace" worktree prune &&
    git -C "$workspace" worktree add --quiet --detach --force \
      "$trees/$1" "$2" ||
    Fail 5 "cannot check out $2"
}

# SuiteOf FOLDER: the target of the suite in that commit. The suite `full` was
# once called `all`.
SuiteOf() {
  if [ "$suite" = full ] && [ -e "$trees/$1/suites/all.cc" ]; then
    echo all
  else
    echo "$suite"
  fi
}

# Build FOLDER COMMIT
Build() {
  CheckOut "$1" "$2"
  echo "=== $1: $2"
  (cd "$trees/$1" && ./bazelw build "//suites:$(SuiteOf "$1")" \
    //runtime/tools:bench_artifact) 9>&- || Fail 5 "commit $2 does not build"
  mkdir -p "$out/$1"
  cp -f "$trees/$1/bazel-bin/runtime/tools/bench_artifact" "$out/$1/"
}

# RunSuite FOLDER FLAGS...: the exit code is the suite's.
RunSuite() {
  folder=$1
  shift
  (cd "$trees/$folder" && ./bazelw run "//suites:$(SuiteOf "$folder")" -- \
    --out="$out/$folder" --dump_dir="$out/$folder/dump" --keep_artifacts \
    --repeat=6 "$@") 9>&-
}

# Whether the runtimes are to be compared, too.
RuntimeChanged() {
  cmp -s "$out/base/bench_artifact" "$out/head/bench_artifact" && return 1
  "$out/base/bench_artifact" --help | grep -q -e --steps && return
  echo "the runtime changed, but that of $base_commit cannot be measured in" \
    "steps: only what the compilers make is compared" >&2
  return 1
}

Build base "$base_commit"
Build head "$head_commit"

# The base's own verdicts are nobody's business: it is here for its artifacts.
code=0
RunSuite base "$@" || code=$?
case $code in
  0 | 1 | 3) ;;
  2) Fail 2 "commit $base_commit does not take these flags, or not this suite" ;;
  4) Fail 3 "commit $base_commit gives wrong answers: nothing to compare with" ;;
  *) Fail 5 "the suite of commit $base_commit failed" ;;
esac
if RuntimeChanged; then
  set -- --against_runtime="$out/base/bench_artifact" "$@"
fi
code=0
RunSuite head --against="$out/base" "$@" || code=$?
echo
echo "reports: $out/head"
exit "$code"
