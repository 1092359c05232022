#include "suites/harness/compiler/dump_folder.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::suites {

std::string DumpFolder::For(const reports::CellKey& cell) const {
  if (path.empty()) return "";
  return JoinPath(
      several_models ? JoinPath(path, cell.model) : path,
      absl::StrCat(cell.device, ".", VariantName(cell.variant, '.')));
}

}  // namespace assay::suites
