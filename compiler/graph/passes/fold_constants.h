// fold_constants: replaces operators whose operands are all constants by
// constants. The reference interpreter computes the values.
//
//   %1: int64[2] = constant {value=[1,2]}
//   %2: int64[2] = add(%1, %1)      becomes   %3 = constant {value=[2,4]}
//
// A value without elements is a constant, whatever computes it. The pass
// replaces such results, and the uses of such inputs, by constants. It removes
// operands without elements from a concat, and replaces a scatter without
// updates by its data. All operands of the other operators that read such a
// value have no elements or are constants, so that the operators are folded.
// After the pass, therefore, no operator reads or writes a value without
// elements: code generation need not support them.
//
// The pass does not fold
//   - operators without operands;
//   - kernels;
//   - operators whose first result is larger than kMaxFoldedBytes. This limit
//     prevents a small model from becoming a huge one.
//
// The message of every error names the operator. The pass returns
//   - ResourceExhausted if the constants of the graph and the results of all
//     folded operators together need more than `max_memory` bytes;
//   - the error of the interpreter if an operator cannot be evaluated, for
//     example a gather whose index is outside its axis.
//
// The interpreter is also the oracle of tests and suites. If it computes a
// wrong constant, both the artifact and the oracle are wrong, and a comparison
// of the two cannot detect the error. tests/e2e/unfolded_models_test.cc
// therefore also compiles every model without folding.
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
