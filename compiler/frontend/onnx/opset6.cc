// Operators whose meaning in opset 6 is another than since opset 7: where the
// second operand broadcasts only if `broadcast` says so, its axes lying at
// `axis` of the first operand's; and a few whose attributes changed.
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Value;

// `b` with its axes at `axis` of `a`, of its rank. Without the attribute they
// are a's last.
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

}  // namespace

absl::StatusOr<Value> PlaceOpset6Operand(OpImport& op) {
  return PlaceAxes(op, op.Input(0), op.Input(1));
}

// Since opset 7 the slope broadcasts; before, it has one number or one for
// each channel.
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
      op.Add(graph::OpKind::kPrelu, graph::NoAttrs(), {op.Input(0), placed}));
}

absl::Status ImportGemmOpset6(OpImport& op) {
  // ImportGemm checks that the third operand broadcasts.
  ASSAY_RETURN_IF_ERROR(op.attributes().Flag("broadcast", false).status());
  return ImportGemm(op);
}

absl::Status ImportDropoutOpset6(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const bool test,
                         op.attributes().Flag("is_test", false));
  if (!test) {
    return Unsupported("attribute `is_test` is 0; only inference is supported");
  }
  return ImportDropoutRatioAttribute(op);
}

}  // namespace assay::frontend
