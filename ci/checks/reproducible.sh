#!/bin/sh
# Usage: ci/checks/reproducible.sh [TARGET]
#
# Builds TARGET, the device program unless another is named, for every machine
# in two folders of different depth, each with an output folder of its own and
# without any cache of results, and compares the SHA-256 of what comes out.
# A difference means that something of the build's place or time got in.
#
# Not a test of `//...`, because it runs Bazel itself; the nightly run calls it.
set -eu

target=${1:-//runtime/tools:bench_artifact}
tree=$(cd "$(dirname "$0")/../.." && pwd)
bazel=$(command -v bazel || command -v bazelisk) || {
  echo "reproducible.sh: there is no \`bazel\`; run ./bazelw once" >&2
  exit 1
}
work=$(mktemp -d)
Clean() {
  for place in a b/deeper; do
    [ ! -d "$work/$place/tree" ] || (
      cd "$work/$place/tree"
      "$bazel" --output_base="$work/$place/out" shutdown
    ) > /dev/null 2>&1 || true
  done
  # Bazel takes the right to write away from what it made.
  chmod -R u+w "$work" && rm -rf "$work"
}
trap Clean EXIT
trap 'exit 1' HUP INT TERM

for place in a b/deeper; do
  mkdir -p "$work/$place/tree"
  # What is committed, and nothing that lies about.
  (cd "$tree" && git archive HEAD) | tar -x -C "$work/$place/tree"
  for machine in x86_64 aarch64 armhf; do
    (
      cd "$work/$place/tree"
      "$bazel" --output_base="$work/$place/out" build "$target" \
        --platforms="//ci/toolchains:$machine" --noshow_progress \
        --ui_event_filters=-info
      file=$(echo "${target#//}" | tr : /)
      echo "$(sha256sum < "bazel-bin/$file" | cut -d' ' -f1) $machine"
    ) >> "$work/$place/sums" || exit 1
  done
done

cat "$work/a/sums"
if cmp -s "$work/a/sums" "$work/b/deeper/sums"; then
  echo "$target is the same from both folders"
else
  echo "$target differs; from the other folder came:"
  cat "$work/b/deeper/sums"
  exit 1
fi
