#include "suites/harness/cell_filter.h"

#include <fnmatch.h>

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace assay::suites {

std::string CellName(absl::string_view model, absl::string_view device,
                     const reports::Variant& variant, int threads) {
  return absl::StrCat(
      model, "/", device, "/", reports::VariantName(variant, '/'), "/threads_",
      threads == 0 ? std::string("all") : absl::StrCat(threads));
}

bool MatchesCell(const std::vector<std::string>& patterns,
                 const std::string& cell) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
           return fnmatch(p.c_str(), cell.c_str(), 0) == 0;
         });
}

}  // namespace assay::suites
