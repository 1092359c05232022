// fold_constants: evaluates every operator whose operands are all constants,
// with the reference interpreter.
//
//   %1: int64[2] = constant {value=[1,2]}
//   %2: int64[2] = add(%1, %1)      becomes   %3 = constant {value=[2,4]}
//
// Operators without operands, kernels, and operators whose result is larger
// than kMaxFoldedBytes are kept; the limit keeps a small model from growing
// into a huge one. Errors name the operator: ResourceExhausted if the constants
// of the graph and all results together need more than `max_memory` bytes, or
// the interpreter's error for an operator that cannot be evaluated (a gather
// outside its axis).
//
// The interpreter is also the oracle of tests and suites. A check against it
// cannot find an error that folding has copied into an artifact;
// tests/e2e/unfolded_models_test.cc therefore also compiles every model with
// folding off.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_

#include <cstdint>

#include "compiler/graph/passes/pass.h"
#include "runtime/base/memory_limit.h"

namespace assay::graph {

class FoldConstants : public Pass {
 public:
  static constexpr char kName[] = "fold_constants";
  static constexpr int64_t kMaxFoldedBytes = int64_t{1} << 30;
  explicit FoldConstants(int64_t max_memory = kDefaultMaxMemory)
      : max_memory_(max_memory) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const int64_t max_memory_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_
