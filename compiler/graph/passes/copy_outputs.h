// copy_outputs: makes every graph output the result of an operator of its own.
//
//   graph g(%x: float32[2]) -> (a=%x, b=%1, c=%1) { %1: ... = relu(%x) }
//
// This graph needs a copy of its input for `a`, and a copy of %1 for `c`,
// because a kernel writes each output of a compiled model to memory of its own.
// The pass replaces an output that is an input, a constant or the value of an
// earlier output by a reshape of that value to its own shape. Outputs without
// elements, which nothing writes, stay as they are, and so do outputs that only
// hold the extent of a bounded dimension, which need no memory of their own.
//
// The pass must run after fold_constants, which would evaluate the reshape of a
// constant, after common_subexpressions, which would merge the copies of a
// value, and before fuse_operators.
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
