// pad_filters: gives convolutions whose number of filters suits no vector some
// more filters, of zeros, and drops what they compute.
//
//   %2 = conv2d(%x, %w)      %3 = pad(%w) {after=[7,0,0,0]}
//                            %4 = conv2d(%x, %3)
//                            %2 = slice(%4) {sizes=[1,273,…]}
//
// Only of float32, with constant weights and without groups. Detection heads
// have such numbers (anchors times classes). Must run before alter_conv_layout,
// which wants numbers of filters that its blocks divide.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// How many filters a convolution with `filters` of them should have, at least
// as many.
using ChooseFilters = std::function<int64_t(int64_t filters)>;

class PadFilters : public Pass {
 public:
  static constexpr char kName[] = "pad_filters";
  // Null keeps every number of filters.
  explicit PadFilters(ChooseFilters choose) : choose_(std::move(choose)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  ChooseFilters choose_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_
