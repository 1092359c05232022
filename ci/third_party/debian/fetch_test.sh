#!/bin/sh
# Tests fetch.sh against a mirror that is a folder: packages arrive, a second
# time without any mirror, and each thing that can go wrong gives one sentence
# that names the package and the way out.
set -eu

scripts=$PWD/ci/third_party/debian
mirror=$TEST_TMPDIR/mirror
lock=$TEST_TMPDIR/lock
out=$TEST_TMPDIR/out
export ASSAY_CACHE="$TEST_TMPDIR/cache"
export ASSAY_DEBIAN_MIRROR="file:$mirror"

fails=0
# Expect STATUS PATTERN NAME COMMAND...: what COMMAND exits with, and what it
# says in exactly one line, or in none for an empty PATTERN.
Expect() {
  status=$1
  pattern=$2
  name=$3
  shift 3
  got=0
  "$@" > "$out" 2>&1 || got=$?
  lines=$(wc -l < "$out")
  want=1
  [ -n "$pattern" ] || want=0
  if [ "$got" != "$status" ] || [ "$lines" != "$want" ] ||
     ! grep -q -e "$pattern" "$out" && [ "$want" = 1 ]; then
    echo "$name: expected status $status and \`$pattern\`, got $got and:"
    cat "$out"
    fails=$((fails + 1))
  fi
}

Fetch() {
  rm -rf "$TEST_TMPDIR/unpacked"
  sh "$scripts/fetch.sh" "$lock" tools amd64 "$TEST_TMPDIR/unpacked"
}

# A package `hello` with one file, and a lock that names it.
mkdir -p "$mirror/pool" "$TEST_TMPDIR/hello/DEBIAN" "$TEST_TMPDIR/hello/usr"
echo 'hello there' > "$TEST_TMPDIR/hello/usr/greeting"
cat > "$TEST_TMPDIR/hello/DEBIAN/control" <<'CONTROL'
Package: hello
Version: 1:2.0-1
Architecture: amd64
Maintainer: Nobody <nobody@example.org>
Description: a greeting
CONTROL
dpkg-deb --build "$TEST_TMPDIR/hello" "$mirror/pool/hello_2.0-1_amd64.deb" \
  > /dev/null
sha=$(sha256sum "$mirror/pool/hello_2.0-1_amd64.deb" | cut -d' ' -f1)
size=$(wc -c < "$mirror/pool/hello_2.0-1_amd64.deb")
# Lock SHA PATH: rewrites the lock.
Lock() {
  echo "# group group-architecture ..." > "$lock"
  echo "tools amd64 hello amd64 1:2.0-1 $1 $size $2" >> "$lock"
}
pool=pool/hello_2.0-1_amd64.deb
Lock "$sha" "$pool"

Expect 0 '' 'a first fetch' Fetch
grep -q 'hello there' "$TEST_TMPDIR/unpacked/usr/greeting" ||
  { echo 'a first fetch: the package is not unpacked'; fails=1; }
grep -q "$sha" "$TEST_TMPDIR/unpacked/stamp" ||
  { echo 'a first fetch: the stamp lacks the hash'; fails=1; }

mv "$mirror" "$mirror.away"
Expect 0 '' 'a second fetch needs no mirror' Fetch
mv "$mirror.away" "$mirror"

echo x >> "$ASSAY_CACHE/debian/$sha.deb"
Expect 1 '`hello` 1:2.0-1 for amd64: the copy in the cache was damaged' \
  'a damaged cache' Fetch
Expect 0 '' 'the fetch after it' Fetch

wrong=$(echo "$sha" | tr '0-9a-f' '1-9a-f0')
Lock "$wrong" "$pool"
Expect 1 '`hello` 1:2.0-1 for amd64: .*does not have the hash in the lock' \
  'a wrong hash' Fetch

Lock "$wrong" "pool/hello_1.0-1_amd64.deb"
Expect 1 '`hello` 1:2.0-1 for amd64 is no longer on the mirror' \
  'a version that vanished' Fetch

# Nothing listens on the discard port.
ASSAY_DEBIAN_MIRROR=http://127.0.0.1:9/debian
Expect 1 '`hello` 1:2.0-1 for amd64: no mirror could be reached' \
  'an unreachable mirror' Fetch
ASSAY_DEBIAN_MIRROR=file:$TEST_TMPDIR/nowhere
printf 'tools amd64\n  hello\n' > "$TEST_TMPDIR/packages"
Expect 1 'no mirror of this machine.s apt gave a signed index of bookworm' \
  'a mirror without an index when relocking' \
  sh "$scripts/relock.sh" "$TEST_TMPDIR/packages" "$lock"
printf 'tools@trixie amd64\n  hello\n' > "$TEST_TMPDIR/packages"
Expect 1 'no mirror of this machine.s apt gave a signed index of trixie' \
  'a group of another release' \
  sh "$scripts/relock.sh" "$TEST_TMPDIR/packages" "$lock"
ASSAY_DEBIAN_MIRROR=file:$mirror

Expect 1 'the lock holds no package of group `llvm` for `arm64`' \
  'a group that is not in the lock' \
  sh "$scripts/fetch.sh" "$lock" llvm arm64 "$TEST_TMPDIR/unpacked"

# A machine with the usual tools but without apt.
mkdir "$TEST_TMPDIR/bin"
for tool in awk cat cp cut dirname grep head mkdir mktemp mv rm sed sh \
    sha256sum; do
  ln -s "$(command -v "$tool")" "$TEST_TMPDIR/bin/$tool"
done
Expect 1 '`apt-get` is not on this machine' 'a machine without apt' \
  env PATH="$TEST_TMPDIR/bin" sh "$scripts/fetch.sh" "$lock" tools amd64 \
  "$TEST_TMPDIR/unpacked"

# prepare.sh makes an unpacked tree independent of its place.
tree=$TEST_TMPDIR/prepared
mkdir -p "$tree/lib/x86_64-linux-gnu" "$tree/lib64" "$tree/usr/share/doc" \
  "$tree/usr/lib/x86_64-linux-gnu"
: > "$tree/lib/x86_64-linux-gnu/ld.so"
ln -s /lib/x86_64-linux-gnu/ld.so "$tree/lib64/ld.so"
echo '/* GNU ld script */ GROUP ( /lib/a.so /usr/lib/b.a )' \
  > "$tree/usr/lib/x86_64-linux-gnu/libc.so"
: > "$tree/usr/lib/unwanted.a"
(cd "$tree" && sh "$scripts/prepare.sh" 'usr/lib/unw*')
[ "$(readlink "$tree/lib64/ld.so")" = ../lib/x86_64-linux-gnu/ld.so ] ||
  { echo 'prepare.sh: a link is still absolute'; fails=1; }
grep -q '( =/lib/a.so =/usr/lib/b.a )' \
  "$tree/usr/lib/x86_64-linux-gnu/libc.so" ||
  { echo 'prepare.sh: a linker script is still absolute'; fails=1; }
[ ! -e "$tree/usr/share/doc" ] && [ ! -e "$tree/usr/lib/unwanted.a" ] ||
  { echo 'prepare.sh: something unwanted is still there'; fails=1; }

exit "$fails"
