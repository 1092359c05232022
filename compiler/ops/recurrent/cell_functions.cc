#include "compiler/ops/recurrent/cell_functions.h"

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/elementwise/elementwise.h"

namespace assay::ops {
namespace {

using expr::Expr;
using graph::Activation;
using graph::ActivationCall;
using graph::OpKind;

bool IsSame(const ActivationCall& a, const ActivationCall& b) {
  return a.function == b.function && a.alpha == b.alpha && a.beta == b.beta;
}

Expr ValueOf(const ActivationCall& call, const Expr& x) {
  const auto c = [&](double value) { return expr::Const(x.dtype(), value); };
  const auto unary = [](OpKind kind, const Expr& argument) {
    return UnaryOf(kind, graph::NoAttrs(), argument);
  };
  switch (call.function) {
    case Activation::kSigmoid:
      return unary(OpKind::kSigmoid, x);
    case Activation::kTanh:
      return unary(OpKind::kTanh, x);
    case Activation::kRelu:
      return unary(OpKind::kRelu, x);
    case Activation::kSoftsign:
      return unary(OpKind::kSoftsign, x);
    case Activation::kSoftplus:
      return unary(OpKind::kSoftplus, x);
    case Activation::kLeakyRelu:
      return UnaryOf(OpKind::kLeakyRelu, graph::AlphaAttrs{call.alpha}, x);
    case Activation::kElu:
      return UnaryOf(OpKind::kElu, graph::AlphaAttrs{call.alpha}, x);
    case Activation::kHardSigmoid:
      return UnaryOf(OpKind::kHardSigmoid,
                     graph::LinearAttrs{call.alpha, call.beta}, x);
    case Activation::kAffine:
      return x * c(call.alpha) + c(call.beta);
    case Activation::kScaledTanh:
      return unary(OpKind::kTanh, x * c(call.beta)) * c(call.alpha);
    case Activation::kThresholdedRelu:
      return expr::SelectOf(x < c(call.alpha), c(0), x);
  }
  return x;
}

}  // namespace

Expr CellFunctions::Call(int64_t i, const Expr& x) const {
  const ActivationCall first = attrs_.Function(0, i);
  if (attrs_.reverse.size() == 1) return ValueOf(first, x);
  const ActivationCall second = attrs_.Function(1, i);
  if (IsSame(first, second)) return ValueOf(first, x);
  return expr::SelectOf(expr::Eq(direction_, 0), ValueOf(first, x),
                        ValueOf(second, x));
}

Expr CellFunctions::Gate(int64_t i, const Expr& x) const {
  const graph::ClipAttrs clip = {-attrs_.clip, attrs_.clip};
  return Call(i, UnaryOf(OpKind::kClip, clip, x));
}

}  // namespace assay::ops
