#!/bin/sh
# Tests fetch.sh with a Python that is a script: a wheel arrives, a second time
# without asking, and whatever goes wrong gives one sentence and status 1.
set -eu

script=$PWD/ci/third_party/wheels/fetch.sh
bin=$TEST_TMPDIR/bin
out=$TEST_TMPDIR/out
export ASSAY_CACHE="$TEST_TMPDIR/cache"
fails=0

echo 'a wheel' > "$TEST_TMPDIR/wheel"
sha=$(sha256sum "$TEST_TMPDIR/wheel" | cut -d' ' -f1)

# The commands that the script may use, and no Python.
mkdir "$bin"
for tool in cp cut head mkdir mktemp mv rm sed sh sha256sum; do
  ln -s "$(command -v "$tool")" "$bin/$tool"
done

# Expect STATUS PATTERN NAME SHA: what fetch.sh exits with, and what it says in
# exactly one line, or in none for an empty PATTERN.
Expect() {
  rm -f "$TEST_TMPDIR/got"
  got=0
  PATH="$bin" sh "$script" blas some-blas 1.2.3 "$4" linux_9 \
    "$TEST_TMPDIR/got" > "$out" 2>&1 || got=$?
  want=1
  [ -n "$2" ] || want=0
  if [ "$got" != "$1" ] || [ "$(wc -l < "$out")" != "$want" ] ||
     ! grep -q -e "$2" "$out" && [ "$want" = 1 ]; then
    echo "$3: expected status $1 and \`$2\`, got $got and:"
    cat "$out"
    fails=$((fails + 1))
  fi
}

# Saw PATTERN: pip was last called with arguments that contain PATTERN.
Saw() {
  grep -q -e "$1" "$TEST_TMPDIR/arguments" || {
    echo "pip was called without \`$1\`:"
    cat "$TEST_TMPDIR/arguments"
    fails=$((fails + 1))
  }
}

Expect 1 'some-blas 1.2.3 could not be fetched: `python3 -m pip` does not work' \
  'a machine without Python' "$sha"

cat > "$bin/python3" <<PYTHON
#!/bin/sh
case "\$*" in *--version) exit 0 ;; esac
echo "\$*" > "$TEST_TMPDIR/arguments"
[ ! -f "$TEST_TMPDIR/offline" ] || { echo ' ERROR: no route'; exit 1; }
while [ "\$1" != --dest ]; do shift; done
sed 's/^/requirement: /' "\$4" >> "$TEST_TMPDIR/arguments"
cp "$TEST_TMPDIR/wheel" "\$2/some_blas.whl"
PYTHON
chmod +x "$bin/python3"

: > "$TEST_TMPDIR/offline"
Expect 1 'could not be fetched: no route; check the network' 'no network' "$sha"
Expect 1 'run `./bazelw sync --only=blas`' 'the way to try again' "$sha"
rm "$TEST_TMPDIR/offline"

Expect 1 'does not have the hash 0123' 'a wrong hash' 0123
Expect 0 '' 'a wheel' "$sha"
Saw '--platform linux_9 '
Saw "^requirement: some-blas==1.2.3 --hash=sha256:$sha\$"
cmp -s "$TEST_TMPDIR/got" "$TEST_TMPDIR/wheel" ||
  { echo 'a wheel: the file is another'; fails=1; }

: > "$TEST_TMPDIR/offline"
Expect 0 '' 'a second time' "$sha"
echo x >> "$ASSAY_CACHE/wheels/$sha.whl"
Expect 1 'no route' 'a damaged copy is fetched again' "$sha"

exit "$fails"
