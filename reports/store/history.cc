#include "reports/store/history.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::reports {

absl::StatusOr<History> ReadHistory(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(LogContents log, ReadLog(folder));
  std::map<std::string, RunResult> runs;  // by name
  for (Entry& entry : log.entries) {
    const auto [run, is_new] = runs.try_emplace(entry.record.run);
    RunResult& result = entry.record.result;
    if (is_new) {
      run->second = std::move(result);
    } else {
      RunResult& whole = run->second;
      if (whole.canary.empty()) whole.canary = result.canary;
      std::move(result.rows.begin(), result.rows.end(),
                std::back_inserter(whole.rows));
    }
  }
  History history;
  history.corrupt_records = std::move(log.corrupt_records);
  std::map<std::pair<std::string, std::string>, RunResult*> by_start;
  for (auto& [name, result] : runs)
    by_start[{result.started_at, name}] = &result;
  for (const auto& [key, result] : by_start) {
    history.runs.push_back(std::move(*result));
  }
  return history;
}

}  // namespace assay::reports
