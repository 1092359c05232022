// KernelRule: how kernels compute an operator. There is one function per rule
// of compiler/graph/op/op_list.h; the family's folder defines it.
//
// An operator is either an anchor, which decides how its kernel is scheduled
// and has implementations to choose from (op_strategy.h), or it is inlined into
// the operators that read it. An operator with neither does not occur in
// kernels: passes replace it or fold it into a constant.
#ifndef ASSAY_COMPILER_OPS_KERNEL_RULE_H_
#define ASSAY_COMPILER_OPS_KERNEL_RULE_H_

#include "absl/types/span.h"
#include "compiler/graph/op/op_list.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

struct KernelRule {
  absl::Span<const Implementation> implementations;
  // Returns the result for operands `in`.
  te::Tensor (*inlined)(const OpInstance& op, const Operands& in) = nullptr;
};

inline KernelRule Inlined(te::Tensor (*compute)(const OpInstance& op,
                                                const Operands& in)) {
  return {{}, compute};
}

#define ASSAY_DECLARE_RULE(kind, name, pattern, attrs, rule) \
  KernelRule rule##Kernel(graph::OpKind kind);
ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_DECLARE_RULE)
ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_DECLARE_RULE)
#undef ASSAY_DECLARE_RULE

// Schedule of an operator that is written as loops (te::Extern): it leaves the
// loops as they are.
inline void ScheduleAsWritten(schedule::Schedule&, const OpInstance&,
                              const te::Tensor&, const te::Tensor&,
                              const target::Target&, const Config&) {}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_RULE_H_
