// KernelRule: describes how kernels compute an operator. For each rule `X` of
// compiler/graph/op/op_list.h there is a function `XKernel`, which is defined
// in the folder of the operator's family.
//
// There are three kinds of operators:
//
// - Anchors have `implementations`. One of these is chosen
//   (kernel/op_strategy.h) and schedules the kernel.
// - Operators with the function `inlined` are inlined into the operators that
//   read their results.
// - All other operators do not occur in kernels, because graph passes replace
//   them or fold them into constants.
#ifndef ASSAY_COMPILER_OPS_KERNEL_RULE_H_
#define ASSAY_COMPILER_OPS_KERNEL_RULE_H_

#include "absl/types/span.h"
#include "compiler/graph/op/op_list.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

struct KernelRule {
  absl::Span<const Implementation> implementations;
  // Returns the tensor expression of the result for operands `in`.
  te::Tensor (*inlined)(const OpInstance& op, const Operands& in) = nullptr;
};

// Returns the rule of an operator that is inlined.
inline KernelRule Inlined(te::Tensor (*compute)(const OpInstance& op,
                                                const Operands& in)) {
  return {{}, compute};
}

#define ASSAY_DECLARE_RULE(kind, name, pattern, attrs, rule) \
  KernelRule rule##Kernel(graph::OpKind kind);
ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_DECLARE_RULE)
ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_DECLARE_RULE)
#undef ASSAY_DECLARE_RULE

// The `schedule` function of operators that are written as loops (te::Extern).
// The loops are not changed.
inline void ScheduleAsWritten(schedule::Schedule&, const OpInstance&,
                              const te::Tensor&, const te::Tensor&,
                              const target::Target&, const Config&) {}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_RULE_H_
