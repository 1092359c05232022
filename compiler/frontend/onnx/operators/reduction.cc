// The Reduce operators, ArgMax and ArgMin. Depending on operator and opset, the
// axes are an attribute or an operand.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::ReduceAttrs;
using graph::Value;

// How the operators are composed of the graph's reductions.
struct Recipe {
  OpKind reduce;
  std::optional<OpKind> before;  // of x; kMultiply stands for the square
  std::optional<OpKind> after;   // of the result
};

constexpr Recipe kSum = {OpKind::kReduceSum, std::nullopt, std::nullopt};
constexpr Recipe kMean = {OpKind::kReduceMean, std::nullopt, std::nullopt};
constexpr Recipe kMax = {OpKind::kReduceMax, std::nullopt, std::nullopt};
constexpr Recipe kMin = {OpKind::kReduceMin, std::nullopt, std::nullopt};
constexpr Recipe kProd = {OpKind::kReduceProd, std::nullopt, std::nullopt};
constexpr Recipe kL1 = {OpKind::kReduceSum, OpKind::kAbs, std::nullopt};
constexpr Recipe kL2 = {OpKind::kReduceSum, OpKind::kMultiply, OpKind::kSqrt};
constexpr Recipe kLogSum = {OpKind::kReduceSum, std::nullopt, OpKind::kLog};
constexpr Recipe kSumSquare = {OpKind::kReduceSum, OpKind::kMultiply,
                               std::nullopt};

struct Axes {
  ReduceAttrs attrs;
  // No axis is given and the operator is the identity.
  bool none = false;
};

absl::StatusOr<std::optional<std::vector<int64_t>>> GivenAxes(OpImport& op,
                                                              bool as_input) {
  if (!as_input) return op.attributes().OptionalInts("axes");
  if (!op.HasInput(1)) return std::nullopt;
  ASSAY_ASSIGN_OR_RETURN(std::vector<int64_t> axes, op.KnownInts(1, "axes"));
  if (axes.empty()) return std::nullopt;
  return axes;
}

absl::StatusOr<Axes> ReadAxes(OpImport& op, bool as_input) {
  Axes axes;
  ASSAY_ASSIGN_OR_RETURN(axes.attrs.keepdims,
                         op.attributes().Flag("keepdims", true));
  bool noop = false;
  if (as_input) {
    ASSAY_ASSIGN_OR_RETURN(noop,
                           op.attributes().Flag("noop_with_empty_axes", false));
  }
  ASSAY_ASSIGN_OR_RETURN(const auto given, GivenAxes(op, as_input));
  const int64_t rank = op.InputType(0).rank();
  axes.none = rank == 0 || (!given.has_value() && noop);
  if (!given.has_value()) {
    axes.attrs.axes = AxesBetween(0, rank);
    return axes;
  }
  for (int64_t axis : *given) {
    ASSAY_ASSIGN_OR_RETURN(axis, NormalizeAxis(op, "axis", axis, rank));
    axes.attrs.axes.push_back(axis);
  }
  std::sort(axes.attrs.axes.begin(), axes.attrs.axes.end());
  const auto end = axes.attrs.axes.end();
  if (std::adjacent_find(axes.attrs.axes.begin(), end) != end) {
    return Malformed("axes ", ShapeToString(*given), " name one axis twice");
  }
  return axes;
}

// The type in which a reduction is computed: float32 for float16 and bfloat16,
// uint8 for bool, float64 for integers with a result that is not an integer.
DType WideType(DType type, const Recipe& recipe) {
  if (type.is_bool()) return DType::UInt(8);
  if (type.is_float()) return SumType(type);
  const bool is_whole =
      !recipe.after.has_value() && recipe.reduce != OpKind::kReduceMean;
  return is_whole ? type : DType::Float64();
}

absl::Status Reduce(OpImport& op, const Recipe& recipe, bool as_input) {
  ASSAY_ASSIGN_OR_RETURN(const Axes axes, ReadAxes(op, as_input));
  const DType type = op.InputType(0).dtype;
  ASSAY_ASSIGN_OR_RETURN(Value y,
                         ConvertedTo(op, op.Input(0), WideType(type, recipe)));
  if (recipe.before == OpKind::kMultiply) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMultiply, NoAttrs(), {y, y}));
  } else if (recipe.before.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(*recipe.before, NoAttrs(), {y}));
  }
  if (!axes.none) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(recipe.reduce, axes.attrs, {y}));
  }
  if (recipe.after.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(*recipe.after, NoAttrs(), {y}));
  }
  return op.SetResult(ConvertedTo(op, y, type));
}

// `x`, or 0 where x is infinite or NaN.
absl::StatusOr<Value> FiniteOrZero(OpImport& op, Value x) {
  const auto scalar = [&](double value) -> absl::StatusOr<Value> {
    ASSAY_ASSIGN_OR_RETURN(NDArray array,
                           graph::ScalarOf(x.type().dtype, value));
    return op.AddConstant(std::move(array));
  };
  ASSAY_ASSIGN_OR_RETURN(const Value infinity,
                         scalar(std::numeric_limits<double>::infinity()));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, scalar(0));
  ASSAY_ASSIGN_OR_RETURN(const Value size,
                         op.Add(OpKind::kAbs, NoAttrs(), {x}));
  ASSAY_ASSIGN_OR_RETURN(const Value is_finite,
                         op.Add(OpKind::kLess, NoAttrs(), {size, infinity}));
  return op.Add(OpKind::kSelect, NoAttrs(), {is_finite, x, zero});
}

// max + log(sum(exp(x - max))), which does not overflow. Instead of an infinite
// maximum, 0 is subtracted: the exponentials of infinities are infinite or 0.
absl::Status LogSumExp(OpImport& op, bool as_input) {
  ASSAY_ASSIGN_OR_RETURN(const Axes axes, ReadAxes(op, as_input));
  if (axes.none) return op.SetResult(op.Input(0));
  const DType type = op.InputType(0).dtype;
  ASSAY_ASSIGN_OR_RETURN(const Value x,
                         ConvertedTo(op, op.Input(0), WideType(type, kLogSum)));
  ReduceAttrs kept = axes.attrs;
  kept.keepdims = true;
  ASSAY_ASSIGN_OR_RETURN(Value max, op.Add(OpKind::kReduceMax, kept, {x}));
  ASSAY_ASSIGN_OR_RETURN(max, FiniteOrZero(op, max));
  ASSAY_ASSIGN_OR_RETURN(Value y,
                         op.Add(OpKind::kSubtract, NoAttrs(), {x, max}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kExp, NoAttrs(), {y}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kReduceSum, axes.attrs, {y}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kLog, NoAttrs(), {y}));
  ASSAY_ASSIGN_OR_RETURN(const Value shift, op.AddReshape(max, y.type().shape));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kAdd, NoAttrs(), {y, shift}));
  return op.SetResult(ConvertedTo(op, y, type));
}

#define ASSAY_DEFINE_REDUCE(Name)                                \
  absl::Status ImportReduce##Name##AxesAttribute(OpImport& op) { \
    return Reduce(op, k##Name, /*as_input=*/false);              \
  }                                                              \
  absl::Status ImportReduce##Name##AxesInput(OpImport& op) {     \
    return Reduce(op, k##Name, /*as_input=*/true);               \
  }
ASSAY_DEFINE_REDUCE(Sum)
ASSAY_DEFINE_REDUCE(Mean)
ASSAY_DEFINE_REDUCE(Max)
ASSAY_DEFINE_REDUCE(Min)
ASSAY_DEFINE_REDUCE(Prod)
ASSAY_DEFINE_REDUCE(L1)
ASSAY_DEFINE_REDUCE(L2)
ASSAY_DEFINE_REDUCE(LogSum)
ASSAY_DEFINE_REDUCE(SumSquare)
#undef ASSAY_DEFINE_REDUCE

absl::Status ImportReduceLogSumExpAxesAttribute(OpImport& op) {
  return LogSumExp(op, /*as_input=*/false);
}

absl::Status ImportReduceLogSumExpAxesInput(OpImport& op) {
  return LogSumExp(op, /*as_input=*/true);
}

absl::Status ArgReduce(OpImport& op, OpKind kind) {
  const graph::Value x = op.Input(0);
  graph::ArgReduceAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(
      attrs.axis, NormalizeAxis(op, "attribute `axis`", axis, x.type().rank()));
  ASSAY_ASSIGN_OR_RETURN(attrs.keepdims,
                         op.attributes().Flag("keepdims", true));
  if (op.opset() >= 12) {
    ASSAY_ASSIGN_OR_RETURN(attrs.last,
                           op.attributes().Flag("select_last_index", false));
  }
  // A type in which elements compare in the same order.
  ASSAY_ASSIGN_OR_RETURN(const graph::Value wide,
                         ConvertedTo(op, x, SumType(x.type().dtype)));
  return op.SetResult(op.Add(kind, attrs, {wide}));
}

absl::Status ImportArgMax(OpImport& op) {
  return ArgReduce(op, OpKind::kArgMax);
}

absl::Status ImportArgMin(OpImport& op) {
  return ArgReduce(op, OpKind::kArgMin);
}

constexpr OperatorRow kOperators[] = {
    {"ArgMax", 1, 13, 1, 1, 1, ImportArgMax},
    {"ArgMin", 1, 13, 1, 1, 1, ImportArgMin},
    {"ReduceL1", 1, 13, 1, 1, 1, ImportReduceL1AxesAttribute},
    {"ReduceL1", 18, 18, 1, 2, 1, ImportReduceL1AxesInput},
    {"ReduceL2", 1, 13, 1, 1, 1, ImportReduceL2AxesAttribute},
    {"ReduceL2", 18, 18, 1, 2, 1, ImportReduceL2AxesInput},
    {"ReduceLogSum", 1, 13, 1, 1, 1, ImportReduceLogSumAxesAttribute},
    {"ReduceLogSum", 18, 28, 1, 2, 1, ImportReduceLogSumAxesInput},
    {"ReduceLogSumExp", 1, 13, 1, 1, 1, ImportReduceLogSumExpAxesAttribute},
    {"ReduceLogSumExp", 18, 28, 1, 2, 1, ImportReduceLogSumExpAxesInput},
    {"ReduceMax", 1, 13, 1, 1, 1, ImportReduceMaxAxesAttribute},
    {"ReduceMax", 18, 20, 1, 2, 1, ImportReduceMaxAxesInput},
    {"ReduceMean", 1, 13, 1, 1, 1, ImportReduceMeanAxesAttribute},
    {"ReduceMean", 18, 18, 1, 2, 1, ImportReduceMeanAxesInput},
    {"ReduceMin", 1, 13, 1, 1, 1, ImportReduceMinAxesAttribute},
    {"ReduceMin", 18, 20, 1, 2, 1, ImportReduceMinAxesInput},
    {"ReduceProd", 1, 13, 1, 1, 1, ImportReduceProdAxesAttribute},
    {"ReduceProd", 18, 18, 1, 2, 1, ImportReduceProdAxesInput},
    {"ReduceSum", 1, 11, 1, 1, 1, ImportReduceSumAxesAttribute},
    {"ReduceSum", 13, 13, 1, 2, 1, ImportReduceSumAxesInput},
    {"ReduceSumSquare", 1, 13, 1, 1, 1, ImportReduceSumSquareAxesAttribute},
    {"ReduceSumSquare", 18, 18, 1, 2, 1, ImportReduceSumSquareAxesInput},
};

}  // namespace

absl::Span<const OperatorRow> ReductionOperators() { return kOperators; }

}  // namespace assay::frontend
