// crop_filters: takes from the ends of filters the taps that meet nothing but
// padding, and the padding with them.
//
//   %2 = conv2d(%x, %w) {padding=[1,1,1,1]}      of 1 x 1 pixels
//   ->
//   %3 = slice(%w) {begins=[0,0,1,1], sizes=[…,1,1]}
//   %2 = conv2d(%x, %3) {padding=[0,0,0,0]}
//
// Detection heads look at maps as small as one pixel through windows of 3 x 3,
// and atrous convolutions at maps that their taps reach across. Only with
// constant weights; what a tap that is left meets does not change. Must run
// before alter_conv_layout, which may find a faster algorithm for what is left.
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
