// copy_outputs: makes every graph output the result of an operator.
//
//   graph g(%x: float32[2]) -> (a=%x)
//
// This graph needs a copy of its input, but a compiled model can write its
// outputs only with kernels. An output that is an input or a constant is
// therefore replaced by a reshape of that value to its own shape. The pass must
// run after fold_constants, which would evaluate the reshape of a constant, and
// before fuse_operators.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_COPY_OUTPUTS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_COPY_OUTPUTS_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class CopyOutputs : public Pass {
 public:
  static constexpr char kName[] = "copy_outputs";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_COPY_OUTPUTS_H_
