#include "reports/site/run_data.h"

#include <vector>

#include "absl/strings/string_view.h"
#include "reports/site/data_script.h"

namespace assay::reports {

// Browsers read the medians as little-endian numbers.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

std::string RunScript(const SiteModel& model, uint32_t run) {
  // By ID: NaN and 255 if there is none.
  std::vector<float> medians(model.cells.size(), kNoValue);
  std::vector<uint8_t> statuses(model.cells.size(), 255);
  for (const RowSummary& row : model.runs()[run].rows) {
    const size_t id = model.id_of[row.cell];
    if (row.IsNight()) medians[id] = row.median;
    statuses[id] = static_cast<uint8_t>(StatusNumber(StatusOfRow(row)));
  }
  const RunResult& header = model.runs()[run].header;
  DataScript script("run");
  script.Json("run", run);
  script.Json("started_at", header.started_at);
  script.Json("commit", header.commit);
  script.Bytes("medians", {reinterpret_cast<const char*>(medians.data()),
                           medians.size() * sizeof(float)});
  script.Bytes("verdicts", {reinterpret_cast<const char*>(statuses.data()),
                            statuses.size()});
  return std::move(script).Finish();
}

}  // namespace assay::reports
