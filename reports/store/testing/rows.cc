#include "reports/store/testing/rows.h"

#include "absl/strings/str_cat.h"
#include "reports/result/testing/sample_result.h"
#include "runtime/base/random.h"

namespace assay::reports {

RunResult KillTestHeader() {
  RunResult header = SampleResult();
  header.rows.clear();
  return header;
}

Row KillTestRow(int number) {
  Rng rng(static_cast<uint64_t>(number));
  Row row = SampleResult().rows[0];
  row.cell.model = absl::StrCat("model", number);
  row.timing.samples_ns.clear();
  for (int64_t i = rng.UniformInt(100, 400); i > 0; --i) {
    row.timing.samples_ns.push_back(rng.UniformFloat(1e6f, 2e6f));
  }
  return row;
}

}  // namespace assay::reports
