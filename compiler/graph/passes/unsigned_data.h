// unsigned_data: stores int8 data of integer products as uint8.
//
//   %2: int8 = requantize(%x, %s, -3)
//   %3 = conv2d(%2, %w)
//   ->
//   %2: uint8 = requantize(%x, %s, 125)
//   %4 = conv2d(%2, %w) {pad_value=128}
//   %3 = subtract(%4, 128 * sum of %w per filter)
//
// x86-64 has dot products of unsigned data and signed weights only. The two
// forms compute the same integers: 128 is added to each element of the data,
// and its product with the weights is subtracted from the sum. The operators
// between a quantization and a product, such as max_pool2d and concat, work on
// uint8 as on int8.
//
// The pass applies to products with constant int8 weights. Data that has other
// uses is dequantized from uint8 with another zero point, or computed in both
// forms. The pass must run before simplify_algebra, which joins the subtraction
// with the bias, and before assign_encodings.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_UNSIGNED_DATA_H_
#define ASSAY_COMPILER_GRAPH_PASSES_UNSIGNED_DATA_H_

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

class UnsignedData : public Pass {
 public:
  static constexpr char kName[] = "unsigned_data";
  // `costs` must outlive the pass.
  explicit UnsignedData(const TargetCosts* costs) : costs_(*costs) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const TargetCosts& costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_UNSIGNED_DATA_H_
