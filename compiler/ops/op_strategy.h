// The strategy of an operator: which implementations there are, which of them
// apply to one instance of the operator on one target, and which to prefer.
//
// An implementation is an algorithm (its te compute) with a schedule template,
// a configuration space and a default configuration. They stand in tables, one
// for each folder of operators (conv/implementations.cc and so on): a new one
// is a row, and nothing registers itself. Only operators that decide how a
// kernel is scheduled have rows; injective ones are inlined into whatever reads
// them.
//
//   for (const Candidate& c : Strategy(InstanceOf(conv), target)) {
//     LOG << c.implementation->name << " " << c.config << " " << c.seconds;
//   }
//
// Seconds are those of an analytical model (cost_model.h): good for putting
// implementations in order, not for saying how long a kernel takes.
#ifndef ASSAY_COMPILER_OPS_OP_STRATEGY_H_
#define ASSAY_COMPILER_OPS_OP_STRATEGY_H_

#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/implementation.h"
#include "compiler/target/target.h"

namespace assay::ops {

// The rows of an operator, whether they apply or not; none for one that is
// injective or has no kernel.
absl::Span<const Implementation> Implementations(graph::OpKind kind);

// One implementation that applies.
struct Candidate {
  const Implementation* implementation = nullptr;
  ConfigSpace space;
  Config config;  // the default
  double seconds = 0;
};

// Those that apply, the fastest by the model first, in the order of the table
// on a tie. Empty only where Implementations is.
std::vector<Candidate> Strategy(const OpInstance& op,
                                const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_OP_STRATEGY_H_
