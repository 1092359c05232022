// CellKey: identifies a cell (one combination of model, device, variant and
// number of threads) within one suite on one machine. A row of a result is
// compared with the row of a baseline that has the same key.
#ifndef ASSAY_REPORTS_RESULT_CELL_KEY_H_
#define ASSAY_REPORTS_RESULT_CELL_KEY_H_

#include <string>

#include "reports/result/equal_fields.h"
#include "reports/result/variant.h"

namespace assay::reports {

struct CellKey {
  std::string model;
  std::string device;
  Variant variant;
  int threads = 1;

  auto Fields() const { return std::tie(model, device, variant, threads); }
};

inline bool operator<(const CellKey& a, const CellKey& b) {
  return a.Fields() < b.Fields();
}

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_CELL_KEY_H_
