#!/bin/sh
# Runs the checks that take too long for every change. See Usage. In ci/night, `steps` has
# the steps, plan.sh decides what to run and when, session.sh ends a step with all
# its processes, and summary.sh writes the summary.
#
# The state folder:
#
#   lock, running   who is at work; the step that runs, and its session
#   night           how many nights have begun
#   steps/STEP      of the last time: result, seconds, when it ended, number of
#                   the night; and the expected seconds (of a fuzzer: beside its
#                   search)
#   kept/STEP       the inputs that a fuzzer has found
#   nights/COMMIT/  a night: began, STEP.log, STEP.result, summary.md, junit.xml
set -u

Usage() {
  cat <<'END_OF_USAGE'
Runs the steps of ci/night/steps one after the other: long fuzzing, all tests
under the sanitizers, the answers of many networks, comparisons with real times.
A machine with Debian, CA certificates and nothing else is enough, as root.

Usage: ci/nightly.sh [OPTIONS]

  --budget_minutes=N  end after N minutes: start only the steps that are
                      expected to fit, and give the fuzzers what is left. Steps
                      that were left out come first in the next night. Default:
                      run everything
  --store=FOLDER      measure every suite first, with `//ci:nightly`, and keep
                      the results in this store; or postgres://USER@HOST/DATABASE
  --only=STEP,...     only these steps
  --again             repeat the steps that have passed
  --state=FOLDER      for logs and results, and what is to be remembered for the
                      next night; default ~/.cache/assay/nightly
  --list              print the steps, how long they take, and their last result

A night is one commit, for 20 hours from its first start. Started again after it
was killed or interrupted, or with a larger budget, it goes on with the step that
was cut off and does not repeat what has passed. The logs, summary.md and
junit.xml are in FOLDER/nights/COMMIT, and what the searches of the fuzzers find.

Exit codes: 0 everything that ran has passed; 1 a step failed; 2 usage, or a
budget in which no step fits; 5 no step failed, but the night was interrupted,
another one is at work, or the machine failed: no network, no space on the disk.
END_OF_USAGE
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

budget=
store=
only=
again=
list=
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/assay}
state=${HOME:+$cache/nightly}
[ -z "${ASSAY_CACHE:-}${XDG_CACHE_HOME:-}" ] || state=$cache/nightly
for argument do
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --budget_minutes=?*) budget=${argument#*=} ;;
    --store=?*) store=${argument#*=} ;;
    --only=?*) only=${argument#*=} ;;
    --state=?*) state=${argument#*=} ;;
    --again) again=yes ;;
    --list) list=yes ;;
    *) Fail 2 "what is \`$argument\`? See \`--help\`" ;;
  esac
done
case $budget in
  0* | *[!0-9]* | ????????*)
    Fail 2 "\`--budget_minutes=$budget\` is not a number of minutes" ;;
esac
case $state in
  '') Fail 2 "there is no folder for the state; set HOME or \`--state\`" ;;
  /*) ;;
  *) state=$PWD/$state ;;
esac
case $store in
  '' | /* | postgres://* | postgresql://*) ;;
  *) store=$PWD/$store ;;
esac
tree=$(cd "$(dirname "$0")/.." && pwd) && cd "$tree" || exit 5
. ci/night/session.sh
. ci/night/plan.sh

work=$(mktemp -d) || Fail 5 "no folder for temporary files"
trap 'rm -rf "$work"' EXIT
trap 'exit 5' INT TERM HUP

awk -f ci/night/steps.awk ci/night/steps > "$work/table" ||
  Fail 2 "$(tail -n 1 "$work/table")"

if [ -n "$list" ]; then
  format='%-18s %9s  %-28s %s\n'
  printf "$format" step minutes 'last result' checks
  while IFS="$tab" read -r name usual search limit needs passes checks run; do
    Last "$name"
    [ "$search" = - ] || [ -z "$estimate" ] || estimate=$((usual + estimate))
    result=-
    [ "$last" = - ] || result="$last, $(date -d "@$last_ended" '+%F %H:%M')"
    printf "$format" "$name" $(((${estimate:-$usual} + 59) / 60)) "$result" \
      "$checks"
  done < "$work/table"
  exit 0
fi

case $only in
  *[!a-z0-9_,]*) Fail 2 "\`--only=$only\` is not a list of steps" ;;
esac
for step in $(echo "$only" | tr ',' ' '); do
  Row "$step"
  [ -n "$name" ] ||
    Fail 2 "\`--only\`: there is no step \`$step\`; \`--list\` prints them"
  [ "$needs" != store ] || [ -n "$store" ] ||
    Fail 2 "\`--only\`: the step \`$step\` needs \`--store\`"
done

# bazelw installs git, too.
if ! command -v git > /dev/null; then
  ./bazelw --version > /dev/null ||
    Fail 5 "Bazel and git could not be installed"
fi
commit=$(git rev-parse HEAD) || Fail 5 "git does not know the commit of \`$tree\`"
# Changes that are not committed make another night.
if [ -n "$(git status --porcelain)" ]; then
  commit=$commit-$({ git diff --binary HEAD; git status --porcelain; } |
    sha256sum | cut -c 1-12)
fi

night=$state/nights/$commit
mkdir -p "$state/steps" "$state/kept" "$night" ||
  Fail 5 "cannot make the folder \`$night\`"
touch "$state/lock" || Fail 5 "cannot write to \`$state/lock\`"
exec 9> "$state/lock"
flock -n 9 || Fail 5 "another nightly run is at work in \`$state\`"

# A killed run may have left a step at work.
cut_off=
if [ -f "$state/running" ]; then
  IFS="$tab" read -r cut_off session born < "$state/running"
  [ "$(BornAt "$session")" != "$born" ] || EndSession "$session"
  rm -f "$state/running"
fi

number=$(cat "$state/night" 2> /dev/null || echo 0)
began=$(cat "$night/began" 2> /dev/null || echo 0)
now=$(date +%s)
if [ $((now - began)) -ge 72000 ] || [ "$began" -gt "$now" ]; then
  rm -f "$night"/*.result
  number=$((number + 1))
  echo "$number" | Put "$state/night"
  began=$now
  echo "$began" | Put "$night/began"
fi
find "$state/nights" -mindepth 1 -maxdepth 1 -type d -mtime +30 \
  -not -path "$night" -exec rm -rf {} +

steps=$(Order)
[ -n "$steps" ] || Fail 2 "\`--only=$only\` is not a list of steps"
deadline=
[ -z "$budget" ] || deadline=$(($(Now) + budget * 60))

# MachineFailed STEP CODE: prints why it is the machine's fault, if it is. Texts
# that a failing test can print do not count.
MachineFailed() {
  if [ "$(FreeMegabytes)" -lt 200 ]; then
    echo "the disk is full"
  elif [ "$2" = 5 ]; then
    echo "exit code 5: the machine failed"
  elif [ "$2" -ge 33 ] && [ "$2" -le 39 ]; then
    echo "exit code $2: Bazel failed"
  elif [ "$2" != 3 ]; then
    sed -n -e '/^bazelw: .*failed, see above/{p;q;}' \
      -e '/debian packages: .*no mirror could be reached/{
        s/.*debian packages: //;p;q;}' "$night/$1.log" | tr '\t' ' '
  fi
}

FreeMegabytes() {
  df -Pm "$state" "$tree" "${TMPDIR:-/tmp}" |
    awk 'NR > 1 && (least == "" || $4 < least) { least = $4 } END { print least }'
}

# ShowLeft: prints what is left of the budget, for the terminal.
ShowLeft() { [ -z "$deadline" ] || echo ", $(Time "$(Left)") left"; }

# An interrupt ends the step that runs; the other steps are not started.
interrupted=
session=
Interrupt() {
  interrupted=yes
  [ -z "$session" ] || EndSession "$session"
}
trap Interrupt INT TERM HUP

# Run: the step `step`, with its `expected` and `searching`; writes its result.
# Signals that this script may ignore have their usual effect in the step.
Run() {
  Row "$step"
  limit=$((limit + searching))
  late=failed
  why="the limit of the step"
  left=$(Left)
  if [ -n "$left" ] && [ "$left" -lt "$limit" ]; then
    limit=$left
    late="not run"
    why="the end of the budget"
  fi
  mkdir -p "$state/kept/$step"
  rm -f "$night/$step.result" "$work/late"
  page=$night/page.html
  case $store in
    /*) page=$store/page.html ;;
  esac
  echo "[$position/$count] $step, about $(Time "$expected")$(ShowLeft)" >&2

  start=$(Now)
  NIGHT=$night KEPT=$state/kept/$step SEARCH_SECONDS=$searching STORE=$store \
    PAGE=$page setsid env --default-signal=HUP,INT,QUIT,TERM \
    sh -c "$run" > "$night/$step.log" 2>&1 < /dev/null 9>&- &
  session=$!
  printf '%s\t%s\t%s\n' "$step" "$session" "$(BornAt "$session")" |
    Put "$state/running"
  # The shell would keep a copy of the lock in `Watch 9>&- &`.
  (
    exec 9>&-
    Watch "$session" "$limit" "$work/late" "[$position/$count] $step" "$expected"
  ) &
  watch=$!
  [ -z "$interrupted" ] || EndSession "$session"
  wait "$session"
  code=$?
  # A signal ends `wait` before the step has ended.
  [ -z "$interrupted" ] || wait "$session"
  # The step may have left processes behind.
  EndSession "$session"
  session=
  # Another signal would be lost if the subshell has just been started.
  kill -KILL "$watch" 2> /dev/null
  wait "$watch" 2> /dev/null
  spent=$(($(Now) - start))

  machine=
  [ "$code" = 0 ] || machine=$(MachineFailed "$step" "$code")
  if [ -f "$work/late" ]; then
    SetResult "$step" "$late" "$spent" "stopped after $(Time "$limit"), $why"
  elif [ -n "$interrupted" ]; then
    SetResult "$step" interrupted "$spent"
  elif [ "$code" = 0 ]; then
    SetResult "$step" passed "$spent"
  elif [ "$passes" = "$code" ]; then
    SetResult "$step" passed "$spent" "exit code $code"
  elif [ -n "$machine" ]; then
    SetResult "$step" machine "$spent" "$machine"
  else
    SetResult "$step" failed "$spent" "exit code $code"
  fi
  rm -f "$state/running"
  Remember "$step" "$searching"
  [ ! -t 2 ] || printf '\r\033[K' >&2
  echo "    $result${note:+ ($note)}, $(Time "$spent")" >&2
}

count=$(echo "$steps" | wc -l)
position=0
for step in $steps; do
  position=$((position + 1))
  ! Done "$step" || continue
  if [ -n "$interrupted" ]; then
    SetResult "$step" "not run" 0 interrupted
    continue
  elif [ "$(FreeMegabytes)" -lt 1000 ]; then
    SetResult "$step" machine 0 "less than 1 GB of disk is free"
    continue
  elif [ "$(git rev-parse HEAD)" != "${commit%%-*}" ]; then
    SetResult "$step" machine 0 "another commit was checked out meanwhile"
    continue
  fi
  left=$(Left)
  Expect "$step"
  if [ -z "$left" ] || [ "$expected" -le "$left" ]; then
    Run
  elif [ "$expected" -le $((budget * 60)) ]; then
    SetResult "$step" "not run" 0 "budget; it needs $(Time "$expected")"
  else
    SetResult "$step" "not run" 0 \
      "budget; it needs $(Time "$expected"), more than all of it"
  fi
done

for step in $steps; do
  Row "$step"
  Result "$step"
  printf '%s\t%s\t%s\t%s\t%s\n' "$step" "$result" "$seconds" \
    "$checks" "$note"
done > "$work/results"
sh ci/night/summary.sh "$work/results" "$night" "$commit" "$began"
exit
