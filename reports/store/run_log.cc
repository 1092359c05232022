#include "reports/store/run_log.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/verdict.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Locks all segments of a run. Returns an empty vector if one is in use or no
// longer exists.
std::vector<LockedFile> Claim(const std::string& folder,
                              const std::set<std::string>& segments) {
  std::vector<LockedFile> claimed;
  for (const std::string& segment : segments) {
    absl::StatusOr<LockedFile> file =
        LockedFile::Open(JoinPath(folder, segment));
    if (!file.ok()) return {};
    claimed.push_back(*std::move(file));
  }
  return claimed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunLog>> RunLog::Open(const std::string& folder,
                                                     const std::string& job,
                                                     const RunResult& header,
                                                     bool resume) {
  std::unique_ptr<RunLog> log(new RunLog());
  log->job_ = job;
  log->header_ = header;
  log->header_.rows.clear();
  ASSAY_ASSIGN_OR_RETURN(log->writer_, LogWriter::Create(folder));
  // The name of the segment is unique.
  log->run_ = log->writer_->segment();
  if (resume) ASSAY_RETURN_IF_ERROR(log->Resume(folder));
  return log;
}

absl::Status RunLog::Resume(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(LogContents log, ReadLog(folder));
  corrupt_records_ = std::move(log.corrupt_records);
  const Record* latest = nullptr;
  for (const Entry& entry : log.entries) {
    const Record& record = entry.record;
    if (record.job != job_) continue;
    if (latest == nullptr ||
        std::make_pair(record.result.started_at, record.run) >
            std::make_pair(latest->result.started_at, latest->run)) {
      latest = &record;
    }
  }
  if (latest == nullptr) return absl::OkStatus();

  std::set<std::string> segments;
  std::map<std::string, Row> rows;
  for (const Entry& entry : log.entries) {
    const Record& record = entry.record;
    if (record.run != latest->run) continue;
    if (record.cell.empty()) return absl::OkStatus();
    segments.insert(entry.segment);
    const Row& row = record.result.rows[0];
    if (row.verdict != stats::Verdict::kInfrastructure) {
      rows.emplace(record.cell, row);
    }
  }
  claimed_ = Claim(folder, segments);
  if (claimed_.empty()) return absl::OkStatus();
  run_ = latest->run;
  header_.started_at = latest->result.started_at;
  header_.commit = latest->result.commit;
  recorded_ = std::move(rows);
  return absl::OkStatus();
}

const Row* RunLog::Find(const std::string& cell) const {
  const auto it = recorded_.find(cell);
  return it == recorded_.end() ? nullptr : &it->second;
}

absl::Status RunLog::Append(const std::string& cell, const Row& row,
                            const Canary& canary, int64_t place) {
  CHECK(!cell.empty());
  header_.canary = canary;
  Record record{run_, job_, cell, header_, place};
  record.result.rows.push_back(row);
  return writer_->Append(record);
}

absl::Status RunLog::Finish() {
  return writer_->Append({run_, job_, /*cell=*/"", header_});
}

}  // namespace assay::reports
