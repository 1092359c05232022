// CurrentTaskOf: a task as this version of the compiler has it. Records of
// other versions do not count (suites/tune/log/best_records.h).
#ifndef ASSAY_COMPILER_TUNE_TASK_CURRENT_TASK_H_
#define ASSAY_COMPILER_TUNE_TASK_CURRENT_TASK_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"

namespace assay::tune {

struct CurrentTask {
  std::string template_digest;  // TemplateDigest()
  // The choice of Compile() without tuning. Both members are empty if the
  // kernel is elementwise.
  driver::TunedKernel default_point;
  // Absent if the kernel is elementwise.
  std::optional<SearchSpace> space = std::nullopt;
};

// The key is that of the task (Task::key).
using CurrentTasks = std::map<std::string, CurrentTask>;

// `kernel` consists of one kernel, as Task::kernel does. Returns the error of
// TemplateDigest().
absl::StatusOr<CurrentTask> CurrentTaskOf(const graph::Graph& kernel,
                                          const target::Target& target);

// As above, for a kernel with this workload and a target as
// target::Target::ToString() writes it. Also returns the errors of parsing
// them.
absl::StatusOr<CurrentTask> CurrentTaskOf(absl::string_view workload,
                                          absl::string_view target);

// Returns a graph that consists of one kernel with this workload. Returns the
// error of ops::ParseWorkload().
absl::StatusOr<std::unique_ptr<graph::Graph>> KernelOfWorkload(
    absl::string_view workload);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TASK_CURRENT_TASK_H_
