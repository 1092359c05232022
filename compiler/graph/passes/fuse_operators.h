// fuse_operators: groups operators into kernels.
//
// Afterwards the graph consists of inputs, constants and kernel nodes only. The
// body of a kernel is a small graph of operators with one result; its operands
// from outside are its inputs p0, p1, … Constants are kernel inputs as well,
// except those of one element, which are part of the body.
//
// Groups grow along the tree of post-dominators (post_dominators.h), so that a
// group has one result and no other kernel can lie between its operators:
//
//   1. conv2d, dense, pooling and reductions (anchors) absorb the elementwise
//      and broadcasting operators that follow, as long as these keep the shape.
//      If two anchors reach the same operator (a residual add), the later one
//      absorbs it.
//   2. Elementwise and broadcasting operators join the operators that follow:
//      elementwise, injective or reducing ones, or those absorbed by rule 1.
//   3. Injective operators join elementwise and injective operators.
//   4. A concat that is elided (graph/views.h), because operators that cannot
//      join it write its operands into place, stays alone.
//
// Two operators of pattern OutEWiseFusable or CommReduce never share a kernel,
// and a group has at most `max_group_size` operators. If `enabled` is false,
// every operator becomes a kernel of its own. Existing kernels are not changed.
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
