// copy_outputs: makes every model output the result of an operator.
//
//   graph g(%x: float32[2]) -> (a=%x)
//
// needs a copy of an input, but a memory plan has kernels only. An output that
// is an input or a constant becomes a reshape of it to its own shape. Must run
// after the passes that would remove such a reshape, and before fusion.
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
