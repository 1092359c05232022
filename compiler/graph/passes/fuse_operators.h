// fuse_operators: groups operators into kernels.
//
// Afterwards the graph holds inputs, constants and kernel nodes only. Each
// kernel's body is a small graph of operators with one result; what it needs
// from outside are its inputs p0, p1, … Constants are kernel inputs too, but
// for those of one element, which stand in the body.
//
// Groups grow along the tree of post-dominators (post_dominators.h), so that a
// group has one result and no other kernel can lie between its operators:
//
//   1. conv2d, dense, pooling and reductions take in the elementwise and
//      broadcasting operators that follow, as long as these keep the shape. Of
//      two that reach the same operator (a residual add), the later one takes
//      it.
//   2. Elementwise and broadcasting operators join what follows: elementwise,
//      injective or reducing operators, or those a group of 1 has taken in.
//   3. Injective operators join elementwise and injective operators.
//   4. A concat that costs nothing as it is (graph/views.h), because operators
//      that cannot join it write its operands into place, stays alone.
//
// Two operators of pattern OutEWiseFusable or CommReduce never share a kernel,
// and a group has at most `max_group_size` operators. With `enabled` false
// every operator is a kernel of its own. Kernels that exist already are left
// alone.
//
// Must run last: no other pass looks into kernels.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSE_OPERATORS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSE_OPERATORS_H_

#include "compiler/graph/passes/fusion_options.h"
#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class FuseOperators : public Pass {
 public:
  static constexpr char kName[] = "fuse_operators";
  explicit FuseOperators(const FusionOptions& options = {})
      : options_(options) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  FusionOptions options_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSE_OPERATORS_H_
