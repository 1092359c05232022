// BuildKernel: from the body of a fused kernel to a scheduled tensor
// expression, ready for compiler/lower.
//
// Every operator of the body becomes its te compute (one file per operator
// family beside this one). The first operator that is not injective, the
// anchor, decides the schedule template; everything after it is element-wise
// and becomes the epilogue of the anchor's tile, everything before it is
// inlined into what reads it. A body without an anchor is one injective loop
// nest.
#ifndef ASSAY_COMPILER_OPS_KERNEL_H_
#define ASSAY_COMPILER_OPS_KERNEL_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

struct Kernel {
  // Placeholders `p0`, `p1`, … in the order of the body's inputs, and what the
  // body computes.
  std::vector<te::Tensor> inputs;
  std::vector<te::Tensor> outputs;
  schedule::Schedule schedule;
};

// `body` is the body graph of a kernel node. Unimplemented, naming the node,
// for an operator that has no te compute.
absl::StatusOr<Kernel> BuildKernel(const graph::Graph& body,
                                   const target::Target& target);

// Arithmetic operations of the body by the usual convention: a multiply-add
// counts two, padding is counted as if it were data, data movement is free.
int64_t CountFlops(const graph::Graph& body);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_H_
