// InlineOp: the tensor expression of an operator that is inlined into others
// (kernel_rule.h), for tensors in any encodings that this is possible for.
//
// An operator that works element by element does the same with the elements of
// arrays in memory, if all images are stored in the same blocks of channels.
// Its small operands stay plain: a value per channel, or a single one.
#ifndef ASSAY_COMPILER_OPS_KERNEL_INLINED_OP_H_
#define ASSAY_COMPILER_OPS_KERNEL_INLINED_OP_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// `in` are the arrays of the operands of `node`. Returns Unimplemented, with
// the types, if the operator cannot work on tensors in these encodings.
absl::StatusOr<te::Tensor> InlineOp(const graph::Node& node,
                                    const KernelRule& rule, const Operands& in);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_INLINED_OP_H_
