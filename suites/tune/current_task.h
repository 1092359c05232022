// CurrentTaskOf: a task as this version of the compiler has it. Records of
// other versions do not count (log/best_records.h).
#ifndef ASSAY_SUITES_TUNE_CURRENT_TASK_H_
#define ASSAY_SUITES_TUNE_CURRENT_TASK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "suites/tune/log/best_records.h"

namespace assay::suites {

// `kernel` consists of one kernel, as tune::Task::kernel does. Returns the
// error of tune::TemplateDigest().
absl::StatusOr<CurrentTask> CurrentTaskOf(const graph::Graph& kernel,
                                          const target::Target& target);

// Returns a graph that consists of one kernel with this workload. Returns the
// error of ops::ParseWorkload().
absl::StatusOr<std::unique_ptr<graph::Graph>> KernelOfWorkload(
    absl::string_view workload);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_CURRENT_TASK_H_
