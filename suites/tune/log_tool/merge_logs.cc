#include "suites/tune/log_tool/merge_logs.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/result/json_reader.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<MergedLog> MergeLogs(const std::vector<std::string>& paths) {
  MergedLog merged;
  absl::flat_hash_set<std::string> known;
  for (const std::string& path : paths) {
    ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
    int64_t number = 0;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      ++number;
      if (line.empty()) continue;
      if (!reports::Json::accept(line.begin(), line.end())) {
        merged.damaged.push_back(absl::StrCat(path, ":", number));
      } else if (!known.insert(std::string(line)).second) {
        ++merged.duplicates;
      } else {
        ++merged.lines;
        absl::StrAppend(&merged.text, line, "\n");
      }
    }
  }
  return merged;
}

}  // namespace assay::suites
