#include "reports/store/summary/store_summary.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/store/cell_name.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr size_t kMaxReserved = 1024;

// Removes the items of `run` from the end.
template <typename T>
void DropRun(uint32_t run, std::vector<T>& items) {
  while (!items.empty() && items.back().row == run) items.pop_back();
}

}  // namespace

absl::StatusOr<StoreSummary> StoreSummary::Read(const std::string& folder) {
  StoreSummary store;
  store.folder_ = folder;
  ASSAY_ASSIGN_OR_RETURN(SummaryCache cache, SummaryCache::Open(folder));
  store.cache_ = std::make_unique<SummaryCache>(std::move(cache));
  ASSAY_ASSIGN_OR_RETURN(store.expected_runs_, store.cache_->CountRuns());
  absl::Status added;
  ASSAY_RETURN_IF_ERROR(store.cache_->ReadRuns([&](CachedRun run) {
    if (added.ok()) added = store.AddRun(std::move(run));
  }));
  ASSAY_RETURN_IF_ERROR(added);
  store.corrupt_records_ = store.cache_->corrupt_records();
  store.Finish();
  return store;
}

absl::StatusOr<StoreSummary> StoreSummary::Of(std::vector<Record> records) {
  StoreSummary store;
  store.records_ = std::move(records);
  Summarizer summarizer;
  for (size_t i = 0; i < store.records_.size(); ++i) {
    summarizer.Add(store.records_[i], static_cast<int64_t>(i));
  }
  store.texts_ = summarizer.texts();
  std::map<std::pair<std::string, std::string>, RunSummary*> ordered;
  for (RunSummary& run : summarizer.runs()) {
    ordered[{run.header.started_at, run.run}] = &run;
  }
  for (auto& [key, run] : ordered) {
    const std::string state = absl::StrCat(run->rows.size());
    ASSAY_RETURN_IF_ERROR(store.AddRun({"", state, std::move(*run)}));
  }
  store.Finish();
  return store;
}

absl::Status StoreSummary::AddRun(CachedRun cached) {
  RunSummary& summary = cached.summary;
  if (runs_.empty() || runs_.back().name != summary.run) {
    runs_.push_back({summary.run, "", std::move(summary.header)});
  } else if (summary.header.canary.size() > runs_.back().header.canary.size()) {
    runs_.back().header.canary = std::move(summary.header.canary);
  }
  absl::StrAppend(&runs_.back().state, cached.segment, " ", cached.state, "\n");
  const auto run = static_cast<uint32_t>(runs_.size() - 1);
  const auto segment = segment_numbers_.try_emplace(
      cached.segment, static_cast<uint32_t>(segments_.size()));
  if (segment.second) segments_.push_back(cached.segment);
  std::vector<size_t> cells;
  for (RowSummary& row : summary.rows) {
    ASSAY_ASSIGN_OR_RETURN(const size_t number, CellOf(row.cell));
    cells.push_back(number);
    SummarizedCell& cell = cells_[number];
    row.segment = segment.first->second;
    row.run = run;
    if (!cell.rows.empty() && cell.rows.back().run == run) {
      cell.rows.back() = row;
      DropRun(run, cell.comparisons);
      DropRun(run, cell.kernels);
    } else {
      cell.rows.push_back(row);
    }
  }
  // They are in the order of the rows, so the last one of a row that was
  // replaced within this part is kept.
  for (ComparisonSummary comparison : summary.comparisons) {
    if (comparison.row >= cells.size()) {
      return absl::DataLossError("the summaries of the store are damaged");
    }
    SummarizedCell& cell = cells_[cells[comparison.row]];
    if (cell.rows.back().offset != summary.rows[comparison.row].offset)
      continue;
    comparison.row = run;
    cell.comparisons.push_back(comparison);
  }
  for (KernelSummary kernel : summary.kernels) {
    if (kernel.row >= cells.size()) {
      return absl::DataLossError("the summaries of the store are damaged");
    }
    SummarizedCell& cell = cells_[cells[kernel.row]];
    if (cell.rows.back().offset != summary.rows[kernel.row].offset) continue;
    kernel.row = run;
    cell.kernels.push_back(kernel);
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> StoreSummary::CellOf(uint32_t text) {
  const auto known = cell_numbers_.find(text);
  if (known != cell_numbers_.end()) return known->second;
  ASSAY_ASSIGN_OR_RETURN(const std::string* form, Text(text));
  ASSAY_ASSIGN_OR_RETURN(CellText parsed, ParseCellText(*form));
  Row row;
  row.suite = parsed.suite;
  row.cell = parsed.key;
  cell_numbers_.emplace(text, cells_.size());
  cells_.push_back({std::move(parsed.suite),
                    std::move(parsed.key),
                    CellNameOf(row),
                    {},
                    {},
                    {}});
  // Growing the rows of thousands of cells step by step takes longer than
  // filling them.
  cells_.back().rows.reserve(std::min(expected_runs_, kMaxReserved));
  return cells_.size() - 1;
}

void StoreSummary::Finish() {
  std::sort(cells_.begin(), cells_.end(),
            [](const SummarizedCell& a, const SummarizedCell& b) {
              return std::tie(a.suite, a.key) < std::tie(b.suite, b.key);
            });
  cell_numbers_.clear();
}

absl::StatusOr<const std::string*> StoreSummary::Text(uint32_t number) const {
  if (cache_ == nullptr) return &texts_.Text(number);
  const std::lock_guard<std::mutex> lock(*mutex_);
  const auto known = known_.find(number);
  if (known != known_.end()) return known->second.get();
  ASSAY_ASSIGN_OR_RETURN(std::string text, cache_->Text(number));
  return known_.emplace(number, std::make_unique<std::string>(std::move(text)))
      .first->second.get();
}

absl::StatusOr<Record> StoreSummary::ReadRecord(const RowSummary& row) const {
  if (cache_ == nullptr) return records_.at(static_cast<size_t>(row.offset));
  const std::string& segment = segments_.at(row.segment);
  std::ifstream file(JoinPath(folder_, segment), std::ios::binary);
  file.seekg(row.offset);
  std::string line;
  if (!std::getline(file, line)) {
    return absl::InternalError(
        absl::StrCat("`", segment, "` has changed while it was read"));
  }
  absl::StatusOr<Record> record = ParseRecord(line);
  if (!record.ok() || record->result.rows.empty()) {
    return absl::InternalError(
        absl::StrCat("`", segment, "`: the record at byte ", row.offset, " ",
                     record.ok() ? "has no row" : record.status().message()));
  }
  return record;
}

const ComparisonSummary* StoreSummary::ComparisonOf(const SummarizedCell& cell,
                                                    uint32_t run) {
  const auto at = std::lower_bound(
      cell.comparisons.begin(), cell.comparisons.end(), run,
      [](const ComparisonSummary& c, uint32_t r) { return c.row < r; });
  return at == cell.comparisons.end() || at->row != run ? nullptr : &*at;
}

std::optional<std::string> StoreSummary::Get(absl::string_view name,
                                             absl::string_view key) const {
  if (cache_ == nullptr) return std::nullopt;
  const std::lock_guard<std::mutex> lock(*mutex_);
  return cache_->Get(name, key);
}

absl::Status StoreSummary::Put(absl::string_view name, absl::string_view key,
                               absl::string_view data) const {
  if (cache_ == nullptr) return absl::OkStatus();
  const std::lock_guard<std::mutex> lock(*mutex_);
  return cache_->Put(name, key, data);
}

}  // namespace assay::reports
