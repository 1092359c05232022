// FixedEncodings: target costs for tests. Each operator has at most one choice,
// which a function of the test makes.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_FIXED_ENCODINGS_H_
#define ASSAY_COMPILER_GRAPH_TESTING_FIXED_ENCODINGS_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

// Returns the encodings for an operator with these attributes, given the plain
// types of its operands. nullopt means that it takes and gives plain tensors.
using ChooseEncodings = std::function<std::optional<EncodingChoice>(
    OpKind kind, const Attrs& attrs, absl::Span<const TensorType> operands)>;

class FixedEncodings : public TargetCosts {
 public:
  explicit FixedEncodings(ChooseEncodings choose)
      : choose_(std::move(choose)) {}

  std::vector<EncodingChoice> Choices(
      OpKind kind, const Attrs& attrs,
      absl::Span<const TensorType> operands) const override {
    const auto choice = choose_(kind, attrs, operands);
    if (!choice.has_value()) return {};
    return {*choice};
  }
  // One second per byte.
  double ConversionSeconds(const TensorType& image) const override {
    return static_cast<double>(image.num_bytes());
  }

 private:
  const ChooseEncodings choose_;
};

// Returns the encodings of a convolution of float32, or of a depthwise one of
// bytes, in these blocks of channels.
EncodingChoice InBlocks(int64_t in, int64_t out);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_FIXED_ENCODINGS_H_
