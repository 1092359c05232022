// The rows of op_strategy.h for dense and matmul.
#ifndef ASSAY_COMPILER_OPS_MATMUL_IMPLEMENTATIONS_H_
#define ASSAY_COMPILER_OPS_MATMUL_IMPLEMENTATIONS_H_

#include "absl/types/span.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// Empty for any other operator.
absl::Span<const Implementation> MatmulImplementations(graph::OpKind kind);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_IMPLEMENTATIONS_H_
