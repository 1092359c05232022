// fuse_operators: groups operators into kernels.
//
// After the pass, the graph consists of inputs, constants and kernel nodes
// only. The body of a kernel is a small graph of operators, and its results are
// the results of the last operator. The operands of the group from outside are
// the inputs p0, p1, … of the body. A constant is an input of the body as well,
// unless it has only one element: then it is copied into the body.
//
// Groups are formed along the tree of post-dominators (post_dominators.h).
// Therefore only the last operator of a group has users outside the group, and
// no path between two operators of a group leaves the group:
//
//   1. An operator of pattern OutEWiseFusable or CommReduce (an anchor: conv2d,
//      dense, pooling, reductions, …) absorbs the elementwise and broadcasting
//      operators after it, as long as they keep the shape. If two anchors could
//      absorb the same operator (a residual add), the later anchor absorbs it.
//   2. Elementwise and broadcasting operators join the operator after them if
//      that operator is elementwise, broadcasting, injective or a reduction, or
//      was absorbed by rule 1.
//   3. Injective operators join the operator after them if that operator is
//      elementwise, broadcasting or injective.
//   4. A concat that needs no kernel because its operands are written in place
//      (an elided concat, graph/views.h) joins no group if one of its operands
//      comes from an operator of pattern OutEWiseFusable.
//
// A kernel never contains two anchors, and a group has at most `max_group_size`
// operators. If `enabled` is false, every operator becomes a kernel of its own.
// Existing kernels are not changed.
//
// The pass must run last, because no other pass looks into kernels.
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
