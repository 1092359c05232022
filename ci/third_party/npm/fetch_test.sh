#!/bin/sh
# Tests fetch.sh with an npm that is a script: an archive arrives, a second time
# without asking, and whatever goes wrong gives one sentence and status 1.
set -eu

script=$PWD/ci/third_party/npm/fetch.sh
bin=$TEST_TMPDIR/bin
out=$TEST_TMPDIR/out
lock=$TEST_TMPDIR/lock
export ASSAY_CACHE="$TEST_TMPDIR/cache"
fails=0

echo 'an archive' > "$TEST_TMPDIR/archive"
sha=$(sha512sum "$TEST_TMPDIR/archive" | cut -d' ' -f1)
echo "charts 1.2.3 $sha" > "$lock"
echo "other 1.0.0 0123" >> "$lock"
echo "@scope/charts 1.2.3 $sha" >> "$lock"

# The commands that the script may use, and no npm.
mkdir "$bin"
for tool in awk cp cut mkdir mktemp mv rm sed sh sha512sum; do
  ln -s "$(command -v "$tool")" "$bin/$tool"
done

# Expect STATUS PATTERN NAME PACKAGE: what fetch.sh exits with, and what it says
# in exactly one line, or in none for an empty PATTERN.
Expect() {
  rm -f "$TEST_TMPDIR/got"
  got=0
  PATH="$bin" sh "$script" "$lock" "$4" "$TEST_TMPDIR/got" > "$out" 2>&1 ||
    got=$?
  want=1
  [ -n "$2" ] || want=0
  if [ "$got" != "$1" ] || [ "$(wc -l < "$out")" != "$want" ] ||
     ! grep -q -e "$2" "$out" && [ "$want" = 1 ]; then
    echo "$3: expected status $1 and \`$2\`, got $got and:"
    cat "$out"
    fails=$((fails + 1))
  fi
}

Expect 1 '`unknown` could not be fetched: it is not in' 'no such' unknown
Expect 1 '`npm` is not on this machine' 'a machine without npm' charts

cat > "$bin/npm" <<NPM
#!/bin/sh
[ ! -f "$TEST_TMPDIR/offline" ] ||
  { echo 'npm error no route'; echo 'npm error at all'; exit 1; }
for last; do :; done
cp "$TEST_TMPDIR/archive" \
  "\$(echo "\$last" | sed -e 's,^@,,' -e 's,/,-,' -e 's/@/-/').tgz"
NPM
chmod +x "$bin/npm"

: > "$TEST_TMPDIR/offline"
Expect 1 'could not be fetched: no route; check the network' 'no network' charts
rm "$TEST_TMPDIR/offline"

Expect 1 'does not have the hash in the lock' 'a wrong hash' other
Expect 0 '' 'an archive' charts
cmp -s "$TEST_TMPDIR/got" "$TEST_TMPDIR/archive" ||
  { echo 'an archive: the file is another'; fails=1; }

Expect 0 '' 'an archive of a scope' @scope/charts

: > "$TEST_TMPDIR/offline"
Expect 0 '' 'a second time' charts
echo x >> "$ASSAY_CACHE/npm/charts-1.2.3.tgz"
Expect 1 'no route' 'a damaged copy is fetched again' charts

exit "$fails"
