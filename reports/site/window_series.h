// WindowSeries: the series (reports/history/series.h) of the cells of a store
// in a range of runs, made of the summaries of the rows.
//
// The steps are those of BuildSeries(). Whether two nights differ is decided by
// the numbers of their texts; only if they do, the texts are read. Series of
// single kernels are left out.
#ifndef ASSAY_REPORTS_SITE_WINDOW_SERIES_H_
#define ASSAY_REPORTS_SITE_WINDOW_SERIES_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "reports/history/change.h"
#include "reports/history/series.h"
#include "reports/store/summary/store_summary.h"

namespace assay::reports {

struct CellSeries {
  size_t cell = 0;  // index into StoreSummary::cells()
  Series series;    // without a row
};

class WindowSeries {
 public:
  // `store` must outlive the object.
  explicit WindowSeries(const StoreSummary& store) : store_(store) {}

  struct Window {
    // The series have the runs [first, end). Latencies of programs with a
    // digest, whose steps depend on the night before only, begin later.
    uint32_t first = 0;
    uint32_t first_with_digest = 0;
    uint32_t end = 0;
    // The cells [first_cell, end_cell).
    size_t first_cell = 0;
    size_t end_cell = 0;
  };
  // Returns the series in the order of the cells.
  absl::StatusOr<std::vector<CellSeries>> Build(const Window& window);

 private:
  struct Growing;

  // Returns the name of a machine, MachineOf() in change.h, by its text.
  absl::StatusOr<const std::string*> MachineName(uint32_t text);
  absl::Status Add(const SummarizedCell& cell, const RowSummary& row,
                   float value, Growing& growing);
  absl::StatusOr<Change> ChangeOf(Metric metric, const RowSummary& before,
                                  const RowSummary& after);
  const Change& EnvironmentChange(uint32_t before, uint32_t after);
  // Returns what the texts of a row say.
  absl::StatusOr<const Row*> RowOf(const RowSummary& summary);

  const StoreSummary& store_;
  absl::flat_hash_map<uint32_t, std::unique_ptr<std::string>> machines_;
  // By program, method and machine. Parsing a row takes longer than comparing
  // it, and it is compared with the nights before and after it.
  absl::flat_hash_map<std::array<uint32_t, 3>, std::unique_ptr<Row>> rows_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, Change> environments_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_WINDOW_SERIES_H_
