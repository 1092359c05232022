#!/bin/sh
# Usage: constructors.sh FOLDER
#
# Prints every constructor in the C++ files of the tree FOLDER that takes more
# than six parameters, and fails if there is one. A class that needs so many
# things has several tasks, or some of the things belong together.
set -eu
export LC_ALL=C

cd "$1"
find ci compiler devices reports rpc runtime suites tests \
    \( -name '*.h' -o -name '*.cc' \) 2>/dev/null | sort |
  xargs awk -v most=6 '
  # Removes comments, strings and characters, which may hold anything.
  function code(line) {
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, "\"\"", line)
    gsub(/\047[^\047]*\047/, "0", line)
    sub(/\/\/.*/, "", line)
    return line
  }
  # The number of parameters of the list that begins `text`, behind the
  # parenthesis. Sets `after` to the character behind the list.
  function parameters(text,  i, c, depth, n, any) {
    depth = 1
    n = 1
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      if (c ~ /[(<{[]/) depth++
      if (c ~ /[])}]/ || (c == ">" && substr(text, i - 1, 1) != "-")) depth--
      if (depth == 0) break
      if (c !~ /[ \t\n]/) any = 1
      if (c == "," && depth == 1) n++
    }
    text = substr(text, i + 1)
    sub(/^[ \n]*/, "", text)
    after = substr(text, 1, 1)
    return any ? n : 0
  }
  function check(file, text,  rest, at, name, before, n) {
    rest = text
    while (match(rest, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
      before = substr(rest, 1, RSTART - 1)
      name = substr(rest, RSTART, RLENGTH - 1)
      rest = substr(rest, RSTART + RLENGTH)
      if (!(name in classes)) continue
      sub(/[ \n]*(explicit|constexpr|inline)[ \n]*$/, ";", before)
      sub(/[ \n]*$/, "", before)
      # A declaration, and not a call that makes a temporary.
      if (before !~ /[;{}]$/ && before !~ /(public|protected|private):$/ &&
          before !~ ("(^|[^A-Za-z_0-9])" name "(<[A-Za-z, ]*>)?::$")) {
        continue
      }
      n = parameters(rest)
      if (n <= most || after !~ /[:;{=n]/) continue
      print file ": the constructor of `" name "` takes " n \
        " parameters, more than " most
      bad++
    }
  }
  FNR == 1 {
    if (text != "") check(file, text)
    text = ""
    split("", classes)
    file = FILENAME
    files++
  }
  {
    line = code($0)
    # A member function defined outside of its class names the class twice.
    if (match(line, /(class|struct) [A-Z][A-Za-z_0-9]*/)) {
      split(substr(line, RSTART, RLENGTH), word, " ")
      classes[word[2]] = 1
    }
    if (match(line, /[A-Z][A-Za-z_0-9]*::[A-Z][A-Za-z_0-9]*\(/)) {
      split(substr(line, RSTART, RLENGTH - 1), word, "::")
      if (word[1] == word[2]) classes[word[1]] = 1
    }
    text = text line "\n"
  }
  END {
    if (text != "") check(file, text)
    print files + 0 " files checked, " bad + 0 " constructors are too wide"
    exit bad > 0 || files == 0
  }'
