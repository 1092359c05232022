// flatten_matmul: makes products of a stack of matrices and one constant matrix
// products of two matrices.
//
//   %2: float32[2,3,8] = matmul(%x, %w)
//
// becomes
//
//   %3: float32[6,4] = reshape(%x) {shape=[6,4]}
//   %4: float32[6,8] = matmul(%3, %w)
//   %2: float32[2,3,8] = reshape(%4) {shape=[2,3,8]}
//
// The rows of all matrices are multiplied by the same matrix, so one product
// computes them, whatever the leading axes are. The pass must run before
// assign_encodings, which stores the constants of such products in the way that
// suits the target.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FLATTEN_MATMUL_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FLATTEN_MATMUL_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class FlattenMatmul : public Pass {
 public:
  static constexpr char kName[] = "flatten_matmul";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FLATTEN_MATMUL_H_
