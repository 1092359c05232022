// Binary operators in opset 6. The second operand broadcasts only if the
// attribute `broadcast` is set, with its axes aligned at `axis` of the first
// operand.
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// `b` with its axes aligned at `axis` of `a`, or at the end without the
// attribute.
absl::StatusOr<Value> PlaceAxes(OpImport& op, Value a, Value b) {
  ASSAY_ASSIGN_OR_RETURN(const bool broadcast,
                         op.attributes().Flag("broadcast", false));
  ASSAY_ASSIGN_OR_RETURN(const auto given, op.attributes().OptionalInt("axis"));
  const int64_t rank = a.type().rank(), own = b.type().rank();
  if (!broadcast) {
    if (a.type().shape == b.type().shape) return b;
    return Malformed("operands are ", a.type().ToString(), " and ",
                     b.type().ToString(),
                     " but attribute `broadcast` is 0, with which they have "
                     "equal extents");
  }
  const int64_t axis = given.value_or(rank - own);
  if (own > rank || axis < 0 || axis > rank - own) {
    return Malformed("attribute `axis` is ", axis, " but ", b.type().ToString(),
                     " has no place there in ", a.type().ToString());
  }
  Shape shape = b.type().shape;
  shape.resize(rank - axis, 1);
  return op.AddReshape(b, shape);
}

template <OpKind kind>
absl::Status ImportBinaryOpset6(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value b,
                         PlaceAxes(op, op.Input(0), op.Input(1)));
  return op.SetResult(op.Add(kind, graph::NoAttrs(), {op.Input(0), b}));
}

// In opset 6 the slope has one element, or one for each channel.
absl::Status ImportPReluOpset6(OpImport& op) {
  const graph::TensorType &x = op.InputType(0), &slope = op.InputType(1);
  Shape shape = slope.shape;
  if (slope.num_elements() == 1) {
    shape = {};
  } else if (x.rank() >= 2 && slope.shape == Shape{x.shape[1]}) {
    shape.resize(x.rank() - 1, 1);
  } else {
    return Malformed("the slope is ", slope.ToString(),
                     " but one number, or one for each channel of ",
                     x.ToString(), ", is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Value placed, op.AddReshape(op.Input(1), shape));
  return op.SetResult(
      op.Add(OpKind::kPrelu, graph::NoAttrs(), {op.Input(0), placed}));
}

constexpr OperatorRow kOperators[] = {
    {"Add", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kAdd>},
    {"Div", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kDivide>},
    {"Mul", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kMultiply>},
    {"PRelu", 6, 6, 2, 2, 1, ImportPReluOpset6},
    {"Pow", 1, 1, 2, 2, 1, ImportBinaryOpset6<OpKind::kPower>},
    {"Sub", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kSubtract>},
};

}  // namespace

absl::Span<const OperatorRow> Opset6Operators() { return kOperators; }

}  // namespace assay::frontend
