// ExtractTasks: the kernels of a model that can be tuned
// (compiler/docs/tuning.md).
//
//   ASSAY_ASSIGN_OR_RETURN(
//       const std::vector<Task> tasks,
//       ExtractTasks(*model, target, options, LayoutChoices::kAll));
//
// A task has the workload of a kernel and a graph that consists of this kernel
// only. Kernels with equal workloads are one task. A kernel is a task even if
// its implementations leave nothing to choose: its time tells how much of an
// inference can be tuned at all.
#ifndef ASSAY_COMPILER_TUNE_TASK_TASKS_H_
#define ASSAY_COMPILER_TUNE_TASK_TASKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "runtime/base/ndarray.h"

namespace assay::tune {

// A constant operand of a kernel, for example its weights.
struct ConstantOperand {
  int operand = 0;
  NDArray value;
};

struct Task {
  std::string key;       // ops::WorkloadKey
  std::string workload;  // ops::WorkloadText
  // The operator that the implementations compute, as ops::InstanceText. Empty
  // if the kernel is elementwise; there is nothing to choose then.
  std::string anchor;
  // The kernel by itself, as driver::IsolateKernel.
  std::unique_ptr<graph::Graph> kernel;
  // The constant operands of one of the kernels.
  std::vector<ConstantOperand> constants;
  // The names of the nodes of the model that the kernels compute.
  std::vector<std::string> nodes;
  // How many kernels of the model have this workload if the cost model chooses
  // the layouts. 0 if the workload occurs only with other layouts.
  int calls = 0;
  int64_t flops = 0;  // of one call (ops::CountFlops)
};

// Which layouts and algorithms of convolutions have tasks.
enum class LayoutChoices : uint8_t {
  kDefault,  // those that the cost model chooses
  kAll,      // all that could be chosen
};

// Returns the tasks of `model` in the order of their first kernels; those with
// other layouts are last. `options` are those with which the model will be
// compiled.
absl::StatusOr<std::vector<Task>> ExtractTasks(
    const graph::Graph& model, const target::Target& target,
    const driver::CompileOptions& options, LayoutChoices layouts);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TASK_TASKS_H_
