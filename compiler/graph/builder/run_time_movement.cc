#include "compiler/graph/builder/run_time_movement.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

constexpr RunTimeInt kZero = RunTimeInt::Number(0);
constexpr RunTimeInt kOne = RunTimeInt::Number(1);

int64_t ShapeAt(Value x, int64_t axis) {
  return x.type().shape[static_cast<size_t>(axis)];
}

// Positions beyond any axis, such as the greatest integer, must not overflow.
RunTimeInt Near(const RunTimeInt& position) {
  constexpr int64_t kFar = int64_t{1} << 41;
  if (!position.is_number()) return position;
  return RunTimeInt::Number(std::clamp(position.low, -kFar, kFar));
}

// The elements start, start + step, … of an axis.
struct Range {
  RunTimeInt start, count;
  // The greatest number of elements.
  int64_t most = 0;
};

Range RangeOf(RunTimeMath& math, const RunTimeInt& extent,
              const RunTimeInt& start, const RunTimeInt& end, int64_t step) {
  Range range;
  const RunTimeInt low = RunTimeInt::Number(step > 0 ? 0 : -1);
  const RunTimeInt high = step > 0 ? extent : math.Subtract(extent, kOne);
  const auto place = [&](const RunTimeInt& position) {
    return math.Clamp(math.FromFront(position, extent), low, high);
  };
  // A start beyond the extent leaves no elements, so it need not be moved.
  const bool is_front = step > 0 && start.is_number() && start.low >= 0;
  range.start = is_front ? start : place(start);
  const RunTimeInt last = place(end);
  RunTimeInt distance = step > 0 ? math.Subtract(last, range.start)
                                 : math.Subtract(range.start, last);
  if (step == 1 && last == extent && start.is_number() && start.low < 0) {
    // The last elements.
    distance = math.Minimum(extent, RunTimeInt::Number(-start.low));
  }
  distance = math.Maximum(distance, kZero);
  range.most = distance.high;
  const bool same_end =
      start.is_number() && end.is_number() && (start.low < 0) == (end.low < 0);
  if (same_end) {
    const int64_t wanted = step > 0 ? end.low - start.low : start.low - end.low;
    range.most = std::min(range.most, std::max<int64_t>(wanted, 0));
  }
  const int64_t size = step > 0 ? step : -step;
  range.count = math.DivideUp(distance, size);
  range.most = (range.most + size - 1) / size;
  return range;
}

// offset + step * position for each of `count` positions; int64 of rank 1.
absl::StatusOr<Value> AddIndexRange(GraphBuilder& op, int64_t count,
                                    int64_t step, const RunTimeInt& offset) {
  RunTimeMath math(op);
  const Value first = math.Scalar(offset);
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(Value indices, AddPositions(op, count, 0, 1));
  if (step != 1) {
    const Value factor =
        op.AddConstant(NDArray::FromVector<int64_t>({}, {step}));
    ASSAY_ASSIGN_OR_RETURN(
        indices, op.AddNode(OpKind::kMultiply, NoAttrs(), {indices, factor}));
  }
  return op.AddNode(OpKind::kAdd, NoAttrs(), {indices, first});
}

// The numbers of the elements within the extents, where all parts up to their
// upper limits stand one after the other. Joins of equal extents share them.
absl::StatusOr<Value> AddCompactIndices(
    GraphBuilder& op, const std::vector<int64_t>& limits,
    const std::vector<RunTimeInt>& extents) {
  std::string key = "join";
  for (size_t i = 0; i < limits.size(); ++i) {
    absl::StrAppend(&key, " ", limits[i], ":", RunTimeInts::KeyOf(extents[i]));
  }
  const Value known = op.run_time_ints().Memo(key);
  if (known.node != nullptr) return known;
  std::vector<Value> parts;
  for (size_t i = 0; i < limits.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(const Value inside,
                           AddInside(op, limits[i], 0, 1, extents[i]));
    parts.push_back(inside);
  }
  ASSAY_ASSIGN_OR_RETURN(const Value all,
                         op.AddNode(OpKind::kConcat, ConcatAttrs{0}, parts));
  ASSAY_ASSIGN_OR_RETURN(const Value found,
                         op.AddNode(OpKind::kNonZero, NoAttrs(), {all}));
  ASSAY_ASSIGN_OR_RETURN(const Value indices,
                         op.AddReshape(found, {all.type().num_elements()}));
  op.run_time_ints().Memo(key) = indices;
  return indices;
}

// Returns true if no index is negative, as far as the operators that compute
// the indices tell.
bool IsFromFront(Value indices) {
  constexpr int kMaxSteps = 64;
  for (int i = 0; i < kMaxSteps; ++i) {
    switch (indices.node->kind()) {
      case OpKind::kArgSort:
      case OpKind::kArgMax:
      case OpKind::kArgMin:
      case OpKind::kNonZero:
      case OpKind::kNonMaxSuppression:
      case OpKind::kUnique:
        return true;
      case OpKind::kReshape:
      case OpKind::kTranspose:
      case OpKind::kSlice:
      case OpKind::kBroadcastTo:
      case OpKind::kGather:
      case OpKind::kGatherElements:
      case OpKind::kGatherNd:
        indices = indices.node->input(0);
        break;
      case OpKind::kCast:
        indices = indices.node->input(0);
        if (indices.type().dtype.is_float()) return false;
        break;
      case OpKind::kConstant: {
        const NDArray& value = indices.node->attrs_as<ConstantAttrs>().value;
        for (int64_t k = 0; k < value.num_elements(); ++k) {
          if (LoadInt(value, k) < 0) return false;
        }
        return true;
      }
      default:
        return false;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<Value> AddRunTimeSlice(GraphBuilder& op, Value x, int64_t axis,
                                      RunTimeInt start, RunTimeInt end,
                                      int64_t step) {
  RunTimeMath math(op);
  const RunTimeInt extent = ExtentOf(op, x, axis);
  const int64_t all = ShapeAt(x, axis);
  step = std::clamp(step, -all - 1, all + 1);
  const Range range = RangeOf(math, extent, Near(start), Near(end), step);
  ASSAY_RETURN_IF_ERROR(math.status());
  if (step == 1 && range.start == kZero && range.count == extent) return x;
  int64_t most = std::min(range.most, all);
  Value part;
  if (range.start.is_number() && step > 0) {
    const int64_t room = std::max<int64_t>(all - range.start.low, 0);
    most = std::min(most, (room + step - 1) / step);
    SliceAttrs slice;
    slice.sizes = x.type().shape;
    slice.begins.assign(slice.sizes.size(), 0);
    slice.steps.assign(slice.sizes.size(), 1);
    const auto d = static_cast<size_t>(axis);
    slice.sizes[d] = most;
    if (most > 0) slice.begins[d] = range.start.low;
    if (most > 1) slice.steps[d] = step;
    ASSAY_ASSIGN_OR_RETURN(
        part, op.AddNode(OpKind::kSlice, slice, {x},
                         {OperandAxis{0, static_cast<int>(axis)}}));
  } else {
    ASSAY_ASSIGN_OR_RETURN(Value indices,
                           AddIndexRange(op, most, step, range.start));
    // Elements beyond the count may have any value, but must exist.
    const Value edge = op.AddConstant(
        NDArray::FromVector<int64_t>({}, {step > 0 ? all - 1 : 0}));
    ASSAY_ASSIGN_OR_RETURN(
        indices, op.AddNode(step > 0 ? OpKind::kMinimum : OpKind::kMaximum,
                            NoAttrs(), {indices, edge}));
    ASSAY_ASSIGN_OR_RETURN(part, AddTake(op, x, axis, indices));
  }
  return Bounded(op, part, axis, range.count);
}

// The parts are joined with the elements beyond their extents, which are then
// removed, unless they stand at the end.
absl::StatusOr<Value> AddRunTimeConcat(GraphBuilder& op,
                                       absl::Span<const Value> parts,
                                       int64_t axis) {
  RunTimeMath math(op);
  RunTimeInt total = kZero;
  std::vector<RunTimeInt> extents;
  std::vector<int64_t> limits;
  std::vector<OperandAxis> settled;
  bool has_gap = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    extents.push_back(ExtentOf(op, parts[i], axis));
    limits.push_back(ShapeAt(parts[i], axis));
    settled.push_back({static_cast<int>(i), static_cast<int>(axis)});
    total = math.Add(total, extents[i]);
    has_gap = has_gap || (i + 1 < parts.size() && !extents[i].is_number());
  }
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(
      Value whole,
      op.AddNode(OpKind::kConcat, ConcatAttrs{axis}, parts, settled));
  if (has_gap) {
    ASSAY_ASSIGN_OR_RETURN(const Value indices,
                           AddCompactIndices(op, limits, extents));
    ASSAY_ASSIGN_OR_RETURN(whole, AddTake(op, whole, axis, indices));
  }
  return Bounded(op, whole, axis, total);
}

absl::StatusOr<Value> AddRunTimePad(GraphBuilder& op, Value x, int64_t axis,
                                    const RunTimeInt& before,
                                    const RunTimeInt& after,
                                    const std::string& mode, Value value) {
  RunTimeMath math(op);
  const RunTimeInt extent = ExtentOf(op, x, axis);
  const RunTimeInt total =
      math.Maximum(math.Add(math.Add(extent, before), after), kZero);
  const RunTimeInt offset = math.Subtract(kZero, before);
  const Value end = math.Scalar(extent), zero = math.Scalar(kZero);
  const Value last = math.Scalar(math.Subtract(extent, kOne));
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_RETURN_IF_ERROR(
      ExpectUpperLimit(total, absl::StrCat("the padding of axis ", axis)));
  TensorType type = x.type();
  type.shape[static_cast<size_t>(axis)] = total.high;
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(type.shape).status());
  ASSAY_ASSIGN_OR_RETURN(const Value place,
                         AddIndexRange(op, total.high, 1, offset));
  const auto add = [&](OpKind kind, Value a, Value b) {
    return op.AddNode(kind, NoAttrs(), {a, b});
  };
  Value index = place;
  if (mode == "wrap") {
    ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kFloorMod, index, end));
  } else if (mode == "reflect") {
    const Value period = math.Scalar(
        math.Multiply(math.Subtract(extent, kOne), RunTimeInt::Number(2)));
    ASSAY_RETURN_IF_ERROR(math.status());
    ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kFloorMod, index, period));
    ASSAY_ASSIGN_OR_RETURN(const Value back,
                           add(OpKind::kSubtract, period, index));
    ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kMinimum, index, back));
  } else {
    ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kMinimum, index, last));
    ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kMaximum, index, zero));
  }
  Value y;
  if (ShapeAt(x, axis) > 0) {
    ASSAY_ASSIGN_OR_RETURN(y, AddTake(op, x, axis, index));
  } else if (mode == "constant") {
    ASSAY_ASSIGN_OR_RETURN(
        y, op.AddNode(OpKind::kBroadcastTo, ReshapeAttrs{type.shape}, {value}));
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("axis ", axis, " has no elements"));
  }
  if (mode == "constant" && ShapeAt(x, axis) > 0) {
    ASSAY_ASSIGN_OR_RETURN(const Value from,
                           add(OpKind::kLessEqual, zero, place));
    ASSAY_ASSIGN_OR_RETURN(const Value to, add(OpKind::kLess, place, end));
    ASSAY_ASSIGN_OR_RETURN(Value inside, add(OpKind::kBitwiseAnd, from, to));
    Shape shape(type.shape.size(), 1);
    shape[static_cast<size_t>(axis)] = total.high;
    ASSAY_ASSIGN_OR_RETURN(inside, op.AddReshape(inside, shape));
    ASSAY_ASSIGN_OR_RETURN(
        y, op.AddNode(OpKind::kSelect, NoAttrs(), {inside, y, value}));
  }
  return Bounded(op, y, axis, total);
}

absl::StatusOr<Value> AddRunTimeExpand(GraphBuilder& op, Value x,
                                       std::vector<RunTimeInt> shape) {
  std::vector<RunTimeInt> own = ExtentsOf(op, x);
  const size_t rank = std::max(own.size(), shape.size());
  own.insert(own.begin(), rank - own.size(), kOne);
  shape.insert(shape.begin(), rank - shape.size(), kOne);
  Shape limits;
  for (size_t d = 0; d < rank; ++d) {
    RunTimeInt& extent = shape[d];
    const bool repeats = own[d] == kOne;
    // An extent of a valid model is 1 or the other extent.
    const bool keeps = extent == kOne || extent == own[d] ||
                       (own[d].is_number() && !extent.is_number());
    if (!repeats && !keeps) {
      if (own[d].is_number()) {
        return absl::InvalidArgumentError(
            absl::StrCat("the shape has the extent ", extent.low, " for axis ",
                         d, ", whose extent is ", own[d].low));
      }
      return absl::UnimplementedError(
          absl::StrCat("the extents of axis ", d,
                       " of the data and the shape are known only when the "
                       "model runs and may differ"));
    }
    const int64_t missing = static_cast<int64_t>(rank) - x.type().rank();
    if (!repeats) {
      extent = own[d];
      limits.push_back(ShapeAt(x, static_cast<int64_t>(d) - missing));
      continue;
    }
    ASSAY_RETURN_IF_ERROR(
        ExpectUpperLimit(extent, absl::StrCat("the extent of axis ", d)));
    limits.push_back(extent.high);
  }
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(limits).status());
  // Also if the shape is that of x: another value gets the extents.
  ASSAY_ASSIGN_OR_RETURN(
      Value y, op.AddNode(OpKind::kBroadcastTo, ReshapeAttrs{limits}, {x}));
  for (size_t d = 0; d < rank; ++d) {
    if (shape[d].is_number()) continue;
    ASSAY_ASSIGN_OR_RETURN(y,
                           Bounded(op, y, static_cast<int64_t>(d), shape[d]));
  }
  return y;
}

absl::StatusOr<Value> AddRunTimeTile(GraphBuilder& op, Value x, int64_t axis,
                                     const RunTimeInt& repeats) {
  if (repeats == kOne) return x;
  RunTimeMath math(op);
  const RunTimeInt extent = ExtentOf(op, x, axis);
  const RunTimeInt total = math.Maximum(math.Multiply(extent, repeats), kZero);
  const Value end = math.Scalar(extent);
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_RETURN_IF_ERROR(
      ExpectUpperLimit(total, absl::StrCat("the repetition of axis ", axis)));
  ASSAY_ASSIGN_OR_RETURN(Value index, AddPositions(op, total.high, 0, 1));
  ASSAY_ASSIGN_OR_RETURN(
      index, op.AddNode(OpKind::kFloorMod, NoAttrs(), {index, end}));
  ASSAY_ASSIGN_OR_RETURN(const Value y, AddTake(op, x, axis, index));
  return Bounded(op, y, axis, total);
}

absl::StatusOr<Value> AddFromFront(GraphBuilder& op, Value indices,
                                   absl::Span<const RunTimeInt> extents) {
  if (IsFromFront(indices)) return indices;
  RunTimeMath math(op);
  const Value extent =
      extents.size() == 1 ? math.Scalar(extents[0]) : math.Vector(extents);
  const Value zero = math.Scalar(kZero);
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(const Value is_negative,
                         op.Add(OpKind::kLess, NoAttrs(), {indices, zero}));
  ASSAY_ASSIGN_OR_RETURN(const Value moved,
                         op.Add(OpKind::kAdd, NoAttrs(), {indices, extent}));
  return op.Add(OpKind::kSelect, NoAttrs(), {is_negative, moved, indices});
}

}  // namespace assay::graph
