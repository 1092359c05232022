#!/bin/sh
# Usage: embed.sh NAME=FILE...
#
# Prints a C++ source that defines for each argument the function NAME() of
# assets.h, which returns the contents of FILE.
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
