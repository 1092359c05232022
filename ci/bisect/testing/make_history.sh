#!/bin/sh
# Makes a line of commits on which bisections are tried. See Usage.
set -eu

Usage() {
  cat <<'END'
Makes a branch of commits whose culprits are known. They are real commits of this
repository, one after the other, of which some are replaced:

  - from a culprit on, kernels of a network do a part of their work twice, or
    use one thread;
  - a broken commit does not compile;
  - an idle commit changes README.md alone.

Usage: ./bazelw run //ci/bisect/testing:make_history -- [OPTIONS]

  --branch=NAME            the branch to make; default bisect_trial
  --commits=N              its commits after the good end; default 64
  --culprit=I:KERNEL=PART  commit I makes KERNEL, such as k003_conv2d_add_relu,
                           repeat this part of its iterations, or, if PART is
                           `serial`, use one thread; may be repeated
  --broken=PERCENT         default 10
  --idle=PERCENT           default 30
  --seed=N                 which commits are broken or idle; default 1

The last N commits of HEAD's first parents are used. Prints `good COMMIT` and, for
each commit, its number, sort (`real`, `idle`, `broken`, `culprit`) and hash.

Exit codes: 0 success; 2 usage; 5 the commits could not be made.
END
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

branch=bisect_trial
commits=64
culprits=
broken=10
idle=30
seed=1
for argument do
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --branch=*) branch=${argument#*=} ;;
    --commits=*) commits=${argument#*=} ;;
    --culprit=*:*=*) culprits="$culprits ${argument#*=}" ;;
    --broken=*) broken=${argument#*=} ;;
    --idle=*) idle=${argument#*=} ;;
    --seed=*) seed=${argument#*=} ;;
    *) Fail 2 "there is no flag \`$argument\`; see \`--help\`" ;;
  esac
done
snippet=$PWD/ci/bisect/testing/extra_work.inc
workspace=${BUILD_WORKSPACE_DIRECTORY:-}
[ -n "$workspace" ] || Fail 2 "start this with \`./bazelw run\`"
cd "$workspace"

scratch=$(mktemp -d)
tree=$scratch/tree
trap 'git worktree remove --force "$tree" 2> /dev/null; rm -rf "$scratch"' EXIT
git rev-list --first-parent --max-count=$((commits + 1)) HEAD |
  sed '1!G;h;$!d' > "$scratch/real"
[ "$(wc -l < "$scratch/real")" = $((commits + 1)) ] ||
  Fail 2 "HEAD has fewer than $((commits + 1)) commits"
git worktree add --quiet --detach "$tree" "$(head -n 1 "$scratch/real")"

# The sort of each commit.
awk -v n="$commits" -v broken="$broken" -v idle="$idle" -v seed="$seed" \
    -v culprits="$culprits" 'BEGIN {
  srand(seed)
  m = split(culprits, list, " ")
  for (i = 1; i <= m; ++i) at[list[i] + 0] = 1
  for (i = 1; i <= n; ++i) {
    x = rand() * 100
    sort = x < broken ? "broken" : x < broken + idle ? "idle" : "real"
    # The bad end must be built.
    if (i == n && sort == "broken") sort = "real"
    print i, i in at ? "culprit" : sort
  }
}' > "$scratch/sorts"

# Inserts the extra work of the culprits up to now.
AddExtraWork() {
  work=
  for culprit in $culprits; do
    [ "${culprit%%:*}" -gt "$1" ] || work="$work,${culprit#*:}"
  done
  file=$tree/compiler/driver/stages.cc
  awk -v work="${work#,}" -v snippet="$snippet" '
    /^namespace assay::driver \{/ {
      print "#include <cstdlib>"
      print "#include <set>"
      print "#include \"absl/strings/numbers.h\""
      print "#include \"absl/strings/str_split.h\""
      print "#include \"compiler/tir/visitor.h\""
    }
    { print }
    /^namespace \{/ && !inserted {
      print "constexpr char kExtraWork[] = \"" work "\";"
      while ((getline line < snippet) > 0) print line
      inserted = 1
    }
    /lower::Lower\(kernel.schedule, "kernel"/ {
      print "  function.body = MadeSlower(function.body, symbol());"
      called = 1
    }
    END { exit !(inserted && called) }' "$file" > "$scratch/stages.cc" ||
    Fail 5 "\`compiler/driver/stages.cc\` of commit $1 has another form"
  cp "$scratch/stages.cc" "$file"
  build=$tree/compiler/driver/BUILD
  sed 's|^\( *\)"//compiler/tir:verifier",$|&\n\1"//compiler/tir:visitor",|' \
    "$build" > "$scratch/BUILD"
  cp "$scratch/BUILD" "$build"
}

# Commit SUBJECT: commits the worktree after `last`, and prints the hash.
Commit() {
  git -C "$tree" add --all
  parent=$([ -z "$last" ] || echo "-p $last")
  # shellcheck disable=SC2086
  git -C "$tree" -c user.name=trial -c user.email=trial@localhost commit-tree \
    "$(git -C "$tree" write-tree)" $parent -m "$1"
}

last=
AddExtraWork 0
last=$(Commit "Start") || Fail 5 "cannot make a commit"
echo "good $last"
sound=$last
real=1
while read -r number sort; do
  real=$((real + 1))
  if [ "$sort" = idle ]; then
    git -C "$tree" read-tree -u --reset "$sound"
    echo "Commit $number." >> "$tree/README.md"
    subject="Change nothing that is built"
  else
    commit=$(sed -n "${real}p" "$scratch/real")
    git -C "$tree" checkout --quiet --detach --force "$commit"
    subject=$(git log -1 --format=%s "$commit")
    AddExtraWork "$number"
    if [ "$sort" = broken ]; then
      echo '#error this commit is broken' >> "$tree/compiler/driver/stages.cc"
    fi
  fi
  last=$(Commit "$subject") || Fail 5 "cannot make a commit"
  [ "$sort" = broken ] || sound=$last
  echo "$number $sort $last"
done < "$scratch/sorts"
git branch --force "$branch" "$last"
