// Workload: what a kernel computes, without regard to where it occurs in a
// network. Times are recorded per workload, so that they can be used for equal
// kernels of other networks.
//
// The text has the operators of the body in order, with attributes and types.
// Operands are `p0`, `p1`, … for the inputs of the body and `v0`, `v1`, … for
// the results before. Names of nodes and values of weights do not occur, but
// constants in the body do, because they become part of the code:
//
//   p0: float32[1,64] p1: float32[8,64]
//   v0: float32[1,8] = dense(p0, p1) v1: float32[1,8] = relu(v0) return v1
//
// The text is a single line. It changes if operators or attributes get other
// names; times that were recorded before are then not found any more.
#ifndef ASSAY_COMPILER_OPS_KERNEL_WORKLOAD_H_
#define ASSAY_COMPILER_OPS_KERNEL_WORKLOAD_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"

namespace assay::ops {

// Returns the workload of a kernel with the body `body`.
std::string WorkloadText(const graph::Graph& body);

// The inverse of WorkloadText(): returns a body with this workload. Returns
// InvalidArgument, with the part that is wrong, if there is none, or if the
// text has a constant by its digest only (graph/printer.h).
absl::StatusOr<std::unique_ptr<graph::Graph>> ParseWorkload(
    absl::string_view text);

// Returns the first 16 hexadecimal digits of the SHA-256 of the text.
std::string WorkloadKey(const graph::Graph& body);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_WORKLOAD_H_
