#include "reports/store/cell_name.h"

#include <fnmatch.h>

#include "absl/strings/str_cat.h"

namespace assay::reports {

std::string CellNameOf(const Row& row) {
  return absl::StrCat(row.suite, "/", row.cell.model, "/", row.cell.device, "/",
                      VariantName(row.cell.variant, '/'), "/threads_",
                      row.cell.threads);
}

bool MatchesCellName(const std::string& pattern, const std::string& cell) {
  return fnmatch(pattern.c_str(), cell.c_str(), 0) == 0;
}

}  // namespace assay::reports
