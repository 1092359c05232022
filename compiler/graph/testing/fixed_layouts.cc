#include "compiler/graph/testing/fixed_layouts.h"

#include <vector>

namespace assay::graph {

LayoutCosts FixedLayouts(Conv2dLayoutChoice choose,
                         TransposedLayoutChoice choose_transposed) {
  const auto only = [](const std::optional<ConvLayout>& layout) {
    return std::vector<ConvCandidate>{{layout.value_or(ConvLayout()), 0}};
  };
  LayoutCosts costs;
  costs.conv = [=](const Conv2dAttrs& attrs, const TensorType& data,
                   const TensorType& weights) {
    return only(choose(attrs, data, weights));
  };
  if (choose_transposed != nullptr) {
    costs.transposed = [=](const Conv2dTransposeAttrs& attrs,
                           const TensorType& data, const TensorType& weights) {
      return only(choose_transposed(attrs, data, weights));
    };
  }
  costs.transform = [](const TensorType& image) {
    return static_cast<double>(image.num_bytes());
  };
  return costs;
}

}  // namespace assay::graph
