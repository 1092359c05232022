// pad_filters: adds zero filters to convolutions whose number of filters suits
// no vector, and drops their results.
//
//   %2 = conv2d(%x, %w)      %3 = pad(%w) {after=[7,0,0,0]}
//                            %4 = conv2d(%x, %3)
//                            %2 = slice(%4) {sizes=[1,273,…]}
//
// Applies to float32 convolutions with constant weights and without groups.
// Detection heads have such numbers of filters (anchors times classes). Must
// run before alter_conv_layout, whose blocks divide the number of filters.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// The number of filters, at least `filters`, to which a convolution is padded.
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
