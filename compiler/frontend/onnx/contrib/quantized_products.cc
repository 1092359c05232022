// Products of quantized operands: DynamicQuantizeLSTM, DynamicQuantizeMatMul,
// MatMulIntegerToFloat, QGemm and QLinearConv. All are exact products of
// integers, whose sums are scaled.
//
// DynamicQuantizeLSTM remains one node, which the importer of LSTM converts: no
// operators of ONNX express it, because the state is quantized in each step.
#include <string>
#include <vector>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/contrib/quantize.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;

// int32 sums times the scale, one for each column or a single one.
std::string Scaled(NodeBuilder& b, const std::string& sums,
                   const std::string& scale) {
  return b.Node("DequantizeLinear", {sums, scale}).Int("axis", -1);
}

// Operands: a, b, their scales, their zero points, a bias.
absl::Status BuildMatMulIntegerToFloat(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(op.Require({2, 3}));
  ASSAY_RETURN_IF_ERROR(op.ExpectScalars({2, 4}));
  NodeBuilder& b = op.builder();
  const std::string sums =
      b.Node("MatMulInteger", {op.In(0), op.In(1), op.In(4), op.In(5)});
  std::string y = Scaled(b, sums, b.Mul(op.In(2), op.In(3)));
  if (op.HasInput(6)) y = b.Add(y, op.In(6));
  return op.SetResult(y);
}

// Operands: a, which is quantized here, b with scale and zero point, a bias.
absl::Status BuildDynamicQuantizeMatMul(ContribOp& op) {
  NodeBuilder& b = op.builder();
  const NodeBuilder::Added a = b.Node("DynamicQuantizeLinear", {op.In(0)}, 3);
  const std::string sums =
      b.Node("MatMulInteger", {a.Result(0), op.In(1), a.Result(2), op.In(3)});
  std::string y = Scaled(b, sums, b.Mul(a.Result(1), op.In(2)));
  if (op.HasInput(4)) y = b.Add(y, op.In(4));
  return op.SetResult(y);
}

// Operands: a and b, each with scale and zero point; c, int32 in the scale of
// the sums; the scale and zero point of the result, without which it is float.
absl::Status BuildQGemm(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(op.ExpectScalars({1, 2, 7, 8}));
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 1.0f));
  ASSAY_ASSIGN_OR_RETURN(const bool trans_a,
                         op.attributes().Flag("transA", false));
  ASSAY_ASSIGN_OR_RETURN(const bool trans_b,
                         op.attributes().Flag("transB", false));
  ASSAY_RETURN_IF_ERROR(op.ExpectRank(0, 2));
  ASSAY_RETURN_IF_ERROR(op.ExpectRank(3, 2));
  if (op.HasInput(7) != op.HasInput(8)) {
    return Malformed(
        "inputs 7 (y_scale) and 8 (y_zero_point) must be given together");
  }
  const Shape result = {op.Type(0).shape[trans_a ? 1 : 0],
                        op.Type(3).shape[trans_b ? 0 : 1]};
  NodeBuilder& b = op.builder();
  const std::string left = trans_a ? b.Transpose(op.In(0), {1, 0}) : op.In(0);
  const std::string right = trans_b ? b.Transpose(op.In(3), {1, 0}) : op.In(3);
  std::string sums = b.Node("MatMulInteger", {left, right, op.In(2), op.In(5)});
  if (op.HasInput(6)) {
    ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(6, result));
    sums = b.Add(sums, op.In(6));
  }
  std::string scale = b.Mul(op.In(1), op.In(4));
  if (alpha != 1.0f) scale = b.Mul(scale, b.Scalar(DType::Float32(), alpha));
  const std::string y = Scaled(b, sums, scale);
  if (!op.HasInput(7)) return op.SetResult(y);
  return op.SetResult(AddQuantize(op, y, 7, op.Type(8).dtype));
}

// The operator of `ai.onnx`, with an additional attribute.
absl::Status BuildQLinearConv(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(op.RefuseAttribute("channels_last"));
  const NodeBuilder::Added conv = op.builder().Node(
      "QLinearConv", {op.In(0), op.In(1), op.In(2), op.In(3), op.In(4),
                      op.In(5), op.In(6), op.In(7), op.In(8)});
  ASSAY_RETURN_IF_ERROR(op.Copy({{"auto_pad", AttributeProto::STRING},
                                 {"dilations", AttributeProto::INTS},
                                 {"group", AttributeProto::INT},
                                 {"kernel_shape", AttributeProto::INTS},
                                 {"pads", AttributeProto::INTS},
                                 {"strides", AttributeProto::INTS}},
                                conv));
  return op.SetResult(conv);
}

// Operands: X, W, R, B, sequence_lens, initial_h, initial_c, P, the scale and
// the zero point of W, and those of R.
absl::Status BuildDynamicQuantizeLstm(ContribOp& op) {
  std::vector<std::string> operands;
  for (int i = 0; i < 12; ++i) operands.push_back(op.In(i));
  const NodeBuilder::Added lstm =
      op.builder().Node("DynamicQuantizeLSTM", operands, 3);
  ASSAY_RETURN_IF_ERROR(op.Copy({{"activation_alpha", AttributeProto::FLOATS},
                                 {"activation_beta", AttributeProto::FLOATS},
                                 {"activations", AttributeProto::STRINGS},
                                 {"clip", AttributeProto::FLOAT},
                                 {"direction", AttributeProto::STRING},
                                 {"hidden_size", AttributeProto::INT},
                                 {"input_forget", AttributeProto::INT}},
                                lstm));
  op.SetResults({lstm.Result(0), lstm.Result(1), lstm.Result(2)});
  return absl::OkStatus();
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "DynamicQuantizeLSTM", 3, 12, BuildDynamicQuantizeLstm},
    {kMicrosoft, "DynamicQuantizeMatMul", 3, 5, BuildDynamicQuantizeMatMul},
    {kMicrosoft, "MatMulIntegerToFloat", 2, 7, BuildMatMulIntegerToFloat},
    {kMicrosoft, "QGemm", 6, 9, BuildQGemm},
    {kMicrosoft, "QLinearConv", 8, 9, BuildQLinearConv},
};

}  // namespace

absl::Span<const ContribRow> ContribQuantizedProductsRows() { return kRows; }

}  // namespace assay::frontend
