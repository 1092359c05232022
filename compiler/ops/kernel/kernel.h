// BuildKernel: from the body of a fused kernel to a scheduled tensor
// expression, ready for compiler/lower.
//
// Every operator of the body becomes its te compute (one file per operator
// family beside this one). The one operator that is not injective, the anchor,
// has implementations to choose from (op_strategy.h), and the chosen one
// schedules the kernel: everything after the anchor is element-wise and
// becomes the epilogue of its tile, everything before it is inlined into what
// reads it. A body without an anchor is one injective loop nest.
#ifndef ASSAY_COMPILER_OPS_KERNEL_KERNEL_H_
#define ASSAY_COMPILER_OPS_KERNEL_KERNEL_H_

#include <cstdint>
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
  // `conv2d.direct_nchwc`; empty for what the strategy prefers.
  std::string implementation;
  // Entries that replace those of the implementation's default configuration.
  Config config;
  // Only implementations that are exact (implementation.h).
  bool exact = false;
};

struct Kernel {
  // Placeholders `p0`, `p1`, … in the order of the body's inputs, and what the
  // body computes.
  std::vector<te::Tensor> inputs;
  std::vector<te::Tensor> outputs;
  schedule::Schedule schedule;
  // What the anchor was scheduled with; empty without one.
  std::string implementation;
  Config config;
  // Error bound of the implementation (implementation.h); 0 if it is exact.
  double error_bound = 0;
};

// `body` is the body graph of a kernel node. Unimplemented, naming the node,
// for an operator that has no te compute; InvalidArgument for options that do
// not fit the anchor. Without an anchor the options mean nothing.
absl::StatusOr<Kernel> BuildKernel(const graph::Graph& body,
                                   const target::Target& target,
                                   const KernelOptions& options = {});

// The arithmetic operations of the body, counted as op_instance.h says.
int64_t CountFlops(const graph::Graph& body);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_KERNEL_H_
