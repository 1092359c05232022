// BuildPlan: creates an artifact with the calls, tensors and memory plan for a
// graph of kernels. The artifact contains neither code nor parameters; the
// caller must add them. The parameters, which are as large as the weights, are
// added last by AddParams(), so that few of their bytes exist twice:
//
//   ASSAY_ASSIGN_OR_RETURN(Plan plan, BuildPlan(*graph, …));
//   graph.reset();
//   AddParams(std::move(plan.constants), plan.artifact);
#ifndef ASSAY_COMPILER_DRIVER_PLAN_H_
#define ASSAY_COMPILER_DRIVER_PLAN_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/views.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/ndarray.h"

namespace assay::driver {

// A constant, how the artifact holds it, and its offset in the parameters.
struct PlannedConstant {
  NDArray value;
  graph::Encoding encoding;
  int64_t position = 0;
};

struct Plan {
  runtime::Artifact artifact;
  // The distinct constants by position. The arrays share the memory of the
  // constants of the graph.
  std::vector<PlannedConstant> constants;
};

// `graph` must consist of inputs, constants and kernel nodes (the result of
// graph/passes/fuse_operators). `symbols` must contain the name of the compiled
// function for each kernel node that is not in `views.elided`. Values are
// stored as follows (compiler/docs/memory.md):
//   - Constants become parameters. Constants with equal bytes have one place.
//   - A constant in `symbols` becomes a plain parameter and a setup call, which
//     encodes it with the function of this name. These parameters are behind
//     all others, that of the first setup call last.
//   - Intermediate values are placed in one arena by PlanMemory(). A view
//     (graph/views.h) is placed inside the value of which it is a part.
//   - Kernels write model outputs directly to the memory of the caller.
// The metadata contain the total size of the intermediate values and the
// largest total size of values that are live at the same time.
// Errors:
//   - Returns Unimplemented, with the name of the output, if two model outputs
//     are the same value, or if a model output is not the result of a kernel,
//     unless it has no elements.
//   - Returns ResourceExhausted, with the name of a value, if parameters,
//     inputs, outputs and arena together need more than `max_memory` bytes.
absl::StatusOr<Plan> BuildPlan(
    const graph::Graph& graph, const graph::Views& views,
    const absl::flat_hash_map<const graph::Node*, std::string>& symbols,
    int64_t max_memory = kDefaultMaxMemory);

// Encodes `constants` and stores their bytes as the parameters of `artifact`.
// Drops each constant after that. If nobody else refers to the constants, the
// memory of constants and parameters together is hardly more than that of the
// parameters.
void AddParams(std::vector<PlannedConstant> constants,
               runtime::Artifact& artifact);

// Returns the names of the operators in a kernel's body, in order of execution,
// such as `conv2d+add+relu`. Operators of pattern kind kInjective, such as
// reshape, are omitted unless the kernel has no other operators.
std::string KernelKind(const graph::Graph& body);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_PLAN_H_
