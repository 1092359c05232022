// The rows of op_strategy.h for pooling, reductions, softmax and layer_norm.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_IMPLEMENTATIONS_H_
#define ASSAY_COMPILER_OPS_REDUCTION_IMPLEMENTATIONS_H_

#include "absl/types/span.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// Empty for any other operator.
absl::Span<const Implementation> ReductionImplementations(graph::OpKind kind);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_IMPLEMENTATIONS_H_
