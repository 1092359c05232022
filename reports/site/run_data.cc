#include "reports/site/run_data.h"

#include "absl/strings/string_view.h"
#include "reports/site/data_script.h"

namespace assay::reports {

// Browsers read the medians as little-endian numbers.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

std::vector<RunColumns> ColumnsOfRuns(const SiteModel& model,
                                      const std::vector<bool>& wanted) {
  std::vector<RunColumns> columns(model.runs().size());
  for (size_t run = 0; run < columns.size(); ++run) {
    if (!wanted[run]) continue;
    columns[run].medians.assign(model.cells.size(), kNoValue);
    columns[run].statuses.assign(model.cells.size(), 255);
  }
  for (size_t id = 0; id < model.cells.size(); ++id) {
    const SummarizedCell* cell = model.cells[id].cell;
    if (cell == nullptr) continue;
    for (const RowSummary& row : cell->rows) {
      if (!wanted[row.run]) continue;
      RunColumns& of_run = columns[row.run];
      if (row.IsNight()) of_run.medians[id] = row.median;
      of_run.statuses[id] =
          static_cast<uint8_t>(StatusNumber(StatusOfRow(row)));
    }
  }
  return columns;
}

std::string RunScript(const SiteModel& model, uint32_t run,
                      const RunColumns& columns) {
  const RunResult& header = model.runs()[run].header;
  DataScript script("run");
  script.Json("run", run);
  script.Json("started_at", header.started_at);
  script.Json("commit", header.commit);
  script.Bytes("medians",
               {reinterpret_cast<const char*>(columns.medians.data()),
                columns.medians.size() * sizeof(float)});
  script.Bytes("verdicts",
               {reinterpret_cast<const char*>(columns.statuses.data()),
                columns.statuses.size()});
  return std::move(script).Finish();
}

}  // namespace assay::reports
