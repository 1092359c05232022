#include "reports/history/cell_name.h"

namespace assay::reports {

CellName NameOf(const Row& row) {
  const CellKey& cell = row.cell;
  std::vector<int> variant;
  for (const Dimension& dimension : kDimensions) {
    variant.push_back(
        dimension.IsDefault(cell.variant) ? -1 : dimension.get(cell.variant));
  }
  return {row.suite, cell.model, cell.device, variant, cell.threads};
}

}  // namespace assay::reports
