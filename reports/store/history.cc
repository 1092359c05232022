#include "reports/store/history.h"

#include <cstdint>
#include <map>
#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::reports {

namespace {

struct Run {
  bool begun = false;
  RunResult result;                  // without rows
  std::multimap<int64_t, Row> rows;  // by place
};

void Add(Record record, Run* run) {
  for (Row& row : record.result.rows) {
    run->rows.emplace(record.place, std::move(row));
  }
  record.result.rows.clear();
  if (!std::exchange(run->begun, true)) {
    run->result = std::move(record.result);
  } else if (record.result.canary.size() > run->result.canary.size()) {
    run->result.canary = std::move(record.result.canary);
  }
}

RunResult Whole(Run run) {
  for (auto& [place, row] : run.rows) {
    run.result.rows.push_back(std::move(row));
  }
  return std::move(run.result);
}

}  // namespace

std::vector<RunResult> RunsOf(std::vector<Record> records) {
  std::map<std::string, Run> runs;  // by name
  for (Record& record : records) {
    Run& run = runs[record.run];
    Add(std::move(record), &run);
  }
  std::map<std::pair<std::string, std::string>, Run*> by_start;
  for (auto& [name, run] : runs) {
    by_start[{run.result.started_at, name}] = &run;
  }
  std::vector<RunResult> results;
  for (const auto& [key, run] : by_start) {
    results.push_back(Whole(std::move(*run)));
  }
  return results;
}

absl::StatusOr<History> ReadHistory(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(LogContents log, ReadLog(folder));
  std::vector<Record> records;
  for (Entry& entry : log.entries) records.push_back(std::move(entry.record));
  return History{RunsOf(std::move(records)), std::move(log.corrupt_records)};
}

}  // namespace assay::reports
