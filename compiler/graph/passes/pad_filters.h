// pad_filters: adds zero filters to convolutions whose number of filters is not
// suitable for vectors, and drops the results of the added filters.
//
//   %2 = conv2d(%x, %w)
//   ->
//   %3 = pad(%w) {after=[7,0,0,0]}
//   %4 = conv2d(%x, %3)
//   %2 = slice(%4) {sizes=[1,273,…]}
//
// The pass applies to float32 convolutions with the plain layout, constant
// weights and no groups. Numbers of filters that are not suitable for vectors
// occur in detection heads, where the number of filters is the number of anchor
// boxes times the number of classes. The pass must run before
// alter_conv_layout, whose blocks must divide the number of filters.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// Returns the number of filters to which a convolution with `filters` filters
// is padded. The result must be at least `filters`.
using ChooseFilters = std::function<int64_t(int64_t filters)>;

class PadFilters : public Pass {
 public:
  static constexpr char kName[] = "pad_filters";
  // If `choose` is null, the pass changes nothing.
  explicit PadFilters(ChooseFilters choose) : choose_(std::move(choose)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  ChooseFilters choose_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PAD_FILTERS_H_
