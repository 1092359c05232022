// fuse_operators: groups operators into kernels.
//
// After the pass, the graph consists of inputs, constants and kernel nodes
// only. The body of a kernel is a small graph of operators. The results of the
// last operator are the results of the kernel. A value that the group reads but
// does not compute is an operand of the kernel and becomes one of the inputs
// p0, p1, … of the body. The only exceptions are constants with a single
// element, which are copied into the body.
//
// Groups are formed along the tree of post-dominators (post_dominators.h).
// Therefore only the last operator of a group has users outside the group, and
// no path between two operators of a group leaves the group. The rules are:
//
//   1. An operator of pattern OutEWiseFusable or CommReduce (conv2d, dense,
//      pooling, a reduction, …) is an anchor. It absorbs the elementwise
//      and broadcasting operators after it, as long as they keep the shape. If
//      two anchors could absorb the same operator, for example the addition at
//      the end of a residual block, the later anchor absorbs it.
//   2. Elementwise and broadcasting operators join the operator after them if
//      that operator is elementwise, broadcasting, injective or a reduction.
//      They can also join an operator that an anchor has absorbed by rule 1.
//   3. Injective operators join the operator after them if that operator is
//      elementwise, broadcasting or injective, and its group has no anchor.
//   4. A concat that needs no kernel because its operands are written in place
//      (an elided concat, graph/views.h) joins no group if an operator of
//      pattern OutEWiseFusable computes one of its operands, either directly or
//      followed by elementwise and broadcasting operators. A concat of more
//      than 32 operands joins no group.
//
// A kernel never contains two anchors, and a group has at most `max_group_size`
// operators. It does not matter how often the operators use the values of the
// group: a kernel computes each value once, or stores it if it is needed at
// many indices (compiler/ops/inlining/inline_stages.h). If `enabled` is false,
// every operator becomes a kernel of its own. Existing kernels are not changed.
//
// The pass must run last, because no other pass looks into kernels.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSE_OPERATORS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSE_OPERATORS_H_

#include "compiler/graph/passes/fusion_groups.h"
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
