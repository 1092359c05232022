// fold_pads: replaces pad operators by the padding of the convolution or
// pooling that reads them.
//
//   conv2d(pad(x) {before=[0,0,1,1], …}, w)    conv2d(x, w) {padding=[1,1,…]}
//
// A pad of height and width only is folded into a plain
//  - conv2d, if it pads with 0;
//  - avg_pool2d, if it pads with 0 and the pooling counts its own padding or
//    has none;
//  - max_pool2d, if it pads with -infinity, or pads non-negative data with 0
//    and every window contains an element of the data.
// Other users of the pad keep it. Must run before alter_conv_layout.
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
