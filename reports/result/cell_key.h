// CellKey: identifies a cell of the matrix within one suite and one machine,
// for example the row of a result and the row of a baseline that it is compared
// with.
#ifndef ASSAY_REPORTS_RESULT_CELL_KEY_H_
#define ASSAY_REPORTS_RESULT_CELL_KEY_H_

#include <string>

#include "reports/result/equal_fields.h"

namespace assay::reports {

struct CellKey {
  std::string model;
  std::string device;
  bool fusion = true;
  int threads = 1;

  auto Fields() const { return std::tie(model, device, fusion, threads); }
};

inline bool operator<(const CellKey& a, const CellKey& b) {
  return a.Fields() < b.Fields();
}

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_CELL_KEY_H_
