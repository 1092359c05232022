#!/bin/sh
# Judges the commit that is checked out in the current folder, for `git bisect
# run`: `./bazelw run //ci:bisect_step -- --help`. Bazel's own exit codes must not
# reach git, which would take them for those of a bad commit.
commit=$(git rev-parse --verify HEAD) || exit 125
cd "$(dirname "$0")/.." || exit 125
./bazelw build --noshow_progress //ci:bisect_step >&2 || exit 125
./bazelw run --noshow_progress --ui_event_filters=-info //ci:bisect_step -- \
  --commit="$commit" "$@"
case $? in
  0) exit 0 ;;
  1) exit 1 ;;
  *) exit 125 ;;
esac
