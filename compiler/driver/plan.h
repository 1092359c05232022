// BuildPlan: from a graph of kernels to the calls, tensors, parameters and
// memory layout of an artifact. No code yet: the symbols are given.
#ifndef ASSAY_COMPILER_DRIVER_PLAN_H_
#define ASSAY_COMPILER_DRIVER_PLAN_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/views.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/memory_limit.h"

namespace assay::driver {

// `graph` holds inputs, constants and kernel nodes only (what
// graph/passes/fuse_operators leaves); `symbols` names the function that
// computes each kernel node, but for those that `views` makes idle. Constants
// become parameters, each distinct value once; intermediates share one arena by
// lifetime, parts of values within the value; model outputs are written in
// place. The metadata say how much memory the intermediates are and how much of
// it is alive at once. compiler/docs/memory.md says more. Unimplemented, naming
// the output, where a model output is not the result of a kernel or is listed
// twice. ResourceExhausted, naming the value, where parameters, inputs, outputs
// and arena together need more than `max_memory`.
absl::StatusOr<runtime::Artifact> BuildPlan(
    const graph::Graph& graph, const graph::Views& views,
    const absl::flat_hash_map<const graph::Node*, std::string>& symbols,
    int64_t max_memory = kDefaultMaxMemory);

// `conv2d+add+relu`: the operators of a kernel's body in order, data movement
// left out unless there is nothing else.
std::string KernelKind(const graph::Graph& body);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_PLAN_H_
