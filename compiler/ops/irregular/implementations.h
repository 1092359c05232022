// The implementations of irregular operators, rows of op_strategy.h.
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_IMPLEMENTATIONS_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_IMPLEMENTATIONS_H_

#include "absl/types/span.h"
#include "compiler/graph/op/op.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// None for an operator that is not irregular.
absl::Span<const Implementation> IrregularImplementations(graph::OpKind kind);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_IMPLEMENTATIONS_H_
