// assign_encodings: stores tensors in the way that suits the implementations of
// the operators on the target.
//
//   %2: float32[1,64,56,56] = conv2d(%x, %w)
//   %3: float32[1,64,56,56] = relu(%2)
//
// becomes
//
//   %4: float32[1,3,56,56]@blocks(3) = encode(%x)
//   %5: float32[64,3,3,3]@filters(in=3,out=16) = encode(%w)
//   %2: float32[1,64,56,56]@blocks(16) = conv2d(%4, %5)
//   %3: float32[1,64,56,56]@blocks(16) = relu(%2)
//   %6: float32[1,64,56,56] = encode(%3)
//
// PlanEncodings (encoding_plan.h) chooses the encodings of the whole graph at
// once. Convolutions and products whose weights are not constants are not
// changed.
//
// The following operators work on images in any blocks of channels:
//   - unary operators, casts and pooling;
//   - quantization operators with one scale and one zero point;
//   - binary operators, if each operand has the shape of the result, one value
//     per channel, or a single value;
//   - concat and slice, if they do not split a block.
// All other operators get plain operands.
//
// A value is converted only if one of its users needs it stored in another way,
// and users that need the same encoding share one `encode`. The pass must run
// before fold_constants, which evaluates the `encode` of constants, and after
// the passes that add or change convolutions and products.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_ASSIGN_ENCODINGS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_ASSIGN_ENCODINGS_H_

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

class AssignEncodings : public Pass {
 public:
  static constexpr char kName[] = "assign_encodings";
  // `costs` must outlive the pass.
  explicit AssignEncodings(const TargetCosts* costs) : costs_(*costs) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const TargetCosts& costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_ASSIGN_ENCODINGS_H_
