#!/bin/sh
# Usage: style.sh CLANG_FORMAT EXCEPTIONS FOLDER
#
# Checks the format of all files in the tree FOLDER: C++ is formatted by
# clang-format, comments have at most 80 columns, files stay within a number of
# lines, header guards are named after the file, and BUILD files are indented
# by spaces and have sorted lists. EXCEPTIONS lists the files that may be
# longer, each with a reason.
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

# One line per complaint.
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
        print exceptions ": the limit of `" $2 "` is not above the usual " limit
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

# Width of comments, in characters: clang-format does not reflow them. A URL
# may be longer, and so may strings that contain programs.
xargs awk '
  /(^|  )\/\/ / && !/:\/\// {
    line = $0
    gsub(/[\200-\277]/, "", line)  # all bytes of a character but the first
    if (length(line) > 80) {
      print FILENAME ": line " FNR ": a comment of " length(line) \
        " columns, more than 80"
    }
  }' < "$work/sources" >> "$work/bad"

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

# `a.cc` includes `a.h` first, which shows that the header compiles on its own.
# cc.bzl relies on this.
xargs awk '
  FNR == 1 {
    header = FILENAME
    seen = !sub(/\.cc$/, ".h", header) || !(header in headers)
  }
  /^#include/ && !seen {
    seen = 1
    if ($2 != "\"" header "\"") {
      print FILENAME ": line " FNR ": the first include is to be `" header "`"
    }
  }
  BEGIN {
    while ((getline file < "'"$work/headers"'") > 0) headers[file] = 1
  }' < "$work/sources" >> "$work/bad"

# BUILD files: indentation and sorted lists, which keep diffs small.
xargs awk '
  # Labels are sorted by repository, then by package, then by name.
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

# clang-format, on all processors.
OUT=$work/format xargs -n 40 -P "$(nproc)" sh -c \
  '"$0" --style=file --dry-run --ferror-limit=1 "$@" > "$OUT.$$" 2>&1 || :' \
  "$clang_format" < "$work/sources"
cat "$work"/format.* |
  sed -n 's/^\([^:]*\):\([0-9]*\):.*clang-format-violations.*/\1: line \2: not formatted; run clang-format -i/p' |
  sort -u -t : -k 1,1 >> "$work/bad"

cat "$work/bad"
echo "$(wc -l < "$work/files") files checked, $(wc -l < "$work/bad") complaints"
[ ! -s "$work/bad" ]
