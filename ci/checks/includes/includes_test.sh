#!/bin/sh
# Tests that the compiler reports includes that no `deps` provide and headers
# that do not compile on their own.
set -eu

fails=0
# Expect NAME PATTERN: a line of the messages of the target NAME.
Expect() {
  if ! grep -q -e "$2" "ci/checks/includes/$1_messages.txt"; then
    echo "$1: expected a line like \`$2\`, got:"
    cat "ci/checks/includes/$1_messages.txt"
    fails=$((fails + 1))
  fi
}

Expect correct '^no error$'
Expect uses_indirect 'error: module .* does not .*depend on a module exporting .*indirect\.h'
Expect uses_internal 'error: use of private header from outside its module: .*internal\.h'
Expect incomplete "error: use of undeclared identifier 'std'"

exit "$fails"
