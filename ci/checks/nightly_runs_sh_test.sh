#!/bin/sh
# Tests what the nightly run asks of Bazel and its exit codes, with a `bazelw`
# that only notes what it was asked.
set -eu

script=$PWD/ci/nightly_runs.sh
tree=$TEST_TMPDIR/tree
mkdir "$tree"
cat > "$tree/bazelw" <<'BAZELW'
#!/bin/sh
echo "$*" >> "$(dirname "$0")/asked"
case $* in
  *reports:page*) exit "$(cat "$(dirname "$0")/page_status")" ;;
  *reports:site*) exit "$(cat "$(dirname "$0")/site_status")" ;;
esac
exit "$(cat "$(dirname "$0")/suite_status")"
BAZELW
chmod +x "$tree/bazelw"
export BUILD_WORKSPACE_DIRECTORY="$tree" BUILD_WORKING_DIRECTORY="$TEST_TMPDIR"

echo 0 > "$tree/site_status"
fails=0
# Expect STATUS SUITE_STATUS PAGE_STATUS ASKED ARGUMENT...
Expect() {
  want=$1
  echo "$2" > "$tree/suite_status"
  echo "$3" > "$tree/page_status"
  asked=$4
  shift 4
  : > "$tree/asked"
  got=0
  sh "$script" "$@" > "$TEST_TMPDIR/out" 2>&1 || got=$?
  if [ "$got" != "$want" ] || [ "$(cat "$tree/asked")" != "$asked" ]; then
    echo "$*: expected status $want and \`$asked\`, got $got and:"
    cat "$tree/asked" "$TEST_TMPDIR/out"
    fails=$((fails + 1))
  fi
}

s=$TEST_TMPDIR/s
page="run //reports:page -- --store=$s --out=$s/page.html"
site="run //reports:site -- --store=$s --out=$s/site"
suite="run //suites:full -- --store=$s --follow --tuning=auto"
Expect 0 0 0 '' --help
Expect 2 0 0 ''
Expect 2 0 0 '' --store=s --out=x
# The page is written whatever the verdict is.
Expect 0 0 0 "$suite
$page
$site" --store=s
# Regressions are bisected; what is not found changes nothing.
Expect 1 1 0 "$suite
run //ci:bisect_published -- --store=$s --suite=full --minutes=60
$page
$site" --store=s
Expect 1 1 0 "$suite
$page
$site" --store=s --bisect_minutes=0
Expect 1 1 0 "$suite --device=rpi3b
run //ci:bisect_published -- --store=$s --suite=full --minutes=5 --device=rpi3b
$page
$site" --store=s --bisect_minutes=5 --device=rpi3b
Expect 4 4 0 "$suite
$page
$site" --store=s
# Not if nothing was measured because of a wrong flag.
Expect 2 2 0 "$suite --frobnicate" --store=s --frobnicate
Expect 5 0 5 "$suite
$page" --store=s
echo 1 > "$tree/site_status"
Expect 5 0 0 "$suite
$page
$site" --store=s
echo 0 > "$tree/site_status"
Expect 0 0 0 "$suite
$page
run //reports:site -- --store=$s --out=$TEST_TMPDIR/x" --store=s --site=x
Expect 0 0 0 "run //suites:full -- --store=$s --follow --tuning=none
$page
$site" --store=s --tuning=none
Expect 0 0 0 "run //suites:full -- --store=$s --tuning=auto --against=base
$page
$site" --store=s --against=base
Expect 0 0 0 "run //suites:ssd -- --store=$s --follow --tuning=auto --device=rpi3b
run //reports:page -- --store=$s --out=$TEST_TMPDIR/p.html
$site" \
  --suite=ssd --store=s --page=p.html --device=rpi3b
# The store is a database.
d=postgres://ci@db/assay
Expect 2 0 0 '' --store=$d
Expect 0 0 0 "run //suites:full -- --store=$d --follow --tuning=auto
run //reports:page -- --store=$d --out=$TEST_TMPDIR/p.html" \
  --store=$d --page=p.html
Expect 0 0 0 "run //suites:full -- --store=$d --follow --tuning=auto
run //reports:page -- --store=$d --out=$TEST_TMPDIR/p.html
run //reports:site -- --store=$d --out=/srv/x" \
  --store=$d --page=p.html --site=/srv/x

exit "$fails"
