// fold_constants: evaluates, with the reference interpreter, every operator
// whose operands are all constants.
//
//   %1: int64[2] = constant {value=[1,2]}
//   %2: int64[2] = add(%1, %1)      becomes   %3 = constant {value=[2,4]}
//
// Operators without operands and kernels stay. A result of more than
// kMaxFoldedBytes stays too, so that a small model cannot grow into a huge one.
// Where the constants of the graph and all results together would need more
// memory than the limit, that is an error that names the operator.
// An operator that cannot be evaluated (a gather outside its axis) is an error
// that names it.
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
