// The rows of op_strategy.h for conv2d and conv2d_transpose.
#ifndef ASSAY_COMPILER_OPS_CONV_IMPLEMENTATIONS_H_
#define ASSAY_COMPILER_OPS_CONV_IMPLEMENTATIONS_H_

#include "absl/types/span.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// Empty for any other operator.
absl::Span<const Implementation> ConvImplementations(graph::OpKind kind);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_IMPLEMENTATIONS_H_
