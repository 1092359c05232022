#include "reports/store/testing/rows.h"

#include "absl/strings/str_cat.h"
#include "reports/render/testing.h"
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
  row.model = absl::StrCat("model", number);
  row.samples_ms.clear();
  for (int64_t i = rng.UniformInt(100, 400); i > 0; --i) {
    row.samples_ms.push_back(rng.UniformFloat(1, 2));
  }
  return row;
}

}  // namespace assay::reports
