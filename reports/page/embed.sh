#!/bin/sh
# Usage: embed.sh NAME=FILE...
#
# Prints a C++ source that defines, for each, a function NAME() of assets.h that
# returns what is in FILE.
set -eu

echo '#include "reports/page/assets.h"'
echo
echo 'namespace assay::reports {'
for asset; do
  echo
  echo "absl::string_view ${asset%%=*}() {"
  printf '  return R"asset('
  cat "${asset#*=}"
  echo ')asset";'
  echo '}'
done
echo
echo '}  // namespace assay::reports'
