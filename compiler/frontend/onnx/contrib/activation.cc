// Activation functions and additions of a bias: BiasAdd, BiasGelu,
// BiasSplitGelu, FastGelu, Gelu and QuickGelu.
#include <string>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// x + bias + skip
absl::Status BuildBiasAdd(ContribOp& op) {
  NodeBuilder& b = op.builder();
  return op.SetResult(b.Add(b.Add(op.In(0), op.In(1)), op.In(2)));
}

absl::Status BuildBiasGelu(ContribOp& op) {
  NodeBuilder& b = op.builder();
  return op.SetResult(b.Node("Gelu", {b.Add(op.In(0), op.In(1))}));
}

// The left half of x + bias times the Gelu of the right half.
absl::Status BuildBiasSplitGelu(ContribOp& op) {
  const graph::TensorType& type = op.Type(0);
  if (type.rank() == 0 || type.shape.back() % 2 != 0) {
    return Malformed("input 0 is ", type.ToString(),
                     ", whose last axis has no two halves");
  }
  ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(1, type.shape));
  const int64_t half = type.shape.back() / 2;
  NodeBuilder& b = op.builder();
  const std::string sum = b.Add(op.In(0), op.In(1));
  const NodeBuilder::Added halves =
      b.Node("Split", {sum, b.Int64s({half, half})}, 2).Int("axis", -1);
  const std::string gate = b.Node("Gelu", {halves.Result(1)});
  return op.SetResult(b.Mul(halves.Result(0), gate));
}

// The formula with tanh, of x + bias.
absl::Status BuildFastGelu(ContribOp& op) {
  NodeBuilder& b = op.builder();
  const std::string x = op.HasInput(1) ? b.Add(op.In(0), op.In(1)) : op.In(0);
  return op.SetResult(b.Node("Gelu", {x}).String("approximate", "tanh"));
}

absl::Status BuildGelu(ContribOp& op) {
  return op.SetResult(op.builder().Node("Gelu", {op.In(0)}));
}

// x * sigmoid(alpha * x)
absl::Status BuildQuickGelu(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 1.702f));
  NodeBuilder& b = op.builder();
  const std::string factor = b.Scalar(op.Type(0).dtype, alpha);
  const std::string gate = b.Node("Sigmoid", {b.Mul(op.In(0), factor)});
  return op.SetResult(b.Mul(op.In(0), gate));
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "BiasAdd", 3, 3, BuildBiasAdd},
    {kMicrosoft, "BiasGelu", 2, 2, BuildBiasGelu},
    {kMicrosoft, "BiasSplitGelu", 2, 2, BuildBiasSplitGelu},
    {kMicrosoft, "FastGelu", 1, 2, BuildFastGelu},
    {kMicrosoft, "Gelu", 1, 1, BuildGelu},
    {kMicrosoft, "QuickGelu", 1, 1, BuildQuickGelu},
};

}  // namespace

absl::Span<const ContribRow> ContribActivationRows() { return kRows; }

}  // namespace assay::frontend
