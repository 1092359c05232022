// Implementation: one algorithm and schedule template of an operator, a row of
// the table of op_strategy.h.
#ifndef ASSAY_COMPILER_OPS_IMPLEMENTATION_H_
#define ASSAY_COMPILER_OPS_IMPLEMENTATION_H_

#include <cstdint>
#include <vector>

#include "compiler/ops/config_space.h"
#include "compiler/ops/op_instance.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The operands of the anchor of a kernel.
using Operands = std::vector<te::Tensor>;

// A set of target kinds.
using TargetKinds = uint32_t;
constexpr TargetKinds kAllTargetKinds = ~TargetKinds{0};
constexpr TargetKinds Only(target::TargetKind kind) {
  return TargetKinds{1} << static_cast<int>(kind);
}

// The functions of one row. They are only called if `applies` returns true for
// a target of `targets`, with configurations that are points of the row's
// space.
struct Implementation {
  // `operator.algorithm`, unique.
  const char* name;
  // True if the result is that of the operator's definition up to the order of
  // the additions. An algorithm whose result is equal over the real numbers
  // only (Winograd, Strassen) is not exact and has an error_bound.
  bool exact;
  bool (*applies)(const OpInstance& op, const target::Target& target);
  ConfigSpace (*space)(const OpInstance& op, const target::Target& target);
  // The point that the analytical model prefers.
  Config (*default_config)(const OpInstance& op, const target::Target& target);
  double (*seconds)(const OpInstance& op, const target::Target& target,
                    const Config& config);
  // The result; for an operator with several, the first output of the operation
  // that computes all of them.
  te::Tensor (*compute)(const OpInstance& op, const Operands& in,
                        const target::Target& target, const Config& config);
  // `anchor` is the result of `compute`. `output` is the anchor or an
  // element-wise function of it and of other tensors of its shape. Errors are
  // recorded by the schedule.
  void (*schedule)(schedule::Schedule& s, const OpInstance& op,
                   const te::Tensor& anchor, const te::Tensor& output,
                   const target::Target& target, const Config& config);
  // Bound of the error of an algorithm that is not exact, relative to the
  // largest absolute value of the output; null for exact ones.
  double (*error_bound)(const OpInstance& op) = nullptr;
  // The target kinds that the row exists for.
  TargetKinds targets = kAllTargetKinds;
};

// Defaults for templates that always apply and have no configuration.
inline bool AlwaysApplies(const OpInstance&, const target::Target&) {
  return true;
}
inline ConfigSpace NoSpace(const OpInstance&, const target::Target&) {
  return {};
}
inline Config NoConfig(const OpInstance&, const target::Target&) { return {}; }

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IMPLEMENTATION_H_
