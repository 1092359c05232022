#include "reports/store/summary/store_summary.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <thread>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "reports/store/cell_name.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/file.h"
#include "runtime/base/parallel/for_all.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr size_t kMaxReserved = 1024;
// More threads would read the rows more often than it takes to fill the cells.
constexpr size_t kMaxRanges = 4;

// The rows of a run, and what belongs to them.
struct MergedRun {
  std::vector<RowSummary> rows;
  // `row` of these is an index into `rows`.
  std::vector<ComparisonSummary> comparisons;
  std::vector<KernelSummary> kernels;
};

bool HasSeveralRowsOfCell(const std::vector<RowSummary>& rows) {
  std::vector<bool> seen;
  for (const RowSummary& row : rows) {
    if (row.cell >= seen.size()) seen.resize(row.cell + 1);
    if (seen[row.cell]) return true;
    seen[row.cell] = true;
  }
  return false;
}

// Removes the items whose rows are not kept, and gives the others the new
// indices of their rows.
template <typename T>
void FollowRows(const std::vector<int64_t>& places, std::vector<T>& items) {
  size_t kept = 0;
  for (const T& item : items) {
    if (places[item.row] < 0) continue;
    items[kept] = item;
    items[kept++].row = static_cast<uint32_t>(places[item.row]);
  }
  items.resize(kept);
}

// Keeps the last row of each cell.
void KeepLastRows(MergedRun& run) {
  absl::flat_hash_map<uint32_t, size_t> last;
  for (size_t i = 0; i < run.rows.size(); ++i) last[run.rows[i].cell] = i;
  std::vector<int64_t> places(run.rows.size(), -1);
  size_t kept = 0;
  for (size_t i = 0; i < run.rows.size(); ++i) {
    if (last[run.rows[i].cell] != i) continue;
    places[i] = static_cast<int64_t>(kept);
    run.rows[kept++] = run.rows[i];
  }
  run.rows.resize(kept);
  FollowRows(places, run.comparisons);
  FollowRows(places, run.kernels);
}

// Joins the parts [first, end) of a run. `segments` has the number of the
// segment of each part.
MergedRun Merge(std::vector<CachedRun>& parts, size_t first, size_t end,
                const std::vector<uint32_t>& segments) {
  MergedRun run;
  for (size_t i = first; i < end; ++i) {
    RunSummary& part = parts[i].summary;
    for (RowSummary& row : part.rows) row.segment = segments[i];
    const auto offset = static_cast<uint32_t>(run.rows.size());
    for (ComparisonSummary& c : part.comparisons) c.row += offset;
    for (KernelSummary& k : part.kernels) k.row += offset;
    if (i == first) {
      run.rows = std::move(part.rows);
      run.comparisons = std::move(part.comparisons);
      run.kernels = std::move(part.kernels);
      continue;
    }
    run.rows.insert(run.rows.end(), part.rows.begin(), part.rows.end());
    run.comparisons.insert(run.comparisons.end(), part.comparisons.begin(),
                           part.comparisons.end());
    run.kernels.insert(run.kernels.end(), part.kernels.begin(),
                       part.kernels.end());
    part = {};
  }
  if (HasSeveralRowsOfCell(run.rows)) KeepLastRows(run);
  return run;
}

}  // namespace

absl::StatusOr<StoreSummary> StoreSummary::Read(const std::string& folder) {
  absl::StatusOr<StoreSummary> store = ReadCached(folder);
  if (!absl::IsDataLoss(store.status())) return store;
  SummaryCache::Remove(folder);
  return ReadCached(folder);
}

absl::StatusOr<StoreSummary> StoreSummary::ReadCached(
    const std::string& folder) {
  StoreSummary store;
  store.folder_ = folder;
  ASSAY_ASSIGN_OR_RETURN(SummaryCache cache, SummaryCache::Open(folder));
  store.cache_ = std::make_unique<SummaryCache>(std::move(cache));
  ASSAY_ASSIGN_OR_RETURN(std::vector<CachedRun> parts,
                         store.cache_->ReadRuns());
  ASSAY_RETURN_IF_ERROR(store.Build(std::move(parts)));
  store.corrupt_records_ = store.cache_->corrupt_records();
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
  std::vector<CachedRun> parts;
  for (auto& [key, run] : ordered) {
    const std::string state = absl::StrCat(run->rows.size());
    parts.push_back({"", state, std::move(*run)});
  }
  ASSAY_RETURN_IF_ERROR(store.Build(std::move(parts)));
  return store;
}

absl::Status StoreSummary::Build(std::vector<CachedRun> parts) {
  absl::flat_hash_map<std::string, uint32_t> numbers;
  std::vector<uint32_t> segments;
  std::vector<size_t> firsts;  // the first part of each run
  for (size_t i = 0; i < parts.size(); ++i) {
    CachedRun& part = parts[i];
    const auto number = numbers.try_emplace(
        part.segment, static_cast<uint32_t>(segments_.size()));
    if (number.second) segments_.push_back(part.segment);
    segments.push_back(number.first->second);
    RunResult& header = part.summary.header;
    if (runs_.empty() || runs_.back().name != part.summary.run) {
      firsts.push_back(i);
      runs_.push_back({part.summary.run, "", std::move(header), {}});
    } else if (header.canary.size() > runs_.back().header.canary.size()) {
      runs_.back().header.canary = std::move(header.canary);
    }
    absl::StrAppend(&runs_.back().state, part.segment, " ", part.state, "\n");
  }
  firsts.push_back(parts.size());
  std::vector<MergedRun> merged(runs_.size());
  ForAll(runs_.size(), [&](size_t run) {
    merged[run] = Merge(parts, firsts[run], firsts[run + 1], segments);
  });
  std::vector<bool> is_cell;
  for (const MergedRun& run : merged) {
    for (const RowSummary& row : run.rows) {
      if (row.cell >= is_cell.size()) is_cell.resize(row.cell + 1);
      is_cell[row.cell] = true;
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<uint32_t> cell_of,
                         MakeCells(is_cell));
  ForAll(runs_.size(), [&](size_t run) {
    for (RowSummary& row : merged[run].rows) {
      row.cell = cell_of[row.cell];
      row.run = static_cast<uint32_t>(run);
    }
  });
  // Each thread fills a range of the cells.
  const size_t ranges = std::min<size_t>(
      kMaxRanges, std::max(1u, std::thread::hardware_concurrency()));
  ForAll(ranges, [&](size_t range) {
    const size_t first = cells_.size() * range / ranges;
    const size_t end = cells_.size() * (range + 1) / ranges;
    for (const MergedRun& of : merged) {
      for (const RowSummary& row : of.rows) {
        if (row.cell < first || row.cell >= end) continue;
        SummarizedCell& cell = cells_[row.cell];
        cell.rows.push_back(&row);
        if (row.IsNight()) cell.nights.push_back(&row);
      }
    }
  });
  for (uint32_t run = 0; run < runs_.size(); ++run) {
    MergedRun& of = merged[run];
    for (ComparisonSummary& comparison : of.comparisons) {
      SummarizedCell& cell = cells_[of.rows[comparison.row].cell];
      comparison.row = run;
      cell.comparisons.push_back(comparison);
    }
    for (KernelSummary& kernel : of.kernels) {
      SummarizedCell& cell = cells_[of.rows[kernel.row].cell];
      kernel.row = run;
      cell.kernels.push_back(kernel);
    }
    runs_[run].rows = std::move(of.rows);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<uint32_t>> StoreSummary::MakeCells(
    const std::vector<bool>& texts) {
  std::vector<uint32_t> numbers;  // the texts of the cells
  for (uint32_t text = 0; text < texts.size(); ++text) {
    if (texts[text]) numbers.push_back(text);
  }
  ASSAY_RETURN_IF_ERROR(LoadTexts(numbers));
  for (const uint32_t text : numbers) {
    ASSAY_ASSIGN_OR_RETURN(const std::string* form, Text(text));
    ASSAY_ASSIGN_OR_RETURN(CellText parsed, ParseCellText(*form));
    Row row;
    row.suite = parsed.suite;
    row.cell = parsed.key;
    cells_.push_back({std::move(parsed.suite),
                      std::move(parsed.key),
                      CellNameOf(row),
                      {},
                      {},
                      {},
                      {}});
    // Growing the rows of thousands of cells step by step takes longer than
    // filling them.
    const size_t reserved = std::min(runs_.size(), kMaxReserved);
    cells_.back().rows.reserve(reserved);
    cells_.back().nights.reserve(reserved);
  }
  std::vector<uint32_t> order(cells_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(cells_[a].suite, cells_[a].key) <
           std::tie(cells_[b].suite, cells_[b].key);
  });
  std::vector<SummarizedCell> ordered;
  std::vector<uint32_t> cell_of(texts.size());
  for (const uint32_t i : order) {
    cell_of[numbers[i]] = static_cast<uint32_t>(ordered.size());
    ordered.push_back(std::move(cells_[i]));
  }
  cells_ = std::move(ordered);
  return cell_of;
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

absl::Status StoreSummary::LoadTexts(absl::Span<const uint32_t> numbers) const {
  if (cache_ == nullptr) return absl::OkStatus();
  const std::lock_guard<std::mutex> lock(*mutex_);
  return cache_->ReadTexts(numbers, [&](uint32_t number, std::string text) {
    known_.try_emplace(number, std::make_unique<std::string>(std::move(text)));
  });
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
