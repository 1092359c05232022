#!/bin/sh
# Every emulator starts with its own libraries, and rejects a plug-in that is
# missing instead of ignoring it. Programs and plug-ins have their tests in
# runtime/tools/count.
set -eu

Fail() {
  echo "FAIL: $*"
  exit 1
}

emulate=$PWD/ci/toolchains/emulate_with_plugin
folder=$TEST_TMPDIR

for machine in aarch64 armhf x86_64; do
  "$emulate" "$machine" "$folder" --version > "$folder/out" 2>&1 ||
    Fail "$machine: $(cat "$folder/out")"
  grep -q 'version 7\.2' "$folder/out" || Fail "$machine: $(cat "$folder/out")"
  "$emulate" "$machine" "$folder" -plugin "$folder/none.so" /bin/true \
    > "$folder/out" 2>&1 && Fail "$machine runs without its plug-in"
  grep -q 'none\.so' "$folder/out" || Fail "$machine: $(cat "$folder/out")"
done

"$emulate" sparc "$folder" --version > "$folder/out" 2>&1 && Fail "runs sparc"
grep -q '`sparc` is not the name of a machine' "$folder/out" ||
  Fail "sparc: $(cat "$folder/out")"
"$emulate" aarch64 "$folder/none" --version > "$folder/out" 2>&1 &&
  Fail "runs in a folder that does not exist"
echo PASS
