// The points that a log of AutoTVM suggests for the tasks of a model
// (log/autotvm_hints.h).
#ifndef ASSAY_SUITES_TUNE_SEARCH_HINTS_H_
#define ASSAY_SUITES_TUNE_SEARCH_HINTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/tune/task/tasks.h"
#include "suites/tune/log/autotvm_hints.h"

namespace assay::suites {

// Reads the records of a log that can be hints. Returns InvalidArgument, with
// the number of the line, if a line is no record of AutoTVM.
absl::StatusOr<std::vector<AutoTvmConv2d>> ReadHints(const std::string& path);

// Returns the points that correspond to hints for the task. The search space of
// the task need not have them.
std::vector<driver::TunedKernel> HintsFor(
    const std::vector<AutoTvmConv2d>& hints, const tune::Task& task);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_HINTS_H_
