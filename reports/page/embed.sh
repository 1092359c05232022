#!/bin/sh
# Usage: embed.sh HEADER NAMESPACE NAME=FILE...
#
# Prints a C++ source that defines for each argument the function NAME() of
# HEADER, in NAMESPACE, which returns the contents of FILE.
set -eu

header=$1
namespace=$2
shift 2

echo "#include \"$header\""
echo
echo "namespace $namespace {"
for asset; do
  echo
  echo "absl::string_view ${asset%%=*}() {"
  printf '  return R"asset('
  cat "${asset#*=}"
  echo ')asset";'
  echo '}'
done
echo
echo "}  // namespace $namespace"
