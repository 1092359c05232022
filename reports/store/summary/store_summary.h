// StoreSummary: the summaries of all rows of a store, by run and by cell, in
// memory. It takes about 80 bytes a row.
//
// A run has at most one row of a cell: of several, as after a resumed run, the
// last one. Runs are ordered by start time, then by name.
#ifndef ASSAY_REPORTS_STORE_SUMMARY_STORE_SUMMARY_H_
#define ASSAY_REPORTS_STORE_SUMMARY_STORE_SUMMARY_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/result/run_result.h"
#include "reports/store/record.h"
#include "reports/store/record_log.h"
#include "reports/store/summary/row_summary.h"
#include "reports/store/summary/summary_cache.h"
#include "reports/store/summary/texts.h"

namespace assay::reports {

struct SummarizedRun {
  std::string name;
  // Names the contents of the segments of the run.
  std::string state;
  RunResult header;  // without rows
  // In the order in which they were completed. RowSummary::cell is an index
  // into StoreSummary::cells().
  std::vector<RowSummary> rows;
};

struct SummarizedCell {
  std::string suite;
  CellKey key;
  std::string name;  // CellNameOf() (reports/store/cell_name.h)
  // Of the runs, in ascending order of the run; there is at least one.
  std::vector<const RowSummary*> rows;
  std::vector<const RowSummary*> nights;  // those with RowSummary::IsNight()
  // `row` of these is the run; in ascending order.
  std::vector<ComparisonSummary> comparisons;
  std::vector<KernelSummary> kernels;
};

class StoreSummary {
 public:
  // Reads the store in a folder with its cache. Returns NotFound if the folder
  // does not exist.
  static absl::StatusOr<StoreSummary> Read(const std::string& folder);
  // Summarizes records that were read from elsewhere.
  static absl::StatusOr<StoreSummary> Of(std::vector<Record> records);

  const std::vector<SummarizedRun>& runs() const { return runs_; }
  // Ordered by suite and key.
  const std::vector<SummarizedCell>& cells() const { return cells_; }
  const std::vector<CorruptRecord>& corrupt_records() const {
    return corrupt_records_;
  }

  // The following functions may be called by several threads at the same time.

  // Returns the text with this number (row_summary.h). Texts that were asked
  // for stay in memory.
  absl::StatusOr<const std::string*> Text(uint32_t number) const;
  // Reads texts at once, which takes less time than one after the other.
  absl::Status LoadTexts(absl::Span<const uint32_t> numbers) const;
  // Returns the record of a row.
  absl::StatusOr<Record> ReadRecord(const RowSummary& row) const;

  // The comparison of the cell in a run; nullptr if there is none.
  static const ComparisonSummary* ComparisonOf(const SummarizedCell& cell,
                                               uint32_t run);

  // SummaryCache::Get and Put; without a cache, nothing is kept.
  std::optional<std::string> Get(absl::string_view name,
                                 absl::string_view key) const;
  absl::Status Put(absl::string_view name, absl::string_view key,
                   absl::string_view data) const;

 private:
  StoreSummary() = default;
  // Returns DataLoss if the cache is damaged.
  static absl::StatusOr<StoreSummary> ReadCached(const std::string& folder);
  // Takes over the parts of the runs, in the order of the runs.
  absl::Status Build(std::vector<CachedRun> parts);
  // Makes the cells of these texts, ordered. Returns the index of each cell by
  // its text.
  absl::StatusOr<std::vector<uint32_t>> MakeCells(
      const std::vector<bool>& texts);

  std::string folder_;
  std::unique_ptr<SummaryCache> cache_;  // null for records from elsewhere
  std::vector<Record> records_;          // if there is no cache
  Texts texts_;                          // if there is no cache
  std::vector<std::string> segments_;
  // Guards the cache and `known_`.
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable absl::flat_hash_map<uint32_t, std::unique_ptr<std::string>> known_;
  std::vector<SummarizedRun> runs_;
  std::vector<SummarizedCell> cells_;
  std::vector<CorruptRecord> corrupt_records_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_STORE_SUMMARY_H_
