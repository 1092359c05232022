#!/bin/sh
# Tests that the gate rejects commits that deceive it. See Usage.
set -eu

Usage() {
  cat <<'END'
Makes commits that make the programs worse and, at the same time, the harness
more lenient, and runs //ci:gate on each: all must be rejected, because the
harness of the base judges. The last commit changes nothing and must pass.

Usage: ./bazelw run //ci:gate_trials [-- --base=REV]

  --base=REV  the commit that they are made of; default HEAD

Takes about half an hour. The commits belong to no branch.

Exit codes: 0 all were judged correctly; 1 some were not; 2 usage; 5 a commit
could not be made.
END
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

base=HEAD
for argument do
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --base=*) base=${argument#*=} ;;
    *) Fail 2 "there is no flag \`$argument\`; see \`--help\`" ;;
  esac
done
workspace=${BUILD_WORKSPACE_DIRECTORY:-}
[ -n "$workspace" ] ||
  Fail 2 "start this with \`./bazelw run //ci:gate_trials\`"
cd "$workspace"
base=$(git rev-parse --verify --quiet --end-of-options "$base^{commit}") ||
  Fail 2 "the base is no commit of this repository"

scratch=$(mktemp -d)
tree=$scratch/tree
trap 'git worktree remove --force "$tree" 2> /dev/null; rm -rf "$scratch"' EXIT
git worktree add --quiet --detach "$tree" "$base"

# Edit FILE SCRIPT: changes a file by sed, and fails if nothing changed.
Edit() {
  sed -i "$2" "$tree/$1"
  ! git -C "$tree" diff --quiet -- "$1" ||
    Fail 5 "\`$1\` does not have the line that this trial changes"
}

# One kernel of each network is called twice.
MakeSlower() {
  Edit compiler/driver/plan.cc 's|^ *artifact_.calls.push_back(std::move(call));$|&\
    if (artifact_.calls.size() == 6) {\
      artifact_.calls.push_back(artifact_.calls.back());\
    }|'
}

# One kernel of each network is left out.
MakeWrong() {
  Edit compiler/driver/plan.cc 's|^ *artifact_.calls.push_back(std::move(call));$|&\
    static int skipped = 0;\
    if (artifact_.calls.size() == 6 \&\& skipped++ == 0) {\
      artifact_.calls.pop_back();\
    }|'
}

WidenTheMargin() {
  MakeSlower
  Edit suites/harness/flags/comparison_flags.h \
    's|double margin = 0.01;|double margin = 0.5;|'
}

NeverAlarm() {
  MakeSlower
  Edit reports/stats/paired_verdict.h \
    's|double log_e_alarm = 5.9915;|double log_e_alarm = 1e6;|'
}

ExitWithSuccess() {
  MakeSlower
  Edit suites/harness/exit_rules.cc \
    's|rules.blessing ? ExitCode::kPass : ExitCode::kRegression|ExitCode::kPass|'
}

AcceptAnyOutput() {
  MakeWrong
  Edit suites/correctness/accuracy.h \
    's|kRelativeBound = 1e-4|kRelativeBound = 1e9|'
}

DeleteACell() {
  Edit suites/models/catalog.cc '/{"resnet34", "resnet", "34",/,/},$/d'
}

ChangeNothing() {
  Edit README.md '1s|$| |'
}

failed=0
# Trial NAME EXPECTED SUITE FLAGS...
Trial() {
  name=$1
  expected=$2
  suite=$3
  shift 3
  git -C "$tree" checkout --quiet --detach --force "$base"
  "$name"
  git -C "$tree" -c user.name=trial -c user.email=trial@localhost \
    commit --quiet --all --message="$name" ||
    Fail 5 "cannot make the commit $name"
  head=$(git -C "$tree" rev-parse HEAD)
  code=0
  ./bazelw run //ci:gate -- --base="$base" --head="$head" --suite="$suite" \
    --device=host --threads=1 --fusion=on "$@" > "$scratch/log" 2>&1 || code=$?
  if [ "$code" = "$expected" ]; then
    echo "right  $name: exit code $code"
  else
    echo "WRONG  $name: exit code $code, not $expected; the gate wrote:"
    tail -n 20 "$scratch/log"
    failed=1
  fi
}

Trial WidenTheMargin 1 resnet18
Trial NeverAlarm 1 resnet18
Trial ExitWithSuccess 1 resnet18
Trial AcceptAnyOutput 4 resnet18
Trial DeleteACell 1 resnet --size=64 --multiplier=0.25
Trial ChangeNothing 0 resnet18
exit "$failed"
