// crop_filters: makes the filters of convolutions smaller by removing outer
// taps that read nothing but padding, and reduces the padding accordingly. In
// the following example, %x has 1 x 1 pixels and %w has 3 x 3 taps:
//
//   %2 = conv2d(%x, %w) {padding=[1,1,1,1]}
//   ->
//   %3 = slice(%w) {begins=[0,0,1,1], sizes=[…,1,1]}
//   %2 = conv2d(%x, %3) {padding=[0,0,0,0]}
//
// Such taps occur in detection heads, which apply 3 x 3 filters to images as
// small as one pixel, and in dilated convolutions whose filters extend beyond
// the whole image. The convolution must have the plain layout, constant weights
// and padding with 0, which adds nothing to the sums. The remaining taps read
// the same elements as before. The pass must run before assign_encodings,
// which may choose a faster algorithm for the smaller filter.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_CROP_FILTERS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_CROP_FILTERS_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class CropFilters : public Pass {
 public:
  static constexpr char kName[] = "crop_filters";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_CROP_FILTERS_H_
