#!/bin/sh
# Tests whether comparisons say on which factors a slow-down depends. See Usage.
set -eu

Usage() {
  cat <<'END'
Makes kernels of a network slower in a way that only some of its programs have,
compares the programs with and without fusion, with one and two threads, and
tests whether the comparison says with which of these the network became slower.

Usage: ./bazelw run //ci/bisect/testing:interactions -- [OPTIONS]

  --tree=FOLDER         worktree of a branch of make_history, in which the suite
                        is built; required
  --out=FOLDER          tries.csv, and the results of all comparisons; required
  --suite=NAME          default full
  --model=NAME          default resnet18
  --kernels=FUSED:ALONE names of the kernel of a convolution in the programs with
                        and without fusion; must be repeated
  --tries=N             default 40
  --budget=SECONDS      of each comparison; default 10
  --max_budget=SECONDS  of a comparison that is not conclusive before; default 30

Try I makes the kernels of one convolution slower. There are five kinds:

  kind           what is slower                     expected
  fused          the kernel with fusion             only with fusion on
  alone          the kernel without fusion          only with fusion off
  both           both kernels                       in all cells
  serial         both use one thread only           only with threads 2
  serial_fused   the kernel with fusion, that way   only with fusion on and threads 2

A run that was stopped continues. Exit codes: 0 all are right; 1 some are not;
2 usage; 5 the machine failed.
END
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

tree=
out=
suite=full
model=resnet18
kernels=
tries=40
budget=10
max_budget=30
for argument do
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --tree=?*) tree=${argument#*=} ;;
    --out=/?*) out=${argument#*=} ;;
    --out=?*) out=${BUILD_WORKING_DIRECTORY:-$PWD}/${argument#*=} ;;
    --suite=?*) suite=${argument#*=} ;;
    --model=?*) model=${argument#*=} ;;
    --kernels=?*:?*) kernels="$kernels ${argument#*=}" ;;
    --tries=?*) tries=${argument#*=} ;;
    --budget=?*) budget=${argument#*=} ;;
    --max_budget=?*) max_budget=${argument#*=} ;;
    *) Fail 2 "there is no flag \`$argument\`; see \`--help\`" ;;
  esac
done
[ -n "$tree" ] && [ -n "$out" ] && [ -n "$kernels" ] ||
  Fail 2 "\`--tree\`, \`--out\` and \`--kernels\` are needed; see \`--help\`"
workspace=${BUILD_WORKSPACE_DIRECTORY:-}
[ -n "$workspace" ] || Fail 2 "start this with \`./bazelw run\`"

# Suite FOLDER WORKSPACE FLAGS...: runs the suite of a workspace, with four cells.
Suite() {
  results=$1
  from=$2
  shift 2
  mkdir -p "$results"
  # The exit code says whether something is slower.
  BUILD_WORKSPACE_DIRECTORY=$from "$from/bazel-bin/suites/$suite" \
    --out="$results" "--cells=$model/host/*" --device=host --fusion=both \
    --threads=1,2 --repeat=3 "$@" > "$results/log.txt" 2>&1 || true
  [ -s "$results/results.json" ] ||
    Fail 5 "the suite failed: $(tail -n 1 "$results/log.txt")"
}

# Work KIND FUSED ALONE: the slow-down, as extra_work.inc reads it.
Work() {
  case $1 in
    fused) echo "$2=0.5" ;;
    alone) echo "$3=0.5" ;;
    both) echo "$2=0.5,$3=0.5" ;;
    serial) echo "$2=serial,$3=serial" ;;
    serial_fused) echo "$2=serial" ;;
  esac
}

# IsRight KIND TEXT
IsRight() {
  case $1 in
    fused) [ "$2" = "only with fusion on" ] ;;
    alone) [ "$2" = "only with fusion off" ] ;;
    # The kernels need not be equally important in both programs.
    both) [ "$2" = "equally in all cells" ] || [ "${2#more with }" != "$2" ] ;;
    serial) [ "$2" = "only with threads 2" ] ;;
    serial_fused) [ "$2" = "only with fusion on and threads 2" ] ;;
  esac
}

mkdir -p "$out"
base=$out/base
if [ ! -e "$base/done" ]; then
  rm -rf "$base"
  ASSAY_EXTRA_WORK='' Suite "$base" "$tree" --keep_artifacts
  touch "$base/done"
fi
[ -e "$out/tries.csv" ] || echo "try,kind,work,right,finding" > "$out/tries.csv"
# shellcheck disable=SC2086
set -- $kernels
i=1
while [ "$i" -le "$tries" ]; do
  if ! grep -q "^$i," "$out/tries.csv"; then
    kind=$(echo fused alone both serial serial_fused |
      cut -d ' ' -f $((i % 5 + 1)))
    eval "pair=\${$((i / 5 % $# + 1))}"
    work=$(Work "$kind" "${pair%%:*}" "${pair#*:}")
    try=$out/$i
    rm -rf "$try"
    ASSAY_EXTRA_WORK=$work Suite "$try/slow" "$tree" --keep_artifacts
    Suite "$try/comparison" "$workspace" --artifacts="$try/slow" \
      --against="$base" --margin=0.01 --budget="$budget" \
      --max_budget="$max_budget" --no_canary
    finding=$(sed -n "s/^$model on host: .* in the mean of 4 cells, //p" \
      "$try/comparison/log.txt")
    right=no
    ! IsRight "$kind" "$finding" || right=yes
    echo "$i,$kind,\"$work\",$right,\"$finding\"" | tee -a "$out/tries.csv"
    rm -rf "$try/slow"
  fi
  i=$((i + 1))
done
awk -F , 'NR > 1 { ++all; right += /,yes,/ }
  END { print right " of " all " right"; exit right != all }' "$out/tries.csv"
