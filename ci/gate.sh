#!/bin/sh
# Judges a change: builds two commits, each in a worktree of its own, and
# measures the programs that both compilers make side by side. See Usage.
set -eu

Usage() {
  cat <<'END'
Builds two commits hermetically, compiles every model with both, and measures
the resulting programs side by side. The old commit's harness judges: margins,
checks and exit codes of the new commit have no effect.

Usage: ./bazelw run //ci:gate -- --base=REV [OPTIONS] [FLAGS OF THE SUITE]

  --base=REV     what to compare with: any name of a commit
  --head=REV     what to judge; default HEAD. What is not committed is not seen
  --release=REV  compare with this commit, too, so that a small loss per commit
                 does not add up; may be given several times
  --judge=base   whose harness judges: base (default) or head, for a base that
                 cannot judge artifacts
  --suite=NAME   a target of suites/; default full
  --out=FOLDER   for the reports; default a new folder in /tmp
  --ledger=FOLDER  a store that records the code of both commits, in which a
                 bisection looks it up (`./bazelw run //ci:bisect -- --help`)

Other flags go to the suite, such as --device, --threads, --budget, --margin
(`./bazelw run //suites:full -- --help`). Models whose artifacts are the same,
bit by bit, are not measured again, unless the runtime changed: then those of
each commit are run by its own, in two programs that take turns.

Tuned rows are compared if both commits have logs of the tuner for the device
in devices/tuning, unless --tuning says otherwise.

A cell that the head lacks fails. A cell that only the head has is checked for
its answers and listed as no_base.

Reports: FOLDER/verdict/results.json, .csv, .xml (JUnit) and summary.md; for
what regressed, FOLDER/verdict/attribution/ has the kernel of both in stages.
FOLDER/base and FOLDER/head have the results of each commit on its own.

Exit codes: 0 pass; 1 regression, or a missing cell; 2 usage; 3 nothing
conclusive; 4 wrong result; 5 a commit could not be built, or the machine
failed.
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
releases=
judge=base
suite=full
out=
ledger=
tuning=auto
for argument do
  shift
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --base=*) base=${argument#*=} ;;
    --head=*) head=${argument#*=} ;;
    --release=*) releases="$releases ${argument#*=}" ;;
    --judge=base | --judge=head) judge=${argument#*=} ;;
    --judge*) Fail 2 "\`$argument\` is neither --judge=base nor --judge=head" ;;
    --suite=*) suite=${argument#*=} ;;
    --out=*) out=${argument#*=} ;;
    --ledger=*) ledger=${argument#*=} ;;
    --against | --against=* | --against_runtime | --against_runtime=* | \
    --artifacts | --artifacts=* | --artifacts_runtime | \
    --artifacts_runtime=* | --keep_artifacts | --dump_dir | --dump_dir=* | \
    --bless | --bless=*)
      Fail 2 "the gate sets \`${argument%%=*}\` itself" ;;
    --base | --head | --release | --suite | --out | --ledger)
      Fail 2 "write \`$argument=VALUE\`" ;;
    --tuning | --tuning=*)
      tuning=
      set -- "$@" "$argument" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
[ -n "$base" ] || Fail 2 "\`--base\` is missing; see \`--help\`"
workspace=${BUILD_WORKSPACE_DIRECTORY:-}
[ -n "$workspace" ] || Fail 2 "start this with \`./bazelw run //ci:gate\`"
cd "${BUILD_WORKING_DIRECTORY:-$workspace}"

# Prints the commit that a name stands for.
CommitOf() {
  git -C "$workspace" rev-parse --verify --quiet --end-of-options \
    "$1^{commit}" ||
    Fail 2 "\`$1\` is no commit of this repository"
}
base_commit=$(CommitOf "$base")
head_commit=$(CommitOf "$head")
release_commits=
for release in $releases; do
  commit=$(CommitOf "$release")
  release_commits="$release_commits $commit"
done

if [ -n "$out" ]; then
  mkdir -p "$out" || Fail 2 "cannot make the folder \`$out\`"
else
  out=$(mktemp -d /tmp/assay_gate.XXXXXX)
fi
out=$(cd "$out" && pwd)
case $ledger in
  '' | /*) ;;
  *) ledger=$PWD/$ledger ;;
esac

# Two measurements on one machine disturb each other, whoever started them. The
# lock belongs to all users, so the file is only read.
measuring=${ASSAY_MEASURING_LOCK:-/tmp/assay_measuring.lock}
[ -e "$measuring" ] || (umask 0 && : > "$measuring") 2> /dev/null || true
exec 8< "$measuring" || Fail 5 "cannot open the lock \`$measuring\`"
flock -n 8 || {
  echo "waiting for another measurement on this machine (\`$measuring\`)" >&2
  flock 8
}

# The same folders every time, so that Bazel builds only what changed.
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
    //runtime/tools:bench_artifact) 8>&- 9>&- ||
    Fail 5 "commit $2 does not build"
  mkdir -p "$out/$1"
  cp -f "$trees/$1/bazel-bin/runtime/tools/bench_artifact" "$out/$1/"
}

# Knows FOLDER FLAG: the suite of that commit has the flag.
Knows() {
  (cd "$trees/$1" && ./bazelw run "//suites:$(SuiteOf "$1")" -- --help) \
    8>&- 9>&- 2> /dev/null | grep -q -e "$2 "
}

# RunSuite TREE RESULTS FLAGS...: the exit code is the suite's.
RunSuite() {
  tree=$1
  results=$2
  shift 2
  (cd "$trees/$tree" && ./bazelw run "//suites:$(SuiteOf "$tree")" -- \
    --out="$out/$results" --repeat=6 "$@") 8>&- 9>&-
}

# Compile FOLDER COMMIT FLAGS...: the artifacts of a commit, checked by its own
# harness.
Compile() {
  folder=$1
  commit=$2
  shift 2
  Build "$folder" "$commit"
  if [ -n "$tuning" ] && Knows "$folder" --tuning; then
    set -- --tuning="$tuning" "$@"
  fi
  if [ -n "$ledger" ] && Knows "$folder" --store; then
    set -- --store="$ledger" "$@"
  fi
  code=0
  RunSuite "$folder" "$folder" --dump_dir="$out/$folder/dump" \
    --keep_artifacts "$@" || code=$?
  case $code in
    0 | 1 | 3) ;;
    2) Fail 2 "commit $commit does not take these flags, or not this suite" ;;
    4)
      [ "$folder" = head ] && exit 4
      Fail 3 "commit $commit gives wrong answers: nothing to compare with" ;;
    *) Fail 5 "the suite of commit $commit failed" ;;
  esac
}

# Help FOLDER: the help of its bench_artifact.
Help() { "$out/$1/bench_artifact" --help; }

# RuntimeFlags FOLDER: the flags that measure the runtimes, too, if they differ.
RuntimeFlags() {
  cmp -s "$out/$1/bench_artifact" "$out/head/bench_artifact" && return
  # A harness that gives its version of the protocol (`--steps=VERSION`) refuses
  # a bench_artifact of another version or without one. One that gives none can
  # use both. See runtime/tools/bench_steps.h.
  steps=$(Help "$judge" | grep -o -e '--steps=[0-9][0-9]*' | head -n 1)
  for program in "$1" head; do
    # The version 2 is not the start of 20.
    Help "$program" | grep -q -E -e "${steps:---steps}([^0-9]|\$)" && continue
    echo "the runtime changed, but that of \`$program\` cannot be measured in" \
      "steps: only what the compilers make is compared" >&2
    return
  done
  echo "--against_runtime=$out/$1/bench_artifact"
  [ "$judge" = head ] ||
    echo "--artifacts_runtime=$out/head/bench_artifact"
}

# Cells FOLDER: its cells and their verdicts.
Cells() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { tuned = "tuning" in at && $at["tuning"] == "tuned"
      print $at["model"], $at["device"], "fusion:" $at["fusion"],
        (tuned ? "tuning:tuned " : "") "threads:" $at["threads"] "\t" \
        $at["verdict"] }' \
    "$out/$1/results.csv" 2> /dev/null | sort
}

HasTuned() { Cells "$1" | grep -q ' tuning:tuned '; }

# Judge FOLDER RESULTS FLAGS...: compares the artifacts of the head with those
# of another folder. Sets `worst` to the most severe exit code so far.
Judge() {
  other=$1
  results=$2
  shift 2
  # A harness that has no tuned rows may not know what they are.
  if [ -n "$tuning" ] && HasTuned "$other" && HasTuned head &&
    HasTuned "$judge"; then
    set -- --tuning="$tuning" "$@"
  fi
  # Unquoted: one flag per word; the paths of `out` must not have spaces.
  # shellcheck disable=SC2046
  set -- $(RuntimeFlags "$other") "$@"
  code=0
  if [ "$judge" = head ]; then
    RunSuite head "$results" --against="$out/$other" \
      --dump_dir="$out/$results/dump" "$@" || code=$?
  else
    RunSuite base "$results" --artifacts="$out/head" \
      --against="$out/$other" "$@" || code=$?
  fi
  Note "$code"
}

# Note CODE: keeps the most severe exit code in `worst`. The order is that of
# runtime/base/exit_code.h.
Note() {
  for code in 2 4 5 1 3 0; do
    if [ "$worst" = $code ] || [ "$1" = $code ]; then
      worst=$code
      return
    fi
  done
}

case $out in
  *[[:space:]]*) Fail 2 "the path \`$out\` has a space" ;;
esac
Compile base "$base_commit" "$@"
Compile head "$head_commit" "$@"
if [ "$judge" = base ] && ! Knows base --artifacts; then
  echo "the harness of $base_commit cannot judge artifacts; that of the head" \
    "judges itself" >&2
  judge=head
fi

worst=0
Judge base verdict "$@"
number=0
for commit in $release_commits; do
  number=$((number + 1))
  Compile "release$number" "$commit" "$@"
  Judge "release$number" "verdict_release$number" "$@"
done

Cells base | cut -f 1 > "$out/base_cells"
Cells head | cut -f 1 > "$out/head_cells"
missing=$(comm -23 "$out/base_cells" "$out/head_cells")
new=$(comm -13 "$out/base_cells" "$out/head_cells")
rm "$out/base_cells" "$out/head_cells"
echo
if [ -n "$new" ]; then
  echo "only in the head, answers checked, no_base:"
  echo "$new" | sed 's/^/  /'
fi
echo "reports: $out/verdict"
if [ -n "$missing" ]; then
  echo "error: the head lacks these cells of the base:" >&2
  echo "$missing" | sed 's/^/  /' >&2
  # The judge reports a missing cell as a failure of the machine.
  [ "$worst" != 5 ] || worst=1
  Note 1
fi
exit "$worst"
