// BuildKernel: converts the body of a fused kernel to scheduled tensor
// expressions, which compiler/lower converts to loops.
//
// Each operator of the body is converted to a tensor expression by the rule of
// the operator (kernel_rule.h). A body has at most one anchor, an operator that
// is not injective. An implementation of the anchor (op_strategy.h) schedules
// the kernel. Operators after the anchor are elementwise and are applied to the
// tiles of the anchor as an epilogue. Operators before the anchor are inlined
// into the operators that read them. A body without an anchor is injective. It
// is computed by one loop nest over all elements, or tile by tile if it
// converts between layouts (data_movement/transposed_tiles.h).
#ifndef ASSAY_COMPILER_OPS_KERNEL_KERNEL_H_
#define ASSAY_COMPILER_OPS_KERNEL_KERNEL_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/config.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

struct KernelOptions {
  // Name of the anchor's implementation, such as `conv2d.direct_nchwc`. If
  // empty, the first suitable candidate of Strategy() is used (op_strategy.h).
  std::string implementation;
  // Entries that replace entries of the implementation's default configuration.
  Config config;
  // Only implementations whose error bound (implementation.h) is at most this
  // are used.
  double max_error = std::numeric_limits<double>::infinity();
};

struct Kernel {
  // The inputs of the body, in order, as placeholders `p0`, `p1`, …
  std::vector<te::Tensor> inputs;
  // The outputs of the body, in order.
  std::vector<te::Tensor> outputs;
  schedule::Schedule schedule;
  // Name of the anchor's implementation. Empty if the body has no anchor.
  std::string implementation;
  // Configuration of the anchor. Empty if the body has no anchor.
  Config config;
  // Error bound of the implementation and name of its algorithm
  // (implementation.h); 0 and empty if it is exact.
  double error_bound = 0;
  std::string inexact_algorithm;
};

// Builds the kernel of `body`, the body graph of a kernel node. `options` is
// ignored if the body has no anchor.
//
// Returns InvalidArgument if options.implementation does not name an applicable
// implementation of the anchor, or if options.config does not fit the
// configuration space of the implementation.
// Returns Unimplemented if
//
// - an operator has no rule for kernels, or no implementation of it applies,
// - a constant has more than one element,
// - there is more than one anchor, or
// - there are several outputs but no anchor.
//
// Other errors are those of the schedule.
absl::StatusOr<Kernel> BuildKernel(const graph::Graph& body,
                                   const target::Target& target,
                                   const KernelOptions& options = {});

// Returns the number of arithmetic operations of the body: the sum of Flops()
// (op_instance.h) over its operators.
int64_t CountFlops(const graph::Graph& body);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_KERNEL_H_
