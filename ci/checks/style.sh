#!/bin/sh
# Usage: style.sh CLANG_FORMAT EXCEPTIONS FOLDER
#
# Checks how the files of the tree FOLDER look: formatted by clang-format,
# short enough to be read in one go, guarded by a macro that is named after
# the file; BUILD files indented by spaces and their dependencies sorted.
# EXCEPTIONS lists the files that may be longer, each with its reason.
set -eu
export LC_ALL=C

clang_format=$1
exceptions=$2
root=$3

cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find . -type f \( -name '*.h' -o -name '*.cc' -o -name '*.bzl' -o -name BUILD \
    -o -name '*.BUILD' -o -name '*.sh' \) -not -path './.git/*' \
    -not -path './bazel-*' | sed 's,^\./,,' | sort > "$work/files"
grep -e '\.h$' -e '\.cc$' "$work/files" > "$work/sources" || true
grep -e 'BUILD$' "$work/files" > "$work/builds" || true
[ -s "$work/sources" ] || { echo "no sources under \`$root\`"; exit 1; }

# Every complaint is one line in $work/bad.
: > "$work/bad"

# Length.
xargs wc -l < "$work/files" | awk -v exceptions="$exceptions" '
  BEGIN {
    while ((getline line < exceptions) > 0) {
      if (line ~ /^#/ || line == "") continue
      n = split(line, word, " ")
      if (n < 3) {
        print exceptions ": `" line "` lacks a reason"
        continue
      }
      longer[word[1]] = word[2]
    }
  }
  $2 == "total" { next }
  {
    limit = 500
    if ($2 ~ /_test\.cc$/) limit = 800
    else if ($2 ~ /\.h$/) limit = 200
    else if ($2 ~ /BUILD$/ || $2 ~ /\.bzl$/) limit = 300
    if ($2 in longer) {
      seen[$2] = 1
      if (longer[$2] + 0 <= limit) {
        print exceptions ": `" $2 "` is allowed no more than everybody is"
      }
      limit = longer[$2] > 1000 ? 1000 : longer[$2] + 0
    }
    if ($1 > limit) {
      print $2 ": " $1 " lines, more than " limit "; split it, or give a " \
        "reason in ci/checks/size_exceptions"
    }
  }
  END {
    for (file in longer) {
      if (!(file in seen)) print exceptions ": `" file "` does not exist"
    }
  }' >> "$work/bad"

# Header guards.
grep '\.h$' "$work/sources" > "$work/headers" || true
xargs awk '
  function finish() {
    if (file == "") return
    if (!(ifndef && define && last ~ "^#endif  /[/*] " guard "( \\*/)?$")) {
      print file ": the header guard is to be `" guard "`, with `#endif  // " \
        guard "` as the last line"
    }
  }
  FNR == 1 {
    finish()
    file = FILENAME
    guard = toupper(file)
    gsub(/[^A-Z0-9_]/, "_", guard)
    guard = "ASSAY_" guard "_"
    ifndef = define = 0
  }
  $1 == "#ifndef" && $2 == guard { ifndef = 1 }
  $1 == "#define" && $2 == guard { define = 1 }
  { last = $0 }
  END { finish() }' < "$work/headers" >> "$work/bad"

# BUILD files: what a formatter would do, as far as it keeps diffs small.
xargs awk '
  # Labels are sorted by where they are, then by package, then by name.
  function key(label,  place) {
    place = label ~ /^":/ ? 1 : label ~ /^"\/\// ? 2 : label ~ /^"@/ ? 3 : 0
    gsub(/"/, "", label)
    sub(/:/, "!", label)
    return place label
  }
  /\t/ { print FILENAME ": line " FNR ": a tab; indent by 4 spaces" }
  /[ ]$/ { print FILENAME ": line " FNR ": blanks at the end" }
  /^    (deps|hdrs|srcs|data|visibility) = \[$/ { inside = 1; last = ""; next }
  /^    \]/ { inside = 0 }
  inside && /^        "/ {
    item = $1
    sub(/,$/, "", item)
    if (last != "" && key(item) < last) {
      print FILENAME ": line " FNR ": " $1 " is not in order; sort the list"
    }
    last = key(item)
  }' < "$work/builds" >> "$work/bad"

# Formatting, on all processors.
OUT=$work/format xargs -n 40 -P "$(nproc)" sh -c \
  '"$0" --style=file --dry-run --ferror-limit=1 "$@" > "$OUT.$$" 2>&1 || :' \
  "$clang_format" < "$work/sources"
cat "$work"/format.* |
  sed -n 's/^\([^:]*\):\([0-9]*\):.*clang-format-violations.*/\1: line \2: not formatted; run clang-format -i/p' |
  sort -u -t : -k 1,1 >> "$work/bad"

cat "$work/bad"
echo "$(wc -l < "$work/files") files checked, $(wc -l < "$work/bad") complaints"
[ ! -s "$work/bad" ]
