// Implementation: one algorithm of an operator with its schedule template. The
// rules of the operators return tables of implementations (kernel_rule.h).
#ifndef ASSAY_COMPILER_OPS_IMPLEMENTATION_H_
#define ASSAY_COMPILER_OPS_IMPLEMENTATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ops/config_space.h"
#include "compiler/ops/op_instance.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The operands of the anchor of a kernel.
using Operands = std::vector<te::Tensor>;

// A set of target kinds: bit i is set if the set contains kind i.
using TargetKinds = uint32_t;
constexpr TargetKinds kAllTargetKinds = ~TargetKinds{0};
// Returns the set that contains only `kind`.
constexpr TargetKinds Only(target::TargetKind kind) {
  return TargetKinds{1} << static_cast<int>(kind);
}

// The properties of an algorithm that does not compute the definition of its
// operator: a fast algorithm, which is equivalent to the definition only in
// exact arithmetic, or products of numbers that are split in parts of fewer
// bits (matrix_tile.h). The algorithms without these properties are exact: they
// may only change the order of additions.
struct Inexact {
  // Returns the name of the algorithm in reports, such as `winograd F(4x4)`.
  std::string (*name)(const OpInstance& op);
  // Returns an upper bound on the error of the output, divided by the largest
  // absolute value of the output.
  double (*error_bound)(const OpInstance& op);
};

// The default limit of the error bounds of the algorithms that are chosen.
constexpr double kDefaultMaxError = 1e-4;

// The functions and properties of an algorithm. `applies` must be called only
// for targets whose kind is in `targets`. The other functions must be called
// only if `applies` returns true, and with points of `space` as configurations.
struct Implementation {
  // A unique name of the form `operator.algorithm`, such as `matmul.blocked`.
  const char* name;
  // Returns true if the algorithm can compute `op` on `target`.
  bool (*applies)(const OpInstance& op, const target::Target& target);
  // Returns the configurations that a tuner can choose from.
  ConfigSpace (*space)(const OpInstance& op, const target::Target& target);
  // Returns the configuration that the analytical model prefers.
  Config (*default_config)(const OpInstance& op, const target::Target& target);
  // Returns the time in seconds according to the analytical model
  // (cost_model.h).
  double (*seconds)(const OpInstance& op, const target::Target& target,
                    const Config& config);
  // Returns the tensor expression of the result. If the operator has several
  // results, a single operation computes all of them, and the first is
  // returned.
  te::Tensor (*compute)(const OpInstance& op, const Operands& in,
                        const target::Target& target, const Config& config);
  // Schedules a kernel. `anchor` is the result of `compute`. `output`, the
  // result of the kernel, is `anchor` itself or an elementwise function of
  // `anchor` and possibly of other tensors. Errors are recorded in the status
  // of `s`.
  void (*schedule)(schedule::Schedule& s, const OpInstance& op,
                   const te::Tensor& anchor, const te::Tensor& output,
                   const target::Target& target, const Config& config);
  // Null if the algorithm is exact.
  const Inexact* inexact = nullptr;
  // The target kinds for which the implementation may be used.
  TargetKinds targets = kAllTargetKinds;
  // Returns the encodings from which the implementation wants one for the
  // second operand of `op`, a constant that is still plain. Returns none if
  // another implementation should compute `op`. Null if the implementation does
  // not choose the encodings of its operands.
  std::vector<graph::Encoding> (*weights)(
      const OpInstance& op, const target::Target& target) = nullptr;

  // Returns the error bound; 0 if the algorithm is exact.
  double ErrorBound(const OpInstance& op) const {
    return inexact == nullptr ? 0 : inexact->error_bound(op);
  }
};

// Values of `applies`, `space` and `default_config` for implementations that
// always apply and have no configuration.
inline bool AlwaysApplies(const OpInstance&, const target::Target&) {
  return true;
}
inline ConfigSpace NoSpace(const OpInstance&, const target::Target&) {
  return {};
}
inline Config NoConfig(const OpInstance&, const target::Target&) { return {}; }

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IMPLEMENTATION_H_
