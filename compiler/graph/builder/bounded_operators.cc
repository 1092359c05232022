#include "compiler/graph/builder/bounded_operators.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/graph/builder/run_time_extents.h"
#include "compiler/graph/builder/run_time_movement.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using Values = std::vector<Value>;
using Result = absl::StatusOr<Value>;

bool IsBoundedAlong(const GraphBuilder& op, Value x, int64_t axis) {
  return op.bounded_dims().Find(x, static_cast<int>(axis)) != nullptr;
}

// A copy, which stays valid while nodes are added.
std::vector<BoundedDim> DimsOf(const GraphBuilder& op, Value x) {
  const auto dims = op.bounded_dims().Find(x);
  return {dims.begin(), dims.end()};
}

// Operand `operand` along `axis`, whose elements beyond the extent the operator
// does not use.
OperandAxis Settled(int operand, int64_t axis) {
  return {operand, static_cast<int>(axis)};
}

Result AddFilledAlong(GraphBuilder& op, Value x, absl::Span<const int64_t> axes,
                      Filler filler) {
  for (const int64_t axis : axes) {
    ASSAY_ASSIGN_OR_RETURN(x, AddFilled(op, x, axis, filler));
  }
  return x;
}

// The filler that does not change the result of a reduction.
Filler FillerOfReduce(OpKind kind) {
  switch (kind) {
    case OpKind::kReduceProd:
      return Filler::kOne;
    case OpKind::kReduceMax:
      return Filler::kLowest;
    case OpKind::kReduceMin:
      return Filler::kHighest;
    default:
      return Filler::kZero;
  }
}

Result AddReduce(GraphBuilder& op, OpKind kind, const ReduceAttrs& attrs,
                 Value x) {
  const bool is_bounded =
      std::any_of(attrs.axes.begin(), attrs.axes.end(),
                  [&](int64_t axis) { return IsBoundedAlong(op, x, axis); });
  if (kind == OpKind::kReduceMean && is_bounded) {
    RunTimeMath math(op);
    std::vector<RunTimeInt> extents;
    for (const int64_t axis : attrs.axes) {
      extents.push_back(ExtentOf(op, x, axis));
    }
    const Value count = math.Scalar(math.Product(extents), x.type().dtype);
    ASSAY_RETURN_IF_ERROR(math.status());
    ASSAY_ASSIGN_OR_RETURN(const Value sum,
                           AddReduce(op, OpKind::kReduceSum, attrs, x));
    return op.Add(OpKind::kDivide, NoAttrs(), {sum, count});
  }
  ASSAY_ASSIGN_OR_RETURN(
      x, AddFilledAlong(op, x, attrs.axes, FillerOfReduce(kind)));
  return op.AddNode(kind, attrs, {x});
}

Result AddArgReduce(GraphBuilder& op, OpKind kind, const ArgReduceAttrs& attrs,
                    Value x) {
  if (attrs.last && IsBoundedAlong(op, x, attrs.axis)) {
    return absl::UnimplementedError(absl::StrCat(
        "attribute `select_last_index` is 1, and the extent of the axis is "
        "known only when the model runs"));
  }
  // The first of several equal elements is selected, so an element beyond the
  // extent never is.
  ASSAY_ASSIGN_OR_RETURN(
      x,
      AddFilled(op, x, attrs.axis,
                kind == OpKind::kArgMax ? Filler::kLowest : Filler::kHighest));
  return op.AddNode(kind, attrs, {x});
}

// Operators of one operand with a result of the same extents.
Result AddFilledAndBounded(GraphBuilder& op, OpKind kind, const Attrs& attrs,
                           Value x, int64_t axis, Filler filler) {
  const RunTimeInt extent = ExtentOf(op, x, axis);
  ASSAY_ASSIGN_OR_RETURN(x, AddFilled(op, x, axis, filler));
  ASSAY_ASSIGN_OR_RETURN(const Value y, op.AddNode(kind, attrs, {x}));
  return Bounded(op, y, axis, extent);
}

// Products of matrices that sum over axis `a_axis` of a and `b_axis` of b.
Result AddProduct(GraphBuilder& op, OpKind kind, const Attrs& attrs, Value a,
                  int64_t a_axis, Value b, int64_t b_axis) {
  const RunTimeInt of_a = ExtentOf(op, a, a_axis);
  const RunTimeInt of_b = ExtentOf(op, b, b_axis);
  const bool is_bounded = !of_a.is_number() || !of_b.is_number();
  if (is_bounded && of_a != of_b) {
    return absl::UnimplementedError(absl::StrCat(
        "the operands have different extents that are known only when the "
        "model runs"));
  }
  ASSAY_ASSIGN_OR_RETURN(a, AddFilled(op, a, a_axis, Filler::kZero));
  ASSAY_ASSIGN_OR_RETURN(b, AddFilled(op, b, b_axis, Filler::kZero));
  return op.AddNode(kind, attrs, {a, b});
}

Result AddNonMaxSuppression(GraphBuilder& op, const Attrs& attrs, Value boxes,
                            Value scores) {
  if (ExtentOf(op, boxes, 1) != ExtentOf(op, scores, 2)) {
    return absl::UnimplementedError(absl::StrCat(
        "the boxes and the scores have different extents that are known only "
        "when the model runs"));
  }
  // Boxes with this score are never selected.
  ASSAY_ASSIGN_OR_RETURN(scores, AddFilled(op, scores, 2, Filler::kLowest));
  return op.AddNode(OpKind::kNonMaxSuppression, attrs, {boxes, scores},
                    {Settled(0, 1)});
}

// A slice by positions: it begins at `begins`, and what it lacks of `sizes`
// because of the extent is beyond the extent of the result.
Result AddSlice(GraphBuilder& op, const SliceAttrs& attrs, Value x) {
  RunTimeMath math(op);
  std::vector<OperandAxis> settled;
  std::vector<RunTimeInt> extents;
  for (size_t d = 0; d < attrs.sizes.size(); ++d) {
    const auto axis = static_cast<int64_t>(d);
    const RunTimeInt extent = ExtentOf(op, x, axis);
    extents.push_back(extent);
    const int64_t all = x.type().shape[d];
    const bool is_whole =
        attrs.begins[d] == 0 && attrs.steps[d] == 1 && attrs.sizes[d] == all;
    if (extent.is_number() || is_whole) continue;
    if (attrs.steps[d] < 0) {
      return absl::UnimplementedError(
          absl::StrCat("the step of axis ", d,
                       " is negative, and its extent is known only when the "
                       "model runs"));
    }
    settled.push_back(Settled(0, axis));
    const RunTimeInt left =
        math.Maximum(math.Subtract(extent, RunTimeInt::Number(attrs.begins[d])),
                     RunTimeInt::Number(0));
    extents[d] = math.Minimum(math.DivideUp(left, attrs.steps[d]),
                              RunTimeInt::Number(attrs.sizes[d]));
  }
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(Value y,
                         op.AddNode(OpKind::kSlice, attrs, {x}, settled));
  for (const OperandAxis& own : settled) {
    ASSAY_ASSIGN_OR_RETURN(
        y, Bounded(op, y, own.axis, extents[static_cast<size_t>(own.axis)]));
  }
  return y;
}

Result AddPad(GraphBuilder& op, const PadAttrs& attrs, Value x) {
  PadAttrs others = attrs;
  ASSAY_ASSIGN_OR_RETURN(NDArray value, ScalarOf(x.type().dtype, attrs.value));
  const Value scalar = op.AddConstant(std::move(value));
  for (size_t d = 0; d < attrs.before.size(); ++d) {
    const auto axis = static_cast<int64_t>(d);
    if (!IsBoundedAlong(op, x, axis) ||
        (attrs.before[d] == 0 && attrs.after[d] == 0)) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(
        x,
        AddRunTimePad(op, x, axis, RunTimeInt::Number(attrs.before[d]),
                      RunTimeInt::Number(attrs.after[d]), "constant", scalar));
    others.before[d] = others.after[d] = 0;
  }
  const std::vector<int64_t> none(others.before.size(), 0);
  if (others.before == none && others.after == none) return x;
  return op.AddNode(OpKind::kPad, others, {x});
}

// A gather along axes [begin, end) of the data.
Result AddGather(GraphBuilder& op, OpKind kind, const Attrs& attrs, Value data,
                 Value indices, int64_t begin, int64_t end) {
  std::vector<RunTimeInt> extents;
  std::vector<OperandAxis> settled;
  bool is_bounded = false;
  for (int64_t axis = begin; axis < end; ++axis) {
    extents.push_back(ExtentOf(op, data, axis));
    settled.push_back(Settled(0, axis));
    is_bounded = is_bounded || !extents.back().is_number();
  }
  if (is_bounded) {
    ASSAY_ASSIGN_OR_RETURN(indices, AddFromFront(op, indices, extents));
  }
  return op.AddNode(kind, attrs, {data, indices}, settled);
}

// Writes updates whose indices are beyond their extent to index `beyond` along
// the first axis that the indices select, behind the data.
Result AddScatter(GraphBuilder& op, OpKind kind, const Attrs& attrs,
                  const Values& inputs) {
  const Value data = inputs[0];
  Value indices = inputs[1];
  const bool is_nd = kind == OpKind::kScatterNd;
  const int64_t axis = is_nd ? 0 : std::get<ScatterElementsAttrs>(attrs).axis;
  const int64_t selected = is_nd ? indices.type().shape.back() : 1;
  std::vector<RunTimeInt> extents;
  for (int64_t d = axis; d < axis + selected; ++d) {
    extents.push_back(ExtentOf(op, data, d));
  }
  // Behind the data, there is one element more.
  const bool counts_from_end =
      !op.bounded_dims().IsBounded(indices) &&
      std::all_of(extents.begin(), extents.end(),
                  [](const RunTimeInt& x) { return x.is_number(); });
  if (!counts_from_end) {
    ASSAY_ASSIGN_OR_RETURN(indices, AddFromFront(op, indices, extents));
  }
  const int64_t all = data.type().shape[static_cast<size_t>(axis)];
  const int rank = indices.type().rank();
  const std::vector<BoundedDim> dims = DimsOf(op, indices);
  // Updates beyond the extent of the data are for elements beyond it.
  std::vector<OperandAxis> settled;
  for (const BoundedDim& dim : op.bounded_dims().Find(inputs[2])) {
    settled.push_back(Settled(2, dim.axis));
  }
  if (dims.empty()) {
    return op.AddNode(kind, attrs, {data, indices, inputs[2]}, settled);
  }
  std::vector<int64_t> behind(static_cast<size_t>(selected), 0);
  behind[0] = all;
  const Value beyond = op.AddConstant(
      NDArray::FromVector<int64_t>(is_nd ? Shape{selected} : Shape(), behind));
  for (const BoundedDim& dim : dims) {
    if (is_nd && dim.axis == rank - 1) break;  // AddNode() reports it
    const int64_t count = indices.type().shape[static_cast<size_t>(dim.axis)];
    ASSAY_ASSIGN_OR_RETURN(
        const Value inside,
        AddInside(op, count, dim.axis, rank, ExtentOf(op, indices, dim.axis)));
    ASSAY_ASSIGN_OR_RETURN(
        indices, op.AddNode(OpKind::kSelect, NoAttrs(),
                            {inside, indices, beyond}, {Settled(1, dim.axis)}));
  }
  PadAttrs pad;
  pad.before.assign(data.type().shape.size(), 0);
  pad.after = pad.before;
  pad.after[static_cast<size_t>(axis)] = 1;
  SliceAttrs slice;
  slice.begins = pad.before;
  slice.steps.assign(pad.before.size(), 1);
  slice.sizes = data.type().shape;
  const RunTimeInt extent = ExtentOf(op, data, axis);
  ASSAY_ASSIGN_OR_RETURN(
      Value y, op.AddNode(OpKind::kPad, pad, {data}, {Settled(0, axis)}));
  ASSAY_ASSIGN_OR_RETURN(
      y, op.AddNode(kind, attrs, {y, indices, inputs[2]}, settled));
  ASSAY_ASSIGN_OR_RETURN(y, op.AddNode(OpKind::kSlice, slice, {y}));
  return Bounded(op, y, axis, extent);
}

// Reshapes by extents of types, as importers compute them, can keep bounded
// axes, and merge them with axes behind them.
Result AddReshape(GraphBuilder& op, const ReshapeAttrs& attrs, Value x) {
  const Shape& from = x.type().shape;
  const Shape& to = attrs.shape;
  RunTimeMath math(op);
  std::vector<OperandAxis> settled;
  std::vector<std::pair<int64_t, RunTimeInt>> merged;
  const std::vector<BoundedDim> dims = DimsOf(op, x);
  for (const BoundedDim& dim : dims) {
    const auto source = static_cast<size_t>(dim.axis);
    if (from[source] == 1) continue;
    int64_t before = 1, after = 1;
    for (size_t d = 0; d < source; ++d) before *= from[d];
    size_t target = 0;
    for (int64_t count = 1; target < to.size(); count *= to[target++]) {
      if (count == before && to[target] != 1) break;
    }
    if (target == to.size() || from[source] == to[target]) continue;
    size_t end = source + 1;
    while (end < from.size() && from[source] * after < to[target]) {
      after *= from[end];
      if (IsBoundedAlong(op, x, static_cast<int64_t>(end))) after = -1;
      if (after <= 0) break;
      ++end;
    }
    if (from[source] * after != to[target]) continue;
    settled.push_back(Settled(0, dim.axis));
    merged.push_back(
        {static_cast<int64_t>(target),
         math.Multiply(ExtentOf(op, x, dim.axis), RunTimeInt::Number(after))});
  }
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(Value y,
                         op.AddNode(OpKind::kReshape, attrs, {x}, settled));
  for (const auto& [axis, extent] : merged) {
    ASSAY_ASSIGN_OR_RETURN(y, Bounded(op, y, axis, extent));
  }
  return y;
}

// Cuts operands that are bounded by the same extent to the least of the limits
// of their types, which may differ.
absl::Status AlignLimits(GraphBuilder& op, Values& inputs) {
  int rank = 0;
  for (const Value x : inputs) rank = std::max(rank, x.type().rank());
  for (int axis = 0; axis < rank; ++axis) {
    // The axis counted from the end, as broadcasting aligns axes.
    const auto own = [&](Value x) { return x.type().rank() - 1 - axis; };
    int64_t least = RunTimeInt::kHighest, most = 0;
    for (const Value x : inputs) {
      if (own(x) < 0 || !IsBoundedAlong(op, x, own(x))) continue;
      const int64_t limit = x.type().shape[static_cast<size_t>(own(x))];
      least = std::min(least, limit);
      most = std::max(most, limit);
    }
    if (least >= most) continue;
    for (Value& x : inputs) {
      if (own(x) < 0 || !IsBoundedAlong(op, x, own(x))) continue;
      SliceAttrs prefix;
      prefix.sizes = x.type().shape;
      prefix.begins.assign(prefix.sizes.size(), 0);
      prefix.steps.assign(prefix.sizes.size(), 1);
      const auto d = static_cast<size_t>(own(x));
      if (prefix.sizes[d] == least) continue;
      prefix.sizes[d] = least;
      const RunTimeInt extent = ExtentOf(op, x, own(x));
      const int64_t place = own(x);
      ASSAY_ASSIGN_OR_RETURN(
          x, op.AddNode(OpKind::kSlice, prefix, {x}, {Settled(0, place)}));
      ASSAY_ASSIGN_OR_RETURN(x, Bounded(op, x, place, extent));
    }
  }
  return absl::OkStatus();
}

// Operators that combine or reorder the elements of an axis.
Result AddCombining(GraphBuilder& op, OpKind kind, const Attrs& attrs,
                    const Values& in) {
  std::vector<TensorType> types;
  for (const Value x : in) types.push_back(x.type());
  ASSAY_RETURN_IF_ERROR(InferTypes(kind, attrs, types).status());
  const int last = in[0].type().rank() - 1;
  if (IsReduce(kind)) {
    return AddReduce(op, kind, std::get<ReduceAttrs>(attrs), in[0]);
  }
  switch (kind) {
    case OpKind::kArgMax:
    case OpKind::kArgMin:
      return AddArgReduce(op, kind, std::get<ArgReduceAttrs>(attrs), in[0]);
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      return AddFilledAndBounded(op, kind, attrs, in[0],
                                 std::get<SoftmaxAttrs>(attrs).axis,
                                 Filler::kLowest);
    case OpKind::kCumSum:
      return AddFilledAndBounded(op, kind, attrs, in[0],
                                 std::get<CumSumAttrs>(attrs).axis,
                                 Filler::kZero);
    case OpKind::kArgSort: {
      const auto& sort = std::get<ArgSortAttrs>(attrs);
      ASSAY_ASSIGN_OR_RETURN(
          const Value x,
          AddFilled(op, in[0], sort.axis,
                    sort.descending ? Filler::kLowest : Filler::kLast));
      return op.AddNode(kind, attrs, {x});
    }
    case OpKind::kNonZero: {
      std::vector<int64_t> axes;
      for (int64_t d = 0; d <= last; ++d) axes.push_back(d);
      ASSAY_ASSIGN_OR_RETURN(const Value x,
                             AddFilledAlong(op, in[0], axes, Filler::kZero));
      return op.AddNode(kind, attrs, {x});
    }
    case OpKind::kNonMaxSuppression:
      return AddNonMaxSuppression(op, attrs, in[0], in[1]);
    case OpKind::kDense:
      return AddProduct(op, kind, attrs, in[0], 1, in[1], 1);
    case OpKind::kMatmul:
      return AddProduct(op, kind, attrs, in[0], last, in[1],
                        in[1].type().rank() - 2);
    case OpKind::kConcat: {
      const int64_t axis = std::get<ConcatAttrs>(attrs).axis;
      const bool joins = std::any_of(in.begin(), in.end(), [&](Value x) {
        return IsBoundedAlong(op, x, axis);
      });
      return joins ? AddRunTimeConcat(op, in, axis)
                   : op.AddNode(kind, attrs, in);
    }
    case OpKind::kSlice:
      return AddSlice(op, std::get<SliceAttrs>(attrs), in[0]);
    case OpKind::kPad:
      return AddPad(op, std::get<PadAttrs>(attrs), in[0]);
    case OpKind::kGather:
    case OpKind::kGatherElements: {
      const int64_t axis = std::get<GatherAttrs>(attrs).axis;
      return AddGather(op, kind, attrs, in[0], in[1], axis, axis + 1);
    }
    case OpKind::kGatherNd: {
      const int64_t batch = std::get<GatherNdAttrs>(attrs).batch_dims;
      return AddGather(op, kind, attrs, in[0], in[1], batch,
                       batch + in[1].type().shape.back());
    }
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
      return AddScatter(op, kind, attrs, in);
    case OpKind::kReshape:
      return AddReshape(op, std::get<ReshapeAttrs>(attrs), in[0]);
    default:
      return op.AddNode(kind, attrs, in);
  }
}

}  // namespace

absl::StatusOr<Value> AddToBounded(GraphBuilder& op, OpKind kind,
                                   const Attrs& attrs,
                                   absl::Span<const Value> inputs) {
  Values in(inputs.begin(), inputs.end());
  if (OpPattern(kind) <= PatternKind::kBroadcast) {
    ASSAY_RETURN_IF_ERROR(AlignLimits(op, in));
    return op.AddNode(kind, attrs, in);
  }
  if (!op.combines_bounded_axes()) return op.AddNode(kind, attrs, in);
  return AddCombining(op, kind, attrs, in);
}

}  // namespace assay::graph
