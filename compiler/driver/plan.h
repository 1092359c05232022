// BuildPlan: computes the calls, tensors, parameters and memory plan of an
// artifact from a graph of kernels. The artifact has no code yet; the caller
// provides the symbols.
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

// `graph` consists of inputs, constants and kernel nodes (the result of
// graph/passes/fuse_operators). `symbols` has the function of each kernel node
// that `views` does not elide. Constants become parameters, each distinct value
// once; intermediate values share one arena by lifetime, with views inside
// their roots; model outputs are written in place (compiler/docs/memory.md).
// The metadata contain the total size of the intermediate values and the
// maximum that is live at once. Returns Unimplemented, naming the output, if a
// model output is not the result of a kernel or is listed twice;
// ResourceExhausted, naming the value, if parameters, inputs, outputs and arena
// together need more than `max_memory` bytes.
absl::StatusOr<runtime::Artifact> BuildPlan(
    const graph::Graph& graph, const graph::Views& views,
    const absl::flat_hash_map<const graph::Node*, std::string>& symbols,
    int64_t max_memory = kDefaultMaxMemory);

// Returns the operators of a kernel's body in order, such as `conv2d+add+relu`,
// without data movement unless the kernel has no other operators.
std::string KernelKind(const graph::Graph& body);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_PLAN_H_
