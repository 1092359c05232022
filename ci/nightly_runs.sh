#!/bin/sh
# Measures every suite and renders the history as a page and as a site. See
# Usage.
set -eu

Usage() {
  cat <<'END'
Runs the whole matrix, every model with fusion and without, and tuned where
devices/tuning has a log for the device, keeps the results and the artifacts,
measures each program that has changed since its last night side by side with
the program of that night, bisects what became slower, and renders the history
of all nights as one HTML page and as a site of many pages.

Usage: ./bazelw run //ci:nightly -- --store=FOLDER [OPTIONS] [FLAGS OF THE SUITE]

  --store=FOLDER  where the nights are kept; made if it does not exist; or
                  postgres://USER@HOST/DATABASE, with --page
  --suite=NAME    a target of suites/; default full
  --page=FILE     default FOLDER/page.html
  --site=PATH     folder of the site, default FOLDER/site; if the store is a
                  database, a site is written only with this flag
  --bisect_minutes=N  time to find the commits that made programs slower, after
                  which no other build is started; default 60; 0 does not look
                  for them. Their reports are in FOLDER/bisections; the next
                  night continues where there was not enough time

Other flags go to the suite, such as --device, --threads, --variant, --against
(`./bazelw run //suites:full -- --help`).

Exit codes: the suite's, which are 0 pass; 1 regression; 2 usage; 3 nothing
conclusive; 4 wrong result; 5 the machine failed, or the page or the site could
not be written. Both are written whatever the verdicts are.
END
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

store=
suite=full
page=
site=
bisect_minutes=60
tuning=--tuning=auto
follow=--follow
for argument do
  shift
  case $argument in
    --help | -h) Usage; exit 0 ;;
    --store=*) store=${argument#*=} ;;
    --suite=*) suite=${argument#*=} ;;
    --page=*) page=${argument#*=} ;;
    --site=*) site=${argument#*=} ;;
    --bisect_minutes=*) bisect_minutes=${argument#*=} ;;
    --out=*) Fail 2 "\`$argument\` is for the nightly run to say" ;;
    --tuning | --tuning=*)
      tuning=
      set -- "$@" "$argument" ;;
    --against | --against=* | --bless | --bless=*)
      follow=
      set -- "$@" "$argument" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
[ -n "$store" ] || Fail 2 "\`--store\` is missing; see \`--help\`"
workspace=${BUILD_WORKSPACE_DIRECTORY:-}
[ -n "$workspace" ] || Fail 2 "start this with \`./bazelw run //ci:nightly\`"
cd "${BUILD_WORKING_DIRECTORY:-$workspace}"
case $store in
  postgres://* | postgresql://*)
    [ -n "$page" ] || Fail 2 "\`--page\` is missing; the store is no folder" \
      "in which the page could be" ;;
  *)
    mkdir -p "$store" || Fail 2 "cannot make the folder \`$store\`"
    store=$(cd "$store" && pwd)
    [ -n "$page" ] || page=$store/page.html
    [ -n "$site" ] || site=$store/site ;;
esac
case $page in
  /*) ;;
  *) page=$PWD/$page ;;
esac
case $site in
  /* | '') ;;
  *) site=$PWD/$site ;;
esac

cd "$workspace"
code=0
./bazelw run "//suites:$suite" -- --store="$store" ${follow:+"$follow"} \
  ${tuning:+"$tuning"} "$@" ||
  code=$?
[ "$code" != 2 ] || exit 2
# A night without a bisection is a night all the same.
case $store in
  postgres://* | postgresql://*) ;;
  *)
    if [ "$code" = 1 ] && [ -n "$follow" ] && [ "$bisect_minutes" != 0 ]; then
      ./bazelw run //ci:bisect_published -- --store="$store" \
        --suite="$suite" --minutes="$bisect_minutes" "$@" ||
        echo "warning: not all regressions were bisected" >&2
    fi ;;
esac
./bazelw run //reports:page -- --store="$store" --out="$page" ||
  Fail 5 "the page could not be written"
echo "page: $page"
if [ -n "$site" ]; then
  ./bazelw run //reports:site -- --store="$store" --out="$site" ||
    Fail 5 "the site could not be written"
  echo "site: $site/index.html"
fi
exit "$code"
