// The strategy of an operator: its implementations, which of them apply to one
// instance of the operator on one target, and which one to prefer.
//
// An implementation is an algorithm (its te compute) with a schedule template,
// a configuration space and a default configuration. Implementations are rows
// of constant tables, which the rules of the operators return (kernel_rule.h).
//
//   for (const Candidate& c : Strategy(InstanceOf(conv), target)) {
//     LOG << c.implementation->name << " " << c.config << " " << c.seconds;
//   }
//
// Seconds come from an analytical model (cost_model.h), which ranks
// implementations but does not predict the time of a kernel.
#ifndef ASSAY_COMPILER_OPS_KERNEL_OP_STRATEGY_H_
#define ASSAY_COMPILER_OPS_KERNEL_OP_STRATEGY_H_

#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/implementation.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/target/target.h"

namespace assay::ops {

KernelRule KernelRuleOf(graph::OpKind kind);

// All implementations of an operator, applicable or not; empty for an operator
// that is inlined or does not occur in kernels.
absl::Span<const Implementation> Implementations(graph::OpKind kind);

// An implementation that applies.
struct Candidate {
  const Implementation* implementation = nullptr;
  ConfigSpace space;
  Config config;  // the default
  double seconds = 0;
};

// The implementations that apply, the fastest by the model first, in the order
// of the table on a tie. Empty only if Implementations() is.
std::vector<Candidate> Strategy(const OpInstance& op,
                                const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_OP_STRATEGY_H_
