// Quantized operators other than products: QLinearAdd, QLinearAveragePool,
// QLinearConcat, QLinearGlobalAveragePool, QLinearLeakyRelu, QLinearMul,
// QLinearReduceMean, QLinearSigmoid, QLinearSoftmax and QLinearWhere are float
// operators between DequantizeLinear and QuantizeLinear. DequantizeLinear and
// QuantizeLinear of `com.microsoft` differ from those of `ai.onnx` in the
// default of `axis`.
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/contrib/quantize.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::TensorType;
using onnx::AttributeProto;

// Operands: x, its scale and zero point, the scale and zero point of y.
absl::Status CheckUnary(const ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(op.Require({3}));
  return op.ExpectScalars({1, 2, 3, 4});
}

// The result of CheckUnary's operator: `y`, quantized.
absl::Status Finish(ContribOp& op, const std::string& y) {
  return op.SetResult(AddQuantize(op, y, 3, op.Type(0).dtype));
}

// Operands: a, b, each with scale and zero point, and those of the result.
absl::Status Binary(ContribOp& op, const char* op_type) {
  ASSAY_RETURN_IF_ERROR(op.Require({3, 4, 6}));
  ASSAY_RETURN_IF_ERROR(op.ExpectScalars({1, 2, 4, 5, 6, 7}));
  const std::string left = AddDequantize(op, 0);
  const std::string right = AddDequantize(op, 3);
  const std::string y = op.builder().Node(op_type, {left, right});
  return op.SetResult(AddQuantize(op, y, 6, op.Type(0).dtype));
}

absl::Status BuildQLinearAdd(ContribOp& op) { return Binary(op, "Add"); }
absl::Status BuildQLinearMul(ContribOp& op) { return Binary(op, "Mul"); }

// The permutation that puts the channels, the last of `rank` axes, behind the
// batch; with `back`, its inverse.
std::vector<int64_t> ChannelsFirst(int rank, bool back) {
  std::vector<int64_t> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  const auto channels = back ? perm.begin() + 1 : perm.end() - 1;
  const int64_t axis = *channels;
  perm.erase(channels);
  perm.insert(back ? perm.end() : perm.begin() + 1, axis);
  return perm;
}

// The pooling operator `op_type` with attributes of these names, applied to
// data whose channels may be the last axis.
absl::Status Pool(ContribOp& op, const char* op_type,
                  absl::Span<const AttributeSpec> attributes) {
  ASSAY_RETURN_IF_ERROR(CheckUnary(op));
  ASSAY_ASSIGN_OR_RETURN(const bool channels_last,
                         op.attributes().Flag("channels_last", false));
  const int rank = op.Type(0).rank();
  if (rank < 3) {
    return Malformed("input 0 is ", op.Type(0).ToString(),
                     " but rank 3 or more is needed");
  }
  NodeBuilder& b = op.builder();
  std::string x = AddDequantize(op, 0);
  if (channels_last) x = b.Transpose(x, ChannelsFirst(rank, false));
  const NodeBuilder::Added pool = b.Node(op_type, {x});
  ASSAY_RETURN_IF_ERROR(op.Copy(attributes, pool));
  std::string y = pool;
  if (channels_last) y = b.Transpose(y, ChannelsFirst(rank, true));
  return Finish(op, y);
}

absl::Status BuildQLinearAveragePool(ContribOp& op) {
  return Pool(op, "AveragePool",
              {{"auto_pad", AttributeProto::STRING},
               {"ceil_mode", AttributeProto::INT},
               {"count_include_pad", AttributeProto::INT},
               {"kernel_shape", AttributeProto::INTS},
               {"pads", AttributeProto::INTS},
               {"strides", AttributeProto::INTS}});
}

absl::Status BuildQLinearGlobalAveragePool(ContribOp& op) {
  return Pool(op, "GlobalAveragePool", {});
}

// Operands: the scale and zero point of y, then each part with its scale and
// zero point.
absl::Status BuildQLinearConcat(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis, op.RequiredInt("axis"));
  if ((op.num_inputs() - 2) % 3 != 0) {
    return Malformed("has ", op.num_inputs(),
                     " inputs, which are not two and three for each part");
  }
  ASSAY_RETURN_IF_ERROR(op.ExpectScalars({0, 1}));
  std::vector<std::string> parts;
  for (int i = 2; i < op.num_inputs(); i += 3) {
    ASSAY_RETURN_IF_ERROR(op.ExpectScalars({i + 1, i + 2}));
    parts.push_back(AddDequantize(op, i));
  }
  const std::string y = op.builder().Node("Concat", parts).Int("axis", axis);
  return op.SetResult(AddQuantize(op, y, 0, op.Type(2).dtype));
}

absl::Status BuildQLinearLeakyRelu(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(CheckUnary(op));
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 0.01f));
  const std::string x = AddDequantize(op, 0);
  return Finish(op, op.builder().Node("LeakyRelu", {x}).Float("alpha", alpha));
}

absl::Status BuildQLinearReduceMean(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(CheckUnary(op));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, op.attributes().OptionalInts("axes"));
  ASSAY_ASSIGN_OR_RETURN(const bool keepdims,
                         op.attributes().Flag("keepdims", true));
  NodeBuilder& b = op.builder();
  std::vector<std::string> operands = {AddDequantize(op, 0)};
  if (axes.has_value()) operands.push_back(b.Int64s(*axes));
  return Finish(
      op, b.Node("ReduceMean", operands).Int("keepdims", keepdims ? 1 : 0));
}

absl::Status BuildQLinearSigmoid(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(CheckUnary(op));
  const std::string x = AddDequantize(op, 0);
  return Finish(op, op.builder().Node("Sigmoid", {x}));
}

// The attribute `opset` is that of the Softmax: before 13, all axes from `axis`
// on are one.
absl::Status BuildQLinearSoftmax(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(CheckUnary(op));
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", -1));
  ASSAY_ASSIGN_OR_RETURN(const int64_t opset, op.RequiredInt("opset"));
  const TensorType& type = op.Type(0);
  const int64_t rank = type.rank();
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank) {
    return Malformed("attribute `axis` ", given, " is out of range for rank ",
                     rank);
  }
  NodeBuilder& b = op.builder();
  std::string y = AddDequantize(op, 0);
  const bool flattens = opset < 13 && axis + 1 < rank;
  if (flattens) {
    const auto extents = absl::MakeConstSpan(type.shape);
    const auto first = static_cast<size_t>(axis);
    y = b.Reshape(y, {NumElements(extents.subspan(0, first)),
                      NumElements(extents.subspan(first))});
  }
  y = b.Node("Softmax", {y}).Int("axis", flattens ? 1 : axis);
  if (flattens) y = b.Reshape(y, type.shape);
  return Finish(op, y);
}

// Operands: condition, x and y, each with scale and zero point, and those of
// the result.
absl::Status BuildQLinearWhere(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(op.ExpectScalars({2, 3, 5, 6, 7, 8}));
  const std::string x = AddDequantize(op, 1);
  const std::string y = AddDequantize(op, 4);
  const std::string z = op.builder().Where(op.In(0), x, y);
  return op.SetResult(AddQuantize(op, z, 7, op.Type(1).dtype));
}

// Without the attribute `axis`, there is one scale.
absl::Status Linear(ContribOp& op, const char* op_type) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<int64_t> axis,
                         op.attributes().OptionalInt("axis"));
  if (!axis.has_value()) ASSAY_RETURN_IF_ERROR(op.ExpectScalars({1, 2}));
  NodeBuilder::Added node =
      op.builder().Node(op_type, {op.In(0), op.In(1), op.In(2)});
  if (axis.has_value()) node.Int("axis", *axis);
  return op.SetResult(node);
}

absl::Status BuildDequantizeLinear(ContribOp& op) {
  return Linear(op, "DequantizeLinear");
}

absl::Status BuildQuantizeLinear(ContribOp& op) {
  return Linear(op, "QuantizeLinear");
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "DequantizeLinear", 2, 3, BuildDequantizeLinear},
    {kMicrosoft, "QLinearAdd", 2, 8, BuildQLinearAdd},
    {kMicrosoft, "QLinearAveragePool", 2, 5, BuildQLinearAveragePool},
    {kMicrosoft, "QLinearConcat", 5, kAnyInputs, BuildQLinearConcat},
    {kMicrosoft, "QLinearGlobalAveragePool", 5, 5,
     BuildQLinearGlobalAveragePool},
    {kMicrosoft, "QLinearLeakyRelu", 2, 5, BuildQLinearLeakyRelu},
    {kMicrosoft, "QLinearMul", 2, 8, BuildQLinearMul},
    {kMicrosoft, "QLinearReduceMean", 2, 5, BuildQLinearReduceMean},
    {kMicrosoft, "QLinearSigmoid", 2, 5, BuildQLinearSigmoid},
    {kMicrosoft, "QLinearSoftmax", 2, 5, BuildQLinearSoftmax},
    {kMicrosoft, "QLinearWhere", 9, 9, BuildQLinearWhere},
    {kMicrosoft, "QuantizeLinear", 2, 3, BuildQuantizeLinear},
};

}  // namespace

absl::Span<const ContribRow> ContribQuantizedRows() { return kRows; }

}  // namespace assay::frontend
