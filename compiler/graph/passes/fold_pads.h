// fold_pads: replaces pad operators by the padding of the convolution or
// pooling that reads them.
//
//   conv2d(pad(x) {before=[0,0,1,1], …}, w)    conv2d(x, w) {padding=[1,1,…]}
//
// A pad that pads only height and width is folded into the operator that reads
// it if this operator has the plain layout and is
//  - a conv2d, if the pad value is 0, or another integer for data of integers,
//    and the conv2d either has no padding of its own or pads with this value;
//    weights of floats must be finite constants, because padding counts as 0
//    even for an infinite weight;
//  - an avg_pool2d, if the pad value is 0 and the pooling either has no padding
//    of its own or includes it in the divisor;
//  - a max_pool2d, if the pad value is -infinity;
//  - a max_pool2d, if the pad value is 0 and the operand of the pad is the
//    result of a relu, a sigmoid or a clip to a non-negative range.
// A pooling must also have dilations of 1 and no ceil_mode. On each side, the
// pad and the padding of the pooling together must be smaller than the kernel,
// so that every window contains an element of the data.
//
// If the pad has other users, it remains for them. The pass must run before
// assign_encodings.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FOLD_PADS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FOLD_PADS_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class FoldPads : public Pass {
 public:
  static constexpr char kName[] = "fold_pads";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FOLD_PADS_H_
