// Products with what ONNX Runtime fuses into them: FusedConv, FusedGemm,
// FusedMatMul and TransposeMatMul, the former name of FusedMatMul.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;

// An activation function: a standard operator, and the names of its parameters
// in the order of the attribute `activation_params`.
struct Activation {
  const char* name;
  std::vector<const char*> parameters;
};

const Activation* FindActivation(absl::Span<const Activation> activations,
                                 const std::string& name) {
  for (const Activation& activation : activations) {
    if (name == activation.name) return &activation;
  }
  return nullptr;
}

absl::Status NoActivation(const std::string& name) {
  return Unsupported("attribute `activation` is ", Quote(name),
                     ", which is not supported");
}

// Applies the activation function that the attributes describe to `x`.
absl::StatusOr<std::string> ConvActivation(ContribOp& op,
                                           const std::string& x) {
  const Activation activations[] = {
      {"Clip", {"min", "max"}}, {"HardSigmoid", {"alpha", "beta"}},
      {"LeakyRelu", {"alpha"}}, {"Relu", {}},
      {"Sigmoid", {}},          {"Tanh", {}}};
  ASSAY_ASSIGN_OR_RETURN(const std::string name,
                         op.attributes().String("activation", ""));
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalFloats("activation_params"));
  if (name.empty()) return x;
  const Activation* activation = FindActivation(activations, name);
  if (activation == nullptr) return NoActivation(name);
  const std::vector<float> values = given.value_or(std::vector<float>());
  if (values.size() != activation->parameters.size()) {
    return Malformed("attribute `activation_params` has ", values.size(),
                     " numbers but ", name, " needs ",
                     activation->parameters.size());
  }
  NodeBuilder& b = op.builder();
  if (name == "Clip") {
    const DType dtype = op.Type(0).dtype;
    const std::string low = b.Scalar(dtype, values[0]);
    const std::string high = b.Scalar(dtype, values[1]);
    return std::string(b.Node("Clip", {x, low, high}));
  }
  NodeBuilder::Added node = b.Node(name, {x});
  for (size_t i = 0; i < values.size(); ++i) {
    node.Float(activation->parameters[i], values[i]);
  }
  return std::string(node);
}

absl::Status BuildFusedConv(ContribOp& op) {
  NodeBuilder& b = op.builder();
  const NodeBuilder::Added conv =
      b.Node("Conv", {op.In(0), op.In(1), op.In(2)});
  ASSAY_RETURN_IF_ERROR(op.Copy({{"auto_pad", AttributeProto::STRING},
                                 {"dilations", AttributeProto::INTS},
                                 {"group", AttributeProto::INT},
                                 {"kernel_shape", AttributeProto::INTS},
                                 {"pads", AttributeProto::INTS},
                                 {"strides", AttributeProto::INTS}},
                                conv));
  std::string y = conv;
  if (op.HasInput(3)) y = b.Add(y, op.In(3));
  ASSAY_ASSIGN_OR_RETURN(y, ConvActivation(op, y));
  return op.SetResult(y);
}

absl::Status BuildFusedGemm(ContribOp& op) {
  const Activation activations[] = {{"Elu", {"alpha"}},
                                    {"HardSigmoid", {"alpha", "beta"}},
                                    {"LeakyRelu", {"alpha"}},
                                    {"Relu", {}},
                                    {"Selu", {"alpha", "gamma"}},
                                    {"Sigmoid", {}},
                                    {"Softplus", {}},
                                    {"Softsign", {}},
                                    {"Tanh", {}},
                                    {"ThresholdedRelu", {"alpha"}}};
  NodeBuilder& b = op.builder();
  const NodeBuilder::Added gemm =
      b.Node("Gemm", {op.In(0), op.In(1), op.In(2)});
  ASSAY_RETURN_IF_ERROR(op.Copy({{"alpha", AttributeProto::FLOAT},
                                 {"beta", AttributeProto::FLOAT},
                                 {"transA", AttributeProto::INT},
                                 {"transB", AttributeProto::INT}},
                                gemm));
  ASSAY_ASSIGN_OR_RETURN(const std::string name,
                         op.attributes().String("activation", ""));
  const Activation* activation = FindActivation(activations, name);
  if (activation == nullptr) return NoActivation(name);
  NodeBuilder::Added y = b.Node(name, {gemm});
  for (const char* parameter : activation->parameters) {
    ASSAY_ASSIGN_OR_RETURN(
        const auto value,
        op.attributes().OptionalFloat(absl::StrCat("activation_", parameter)));
    if (value.has_value()) y.Float(parameter, *value);
  }
  return op.SetResult(y);
}

// Operand `i`. `batch` moves its first axis behind the batch, before the last
// axis; then `last` exchanges the last two axes. A vector stays as it is.
std::string Transposed(ContribOp& op, int i, bool last, bool batch) {
  const int rank = op.Type(i).rank();
  if (rank < 2 || (!last && !batch)) return op.In(i);
  std::vector<int64_t> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  if (batch) std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (last) std::swap(perm.back(), perm[perm.size() - 2]);
  return op.builder().Transpose(op.In(i), perm);
}

absl::Status MatMul(ContribOp& op, bool batch_a, bool batch_b) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 1.0f));
  ASSAY_ASSIGN_OR_RETURN(const bool trans_a,
                         op.attributes().Flag("transA", false));
  ASSAY_ASSIGN_OR_RETURN(const bool trans_b,
                         op.attributes().Flag("transB", false));
  NodeBuilder& b = op.builder();
  const std::string left = Transposed(op, 0, trans_a, batch_a);
  const std::string right = Transposed(op, 1, trans_b, batch_b);
  std::string y = b.MatMul(left, right);
  if (alpha != 1.0f) y = b.Mul(y, b.Scalar(op.Type(0).dtype, alpha));
  return op.SetResult(y);
}

absl::Status BuildFusedMatMul(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const bool batch_a,
                         op.attributes().Flag("transBatchA", false));
  ASSAY_ASSIGN_OR_RETURN(const bool batch_b,
                         op.attributes().Flag("transBatchB", false));
  return MatMul(op, batch_a, batch_b);
}

absl::Status BuildTransposeMatMul(ContribOp& op) {
  return MatMul(op, false, false);
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "FusedConv", 2, 4, BuildFusedConv},
    {kMicrosoft, "FusedGemm", 2, 3, BuildFusedGemm},
    {kMicrosoft, "FusedMatMul", 2, 2, BuildFusedMatMul},
    {kMicrosoft, "TransposeMatMul", 2, 2, BuildTransposeMatMul},
};

}  // namespace

absl::Span<const ContribRow> ContribFusedRows() { return kRows; }

}  // namespace assay::frontend
