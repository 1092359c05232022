// Activation functions with parameters, and those that are made of others.
#include <string>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
absl::StatusOr<Value> TanhGelu(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(Value y, op.Add(OpKind::kMultiply, NoAttrs(), {x, x}));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kMultiply, y, 0.044715f));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kAdd, y, 1));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMultiply, NoAttrs(), {x, y}));
  ASSAY_ASSIGN_OR_RETURN(
      y, AddWithScalar(op, OpKind::kMultiply, y, 0.7978845608028654f));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kTanh, NoAttrs(), {y}));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kAdd, y, 1));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kMultiply, y, 0.5f));
  return op.Add(OpKind::kMultiply, NoAttrs(), {x, y});
}

}  // namespace

absl::Status ImportLeakyRelu(OpImport& op) {
  graph::AlphaAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha, op.attributes().Float("alpha", 0.01f));
  return op.SetResult(op.Add(OpKind::kLeakyRelu, attrs, {op.Input(0)}));
}

absl::Status ImportElu(OpImport& op) {
  graph::AlphaAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha, op.attributes().Float("alpha", 1.0f));
  return op.SetResult(op.Add(OpKind::kElu, attrs, {op.Input(0)}));
}

absl::Status ImportSelu(OpImport& op) {
  graph::AlphaAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha,
                         op.attributes().Float("alpha", 1.67326319217681884f));
  ASSAY_ASSIGN_OR_RETURN(const float gamma,
                         op.attributes().Float("gamma", 1.05070102214813232f));
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kElu, attrs, {op.Input(0)}));
  return op.SetResult(AddWithScalar(op, OpKind::kMultiply, y, gamma));
}

// alpha * elu(x / alpha)
absl::Status ImportCelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 1.0f));
  if (!(alpha > 0)) {
    return Unsupported("attribute `alpha` is ", alpha,
                       ", which is not positive");
  }
  graph::AlphaAttrs elu;
  elu.alpha = 1;
  if (alpha == 1) {
    return op.SetResult(op.Add(OpKind::kElu, elu, {op.Input(0)}));
  }
  ASSAY_ASSIGN_OR_RETURN(
      Value y, AddWithScalar(op, OpKind::kDivide, op.Input(0), alpha));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kElu, elu, {y}));
  return op.SetResult(AddWithScalar(op, OpKind::kMultiply, y, alpha));
}

absl::Status ImportHardSigmoid(OpImport& op) {
  graph::LinearAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha, op.attributes().Float("alpha", 0.2f));
  ASSAY_ASSIGN_OR_RETURN(attrs.beta, op.attributes().Float("beta", 0.5f));
  return op.SetResult(op.Add(OpKind::kHardSigmoid, attrs, {op.Input(0)}));
}

absl::Status ImportGelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::string approximate,
                         op.attributes().String("approximate", "none"));
  if (approximate == "tanh") return op.SetResult(TanhGelu(op));
  if (approximate != "none") {
    return Malformed("attribute `approximate` is ", Quote(approximate),
                     " but none or tanh is needed");
  }
  return op.SetResult(op.Add(OpKind::kGelu, NoAttrs(), {op.Input(0)}));
}

// x * tanh(softplus(x))
absl::Status ImportMish(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(Value y, op.Add(OpKind::kSoftplus, NoAttrs(), {x}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kTanh, NoAttrs(), {y}));
  return op.SetResult(op.Add(OpKind::kMultiply, NoAttrs(), {x, y}));
}

}  // namespace assay::frontend
