// CheckLogs: finds out what is wrong with logs of the tuner.
//
// The following is wrong:
//   - a line that is no record of this version;
//   - a record without a device, or of a target that does not exist;
//   - a workload that this compiler cannot read, or whose key or anchor differs
//     from that of the record;
//   - a template digest that is not 16 hexadecimal digits;
//   - a point that is not in the search space, although the template has not
//     changed since the point was measured;
//   - a failed trial with samples or a verdict, or an interval that does not
//     contain its ratio.
// Of records of networks, only the device and the interval are checked.
// Records of older templates and duplicates are not wrong, but of no use; they
// are counted.
#ifndef ASSAY_SUITES_TUNE_LOG_TOOL_CHECK_LOGS_H_
#define ASSAY_SUITES_TUNE_LOG_TOOL_CHECK_LOGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/tune/log/log_file.h"

namespace assay::suites {

struct LogCheck {
  int64_t records = 0;
  int64_t older_templates = 0;
  int64_t duplicates = 0;
  // In the order of the lines: `PATH:LINE: what is wrong`.
  std::vector<std::string> problems;
};

LogCheck CheckLogs(const std::vector<Log>& logs);

// Returns the problems, each on a line, and a summary.
std::string CheckText(const LogCheck& check);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TOOL_CHECK_LOGS_H_
