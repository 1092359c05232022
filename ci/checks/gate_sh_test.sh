#!/bin/sh
# The gate with a Bazel that only notes what it was asked.
set -eu
gate=$PWD/ci/gate.sh
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/gate.XXXXXX")
repository=$work/repository
export HOME="$work/home" XDG_CACHE_HOME="$work/cache" LOG="$work/log"
unset ASSAY_CACHE
export ASSAY_MEASURING_LOCK="$work/measuring"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@b
mkdir -p "$HOME" "$repository"

Git() { git -C "$repository" "$@"; }
# Commit CODE_OF_BUILD CODE_OF_RUN NAME [HELP [CODE_OF_JUDGE [MODELS [TUNING]]]]:
# a commit whose Bazel and suite exit with these codes, the help of its
# bench_artifact, the code with which its harness judges the artifacts of
# others, and its models. A commit without CODE_OF_JUDGE cannot judge artifacts.
# With TUNING, its suite has the flag --tuning, and, if TUNING is `log`, tuned
# rows.
Commit() {
  cat > "$repository/bazelw" <<END
#!/bin/sh
echo "$3 \$*" >> "\$LOG"
if [ "\$1" = run ]; then
  results=
  for argument do
    case \$argument in
      --help)
        [ -z "${5:-}" ] || echo "--artifacts FOLDER"
        [ -z "${7:-}" ] || echo "--tuning ROWS"
        [ -z "${7:-}" ] || echo "--store FOLDER"
        exit 0 ;;
      --out=*) results=\${argument#*=} ;;
      --artifacts=*) exit ${5:-2} ;;
    esac
  done
  mkdir -p "\$results"
  {
    echo suite,model,device,fusion,${7:+tuning,}threads,verdict
    for model in ${6:-net}; do
      echo "s,\$model,host,on,${7:+none,}1,pass"
      [ "${7:-}" != log ] || echo "s,\$model,host,on,tuned,1,pass"
    done
  } > "\$results/results.csv"
  exit $2
fi
[ "$1" = 0 ] || exit 1
mkdir -p bazel-bin/runtime/tools
printf '#!/bin/sh\necho ${4:-}' > bazel-bin/runtime/tools/bench_artifact
chmod +x bazel-bin/runtime/tools/bench_artifact
END
  chmod +x "$repository/bazelw"
  Git add -A
  Git commit -q -m "$3"
  Git tag "$3"
}
Git init -q
Commit 0 0 good
Commit 0 1 slower
Commit 0 3 unclear
Commit 0 4 wrong
Commit 1 0 broken
Commit 0 2 old
Commit 0 0 steps "--steps"
Commit 0 0 more_steps "--steps and more"
Commit 0 0 passes "--steps" 0
Commit 0 0 fails "--steps" 1
Commit 0 0 unsure "--steps" 3
Commit 0 0 new_runtime "--steps and new" 0
Commit 0 0 version "--steps=2" 0
Commit 0 0 new_version "--steps=2 and new" 0
Commit 0 0 version_3 "--steps=3" 0
Commit 0 0 version_20 "--steps, the version is --steps=20" 0
Commit 0 0 more_models "--steps" 0 "net other"
Commit 0 0 no_models "--steps" 0 "other"
Commit 0 0 tunes "--steps" 0 net flag
Commit 0 0 tuned "--steps" 0 net log
mkdir "$repository/suites"
touch "$repository/suites/all.cc"
Commit 0 0 before_full

# Gate EXPECTED_CODE FLAGS...
Gate() {
  expected=$1
  shift
  : > "$LOG"
  code=0
  BUILD_WORKSPACE_DIRECTORY=$repository BUILD_WORKING_DIRECTORY=$work \
    "$gate" "$@" > "$work/out" 2>&1 || code=$?
  [ "$code" = "$expected" ] || {
    echo "gate $*: exit code $code, not $expected"
    cat "$work/out"
    exit 1
  }
}
Contains() {
  grep -qF -- "$2" "$1" || { echo "no \`$2\` in:"; cat "$1"; exit 1; }
}

Gate 0 --base=good --head=good --out=report --suite=resnet18 --threads=1
run="run //suites:resnet18 -- --out=$work/report"
Contains "$LOG" "good build //suites:resnet18"
Contains "$LOG" "good $run/base --repeat=6 --dump_dir=$work/report/base/dump"
Contains "$LOG" "--keep_artifacts --threads=1"
Contains "$LOG" "good $run/head"
Contains "$LOG" "good $run/verdict --repeat=6 --against=$work/report/base"
Contains "$work/out" "the harness of "
Contains "$work/out" "reports: $work/report/verdict"

# The harness of the base judges, whatever the code of the head says.
Gate 1 --base=fails --head=passes --out=report
full=$(echo "$run" | sed s/resnet18/full/)
Contains "$LOG" "fails $full/verdict --repeat=6 --artifacts=$work/report/head"
Gate 0 --base=passes --head=fails
Gate 3 --base=unsure --head=passes
Gate 4 --base=passes --head=wrong
Gate 0 --base=fails --head=passes --judge=head --out=report
Contains "$LOG" "passes $full/verdict --repeat=6 --against=$work/report/base"
Gate 0 --base=passes --head=new_runtime --out=report
Contains "$LOG" "--against_runtime=$work/report/base/bench_artifact"
Contains "$LOG" "--artifacts_runtime=$work/report/head/bench_artifact"

# Lists of cells.
Gate 0 --base=passes --head=more_models
Contains "$work/out" "only in the head, answers checked, no_base:"
Contains "$work/out" "  other host fusion:on threads:1"
Gate 1 --base=passes --head=no_models
Contains "$work/out" "error: the head lacks these cells of the base:"
Contains "$work/out" "  net host fusion:on threads:1"

# Tuned rows are compared if both commits have them.
Gate 0 --base=passes --head=tunes --out=report
grep -q -e "passes .*--tuning" "$LOG" && { echo "an unknown flag"; exit 1; }
Contains "$LOG" "tunes $full/head --repeat=6 --dump_dir="
Contains "$LOG" "--keep_artifacts --tuning=auto"
Gate 0 --base=tunes --head=tuned --out=report
Contains "$work/out" "  net host fusion:on tuning:tuned threads:1"
grep -q -e "--artifacts=.*--tuning" "$LOG" && { echo "no base"; exit 1; }
Gate 1 --base=tuned --head=tunes --out=report
Contains "$work/out" "  net host fusion:on tuning:tuned threads:1"
Gate 0 --base=tuned --head=tuned --out=report
Contains "$LOG" "--against=$work/report/base --tuning=auto"
Gate 0 --base=tuned --head=tuned --out=report --tuning=none
grep -q -e "--tuning=auto" "$LOG" && { echo "another --tuning"; exit 1; }

# Both commits are recorded in the ledger if their suites can.
Gate 0 --base=passes --head=tunes --out=report --ledger=codes --tuning=none
grep -q -e "passes .*--store" "$LOG" && { echo "an unknown flag"; exit 1; }
Contains "$LOG" "--keep_artifacts --store=$work/codes --tuning=none"

# Releases are compared with, too; the most severe result counts.
Gate 0 --base=passes --head=more_models --release=steps --out=report
Contains "$LOG" "passes $full/verdict_release1 --repeat=6"
Contains "$LOG" "--against=$work/report/release1"

# One measurement at a time on a machine.
(
  exec 8< "$ASSAY_MEASURING_LOCK"
  flock 8
  sleep 1
) &
sleep 0.3
Gate 0 --base=passes --head=passes
Contains "$work/out" "waiting for another measurement on this machine"
wait

# The default suite, under its old name in an old commit.
Gate 0 --base=before_full --head=good
Contains "$LOG" "before_full build //suites:all "
Contains "$LOG" "good build //suites:full "

# Without such a harness, that of the head judges.
Gate 1 --base=good --head=slower
Gate 3 --base=slower --head=unclear
Gate 4 --base=unclear --head=wrong
Gate 3 --base=wrong --head=good
Contains "$work/out" "gives wrong answers: nothing to compare with"
Gate 5 --base=good --head=broken
Contains "$work/out" "does not build"
Gate 5 --base=broken --head=good
Gate 2 --base=old --head=good

# A runtime that changed is measured, too, if the old one can be.
Gate 0 --base=steps --head=more_steps --out=report
Contains "$LOG" "--against_runtime=$work/report/base/bench_artifact"
Gate 0 --base=good --head=steps
Contains "$work/out" "only what the compilers make is compared"
# Harnesses with a version of the protocol refuse a runtime with another one or
# without one, but a runtime with a version serves a harness without one.
Gate 0 --base=version --head=new_version --out=report
Contains "$LOG" "--artifacts_runtime=$work/report/head/bench_artifact"
Gate 0 --base=passes --head=version --out=report
Contains "$LOG" "--artifacts_runtime=$work/report/head/bench_artifact"
Gate 0 --base=passes --head=version --judge=head --out=report
Contains "$work/out" "only what the compilers make is compared"
Gate 0 --base=version --head=new_version --release=passes --out=report
Contains "$work/out" "the runtime changed, but that of \`release1\` cannot"
# Both runtimes need the version of the harness.
for head in passes version_3 version_20; do
  Gate 0 --base=version --head=$head
  Contains "$work/out" "the runtime changed, but that of \`head\` cannot"
  grep -q -e "_runtime=" "$LOG" && { echo "another version"; exit 1; }
done
Gate 0 --base=version --head=version_20 --judge=head
Contains "$work/out" "the runtime changed, but that of \`base\` cannot"
Gate 0 --base=version_20 --head=version
Contains "$work/out" "the runtime changed, but that of \`head\` cannot"
Gate 0 --base=steps --head=steps
grep -q -e --against_runtime "$LOG" && { echo "the same runtime"; exit 1; }

# What the user got wrong, before anything is built.
for flags in "--head=good" "--base=nosuch" "--base=good --head=-x" \
    "--base=good --against=x" "--base=good --against x" "--base good" \
    "--base=good --artifacts x" "--base=good --bless=x" \
    "--base=good --release=nosuch" "--base=good --judge=nobody"; do
  # shellcheck disable=SC2086
  Gate 2 $flags
  [ ! -s "$LOG" ] || { echo "$flags: something was built"; exit 1; }
done
Gate 0 --help
Contains "$work/out" "Exit codes"

# Nothing of it is left in the repository.
[ -z "$(Git status --porcelain)" ] || { echo "the repository changed"; exit 1; }
