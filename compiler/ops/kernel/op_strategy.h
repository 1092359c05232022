// Strategy: the implementations of an operator that apply to an instance of the
// operator on a target, ordered by their modelled time.
//
// An implementation is an algorithm (a tensor expression) with a schedule
// template, a configuration space and a default configuration
// (implementation.h). The rules of the operators return constant tables of
// implementations (kernel_rule.h).
//
//   for (const Candidate& c : Strategy(InstanceOf(conv), target)) {
//     LOG << c.implementation->name << " " << c.config << " " << c.seconds;
//   }
//
// The seconds come from an analytical model (cost_model.h). They serve to rank
// implementations, not to predict the time of a kernel.
#ifndef ASSAY_COMPILER_OPS_KERNEL_OP_STRATEGY_H_
#define ASSAY_COMPILER_OPS_KERNEL_OP_STRATEGY_H_

#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/implementation.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Returns the rule of an operator. The rule is empty for inputs, constants and
// the other operators of ASSAY_FOR_EACH_STRUCTURAL_OP (op_list.h).
KernelRule KernelRuleOf(graph::OpKind kind);

// Returns all implementations of an operator, whether they apply or not. The
// result is empty if the operator is inlined or does not occur in kernels.
absl::Span<const Implementation> Implementations(graph::OpKind kind);

// Returns the anchor of the body of a kernel (kernel.h): the operator that has
// implementations. Returns null if there is none.
const graph::Node* AnchorOf(const graph::Graph& body);

// An implementation that applies to an operator on a target.
struct Candidate {
  const Implementation* implementation = nullptr;
  ConfigSpace space;
  Config config;       // the default configuration
  double seconds = 0;  // modelled time with `config`
};

// Returns the implementations that apply, by increasing modelled time.
// Implementations with equal times are in the order of the table. The result is
// empty if no implementation applies.
std::vector<Candidate> Strategy(const OpInstance& op,
                                const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_OP_STRATEGY_H_
