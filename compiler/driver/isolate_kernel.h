// IsolateKernel: copies one kernel of a graph to a graph of its own.
#ifndef ASSAY_COMPILER_DRIVER_ISOLATE_KERNEL_H_
#define ASSAY_COMPILER_DRIVER_ISOLATE_KERNEL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"

namespace assay::driver {

// Returns a graph with the name `name` that consists of the kernel node
// `kernel` only. Operand i of the kernel becomes the input `p<i>`, also if it
// is a constant. The first result becomes the output `out`, and result i > 0
// becomes the output `out<i>`. Both graphs share the body of the kernel.
absl::StatusOr<std::unique_ptr<graph::Graph>> IsolateKernel(
    const graph::Node& kernel, absl::string_view name);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_ISOLATE_KERNEL_H_
