#!/bin/sh
# Usage: shorten.sh FOLDER FILE...
#
# Writes HTML, JavaScript and CSS files to FOLDER without indentation, without
# empty lines and without lines that are comments, and CSS without the space
# before values and braces.
set -eu

folder=$1
shift

for file; do
  case $file in
    *.css) spaces='s/: /:/; s/ {$/{/' ;;
    *) spaces= ;;
  esac
  sed -e 's/^ *//' -e '/^$/d' -e '/^\/\/\( .*\)\{0,1\}$/d' \
    -e '/^\/\*.*\*\/$/d' -e '/^\/\*/,/\*\/$/d' -e "$spaces" "$file" \
    > "$folder/$(basename "$file")"
done
