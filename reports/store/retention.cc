#include "reports/store/retention.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reports/baseline/baseline.h"
#include "reports/store/locked_file.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Suite, cell and fingerprint of the machine.
using Cell = std::tuple<std::string, CellKey, std::string>;

Cell CellOf(const Row& row) { return {row.suite, row.cell, row.fingerprint}; }

// The start time of the run. A malformed time counts as `now`, so the record is
// kept.
absl::Time StartOf(const Record& record, absl::Time now) {
  absl::Time start;
  std::string error;
  return absl::ParseTime(absl::RFC3339_full, record.result.started_at, &start,
                         &error)
             ? start
             : now;
}

class Pruning {
 public:
  Pruning(std::string folder, const Retention& retention, absl::Time now,
          bool dry_run)
      : folder_(std::move(folder)),
        retention_(retention),
        now_(now),
        dry_run_(dry_run) {}

  absl::StatusOr<Pruned> Run() {
    ASSAY_ASSIGN_OR_RETURN(LogContents log, ReadLog(folder_));
    Decide(log.entries);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> segments,
                           ListSegments(folder_));
    for (const std::string& segment : segments) {
      ASSAY_RETURN_IF_ERROR(Rewrite(segment));
    }
    return pruned_;
  }

 private:
  void Decide(const std::vector<Entry>& entries);
  bool Keep(const Record& record, size_t newer);
  absl::Status Rewrite(const std::string& segment);

  const std::string folder_;
  const Retention& retention_;
  const absl::Time now_;
  const bool dry_run_;
  std::set<std::string> dropped_;  // ids
  Pruned pruned_;
};

void Pruning::Decide(const std::vector<Entry>& entries) {
  std::map<Cell, std::vector<const Entry*>> cells;
  std::map<std::string, std::vector<const Entry*>> ends;  // by run
  std::set<std::string> alive;                            // runs
  for (const Entry& entry : entries) {
    const RunResult& result = entry.record.result;
    if (result.rows.empty()) {
      ends[entry.record.run].push_back(&entry);
    } else {
      cells[CellOf(result.rows[0])].push_back(&entry);
    }
  }
  for (auto& [cell, of_cell] : cells) {
    std::sort(of_cell.begin(), of_cell.end(),
              [&](const Entry* a, const Entry* b) {
                const auto key = [&](const Entry* e) {
                  return std::make_pair(StartOf(e->record, now_), e->id);
                };
                return key(a) > key(b);
              });
    for (size_t newer = 0; newer < of_cell.size(); ++newer) {
      const Entry& entry = *of_cell[newer];
      if (Keep(entry.record, newer)) {
        alive.insert(entry.record.run);
      } else {
        dropped_.insert(entry.id);
      }
    }
  }
  for (const auto& [run, of_run] : ends) {
    if (alive.count(run) > 0) continue;
    for (const Entry* end : of_run) {
      if (now_ - StartOf(end->record, now_) >
          absl::Hours(24) * retention_.keep_days) {
        dropped_.insert(end->id);
      }
    }
  }
}

// `newer` is the number of newer records of the same cell.
bool Pruning::Keep(const Record& record, size_t newer) {
  const absl::Duration age = now_ - StartOf(record, now_);
  const Row& row = record.result.rows[0];
  if (age <= absl::Hours(24) * retention_.keep_days) {
    ++pruned_.young;
  } else if (newer < static_cast<size_t>(retention_.keep_per_cell)) {
    ++pruned_.newest;
  } else if (retention_.blessed.count(row.build.artifact_digest) > 0) {
    ++pruned_.blessed;
  } else {
    return false;
  }
  return true;
}

absl::Status Pruning::Rewrite(const std::string& segment) {
  const std::string path = JoinPath(folder_, segment);
  // The lock is held until the segment is replaced, so no writer is active.
  const absl::StatusOr<LockedFile> lock = LockedFile::Open(path);
  if (absl::IsNotFound(lock.status())) return absl::OkStatus();
  const bool in_use = absl::IsUnavailable(lock.status());
  if (!in_use) ASSAY_RETURN_IF_ERROR(lock.status());
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const LogContents contents,
                         ReadSegment(folder_, segment));
  std::string kept;
  size_t copied = 0;
  for (const Entry& entry : contents.entries) {
    ++pruned_.records;
    if (dropped_.count(entry.id) == 0) continue;
    if (in_use) {
      ++pruned_.in_use;
      continue;
    }
    ++pruned_.dropped;
    const size_t begin = static_cast<size_t>(entry.offset);
    const size_t end = begin + static_cast<size_t>(entry.bytes);
    absl::StrAppend(&kept, text.substr(copied, begin - copied));
    copied = std::min(end + 1, text.size());  // with the line break
  }
  if (copied == 0 || dry_run_) return absl::OkStatus();
  absl::StrAppend(&kept, text.substr(copied));
  if (kept.empty()) {
    if (unlink(path.c_str()) == 0) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("cannot remove `", path, "`"));
  }
  return WriteFileAtomic(path, kept);
}

}  // namespace

absl::StatusOr<Pruned> Prune(const std::string& folder,
                             const Retention& retention, absl::Time now,
                             bool dry_run) {
  return Pruning(folder, retention, now, dry_run).Run();
}

absl::StatusOr<std::set<std::string>> BlessedArtifacts(
    const std::string& baselines) {
  std::set<std::string> digests;
  if (!FileExists(baselines)) return digests;
  std::error_code error;
  std::filesystem::recursive_directory_iterator files(baselines, error);
  while (!error && files != std::filesystem::recursive_directory_iterator()) {
    if (files->path().extension() == ".csv") {
      ASSAY_ASSIGN_OR_RETURN(const Baseline rows,
                             ReadBaseline(files->path().string()));
      for (const BaselineRow& row : rows) digests.insert(row.artifact_digest);
    }
    files.increment(error);
  }
  if (error) {
    return absl::ErrnoToStatus(
        error.value(),
        absl::StrCat("cannot read the folder `", baselines, "`"));
  }
  return digests;
}

}  // namespace assay::reports
