#include "compiler/graph/builder/run_time_extents.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {

RunTimeInt ExtentOf(const GraphBuilder& op, Value x, int64_t axis) {
  const BoundedDim* dim = op.bounded_dims().Find(x, static_cast<int>(axis));
  if (dim == nullptr) {
    return RunTimeInt::Number(x.type().shape[static_cast<size_t>(axis)]);
  }
  return op.run_time_ints().Find(dim->extent)[0];
}

std::vector<RunTimeInt> ExtentsOf(const GraphBuilder& op, Value x) {
  std::vector<RunTimeInt> extents;
  for (int d = 0; d < x.type().rank(); ++d) {
    extents.push_back(ExtentOf(op, x, d));
  }
  return extents;
}

RunTimeInt CountOf(GraphBuilder& op, Value count, int64_t most) {
  if (const NDArray* known = op.Known(count)) {
    return RunTimeInt::Number(LoadInt(*known, 0));
  }
  RunTimeInts& ints = op.run_time_ints();
  const RunTimeInt before = ints.Find(count)[0];
  if (before.low < 0 || before.high > most) ints.SetLimits(count, 0, most);
  return ints.Find(count)[0];
}

absl::Status ExpectUpperLimit(const RunTimeInt& x, absl::string_view what) {
  if (x.has_upper_limit()) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat(what,
                   " is computed when the model runs and has no known upper "
                   "limit; give the input of the model that it depends on "
                   "as a constant"));
}

absl::StatusOr<Value> Bounded(GraphBuilder& op, Value x, int64_t axis,
                              const RunTimeInt& extent) {
  const auto d = static_cast<size_t>(axis);
  const int own = static_cast<int>(axis);
  SliceAttrs prefix;
  prefix.sizes = x.type().shape;
  prefix.begins.assign(prefix.sizes.size(), 0);
  prefix.steps.assign(prefix.sizes.size(), 1);
  prefix.sizes[d] = std::min(extent.high, prefix.sizes[d]);
  const bool is_marked = op.bounded_dims().Find(x, own) != nullptr;
  if (prefix.sizes[d] < x.type().shape[d] ||
      (is_marked && extent.is_number())) {
    ASSAY_ASSIGN_OR_RETURN(
        x, op.AddNode(OpKind::kSlice, prefix, {x}, {OperandAxis{0, own}}));
  }
  if (extent.is_number()) return x;
  RunTimeMath math(op);
  const Value scalar = math.Scalar(extent);
  ASSAY_RETURN_IF_ERROR(math.status());
  op.bounded_dims().Set(x, {own, scalar});
  return x;
}

Value RunTimeMath::Take(const absl::StatusOr<Value>& value) {
  if (status_.ok()) status_ = value.status();
  return status_.ok() ? *value : Value();
}

RunTimeInt RunTimeMath::Apply(OpKind kind, const Int& a, const Int& b) {
  if (!status_.ok()) return Int::Number(0);
  RunTimeInts& ints = op_.run_time_ints();
  if (const auto known = ints.Combine(kind, a, b)) return *known;
  const bool is_bool = kind == OpKind::kBitwiseAnd;
  const DType type = is_bool ? DType::Bool() : DType::Int64();
  const Value x = Scalar(a, type), y = Scalar(b, type);
  if (!status_.ok()) return Int::Number(0);
  const Value result = Take(op_.AddNode(kind, NoAttrs(), {x, y}));
  return status_.ok() ? ints.Find(result)[0] : Int::Number(0);
}

RunTimeInt RunTimeMath::DivideUp(const Int& a, int64_t b) {
  if (b == 1) return a;
  return Divide(Add(a, Int::Number(b - 1)), Int::Number(b));
}

RunTimeInt RunTimeMath::Product(absl::Span<const Int> factors) {
  Int product = Int::Number(1);
  for (const Int& factor : factors) product = Multiply(product, factor);
  return product;
}

RunTimeInt RunTimeMath::Select(const Int& condition, const Int& a,
                               const Int& b) {
  if (condition.is_number()) return condition.low != 0 ? a : b;
  if (!status_.ok() || a == b) return a;
  const Value chosen = Scalar(condition, DType::Bool());
  const Value x = Scalar(a), y = Scalar(b);
  if (!status_.ok()) return a;
  const Value result =
      Take(op_.AddNode(OpKind::kSelect, NoAttrs(), {chosen, x, y}));
  return status_.ok() ? op_.run_time_ints().Find(result)[0] : a;
}

RunTimeInt RunTimeMath::FromFront(const Int& index, const Int& extent) {
  if (index.low >= 0) return index;
  const Int moved = Add(index, extent);
  if (index.high < 0) return moved;
  return Select(Apply(OpKind::kLess, index, Int::Number(0)), moved, index);
}

Value RunTimeMath::Scalar(const Int& x, DType type) {
  if (!status_.ok()) return Value();
  RunTimeInts& ints = op_.run_time_ints();
  const std::string key =
      absl::StrCat("scalar ", type.ToString(), " ", RunTimeInts::KeyOf(x));
  if (ints.Memo(key).node != nullptr) return ints.Memo(key);
  Value scalar = x.tensor;
  if (x.is_number()) {
    NDArray number(type, {});
    if (type.is_float()) {
      StoreFloat(number, 0, static_cast<double>(x.low));
    } else {
      StoreInt(number, 0, x.low);
    }
    scalar = op_.AddConstant(std::move(number));
  } else {
    const int64_t count = scalar.type().num_elements();
    if (count > 1) {
      std::vector<OperandAxis> all;
      for (int d = 0; d < scalar.type().rank(); ++d) all.push_back({0, d});
      scalar = Take(
          op_.AddNode(OpKind::kReshape, ReshapeAttrs{{count}}, {scalar}, all));
      if (!status_.ok()) return Value();
      scalar = Take(op_.AddNode(OpKind::kSlice,
                                SliceAttrs{{x.element}, {1}, {1}}, {scalar}));
    }
    if (status_.ok() && scalar.type().rank() > 0) {
      scalar = Take(op_.AddNode(OpKind::kReshape, ReshapeAttrs{{}}, {scalar}));
    }
    if (status_.ok()) scalar = Take(ConvertedTo(op_, scalar, type));
  }
  if (status_.ok()) ints.Memo(key) = scalar;
  return scalar;
}

Value RunTimeMath::Vector(absl::Span<const Int> elements) {
  if (std::all_of(elements.begin(), elements.end(),
                  [](const Int& x) { return x.is_number(); })) {
    std::vector<int64_t> numbers;
    for (const Int& x : elements) numbers.push_back(x.low);
    return op_.AddConstant(NDArray::FromVector<int64_t>(
        {static_cast<int64_t>(numbers.size())}, numbers));
  }
  std::vector<Value> parts;
  for (const Int& x : elements) {
    const Value scalar = Scalar(x);
    if (!status_.ok()) return Value();
    parts.push_back(
        Take(op_.AddNode(OpKind::kReshape, ReshapeAttrs{{1}}, {scalar})));
  }
  if (!status_.ok() || parts.size() == 1) return parts[0];
  return Take(op_.AddNode(OpKind::kConcat, ConcatAttrs{0}, parts));
}

NDArray FillerOf(DType type, Filler filler) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  NDArray scalar(type, {});
  switch (filler) {
    case Filler::kZero:
      break;
    case Filler::kOne:
      type.is_float() ? StoreFloat(scalar, 0, 1) : StoreInt(scalar, 0, 1);
      break;
    case Filler::kLowest:
      if (type.is_float()) {
        StoreFloat(scalar, 0, -kInfinity);
      } else if (type.is_int()) {
        StoreInt(scalar, 0, RunTimeInt::kLowest >> (64 - type.bits()));
      }
      break;
    case Filler::kHighest:
    case Filler::kLast:
      if (type.is_float()) {
        StoreFloat(scalar, 0,
                   filler == Filler::kHighest
                       ? kInfinity
                       : std::numeric_limits<double>::quiet_NaN());
      } else if (type.is_int()) {
        StoreInt(scalar, 0, RunTimeInt::kHighest >> (64 - type.bits()));
      } else {
        StoreInt(scalar, 0, type.is_bool() ? 1 : -1);  // all bits
      }
      break;
  }
  return scalar;
}

absl::StatusOr<Value> AddInside(GraphBuilder& op, int64_t count, int64_t axis,
                                int64_t rank, const RunTimeInt& extent) {
  RunTimeMath math(op);
  const Value end = math.Scalar(extent);
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(const Value positions,
                         AddPositions(op, count, axis, rank));
  return op.AddNode(OpKind::kLess, NoAttrs(), {positions, end});
}

absl::StatusOr<Value> AddFilled(GraphBuilder& op, Value x, int64_t axis,
                                Filler filler) {
  const int own = static_cast<int>(axis);
  if (op.bounded_dims().Find(x, own) == nullptr) return x;
  ASSAY_ASSIGN_OR_RETURN(
      const Value inside,
      AddInside(op, x.type().shape[static_cast<size_t>(axis)], axis,
                x.type().rank(), ExtentOf(op, x, axis)));
  const Value beyond = op.AddConstant(FillerOf(x.type().dtype, filler));
  return op.AddNode(OpKind::kSelect, NoAttrs(), {inside, x, beyond},
                    {OperandAxis{1, own}});
}

absl::StatusOr<Value> AddTake(GraphBuilder& op, Value x, int64_t axis,
                              Value indices) {
  return op.AddNode(OpKind::kGather, GatherAttrs{axis}, {x, indices},
                    {OperandAxis{0, static_cast<int>(axis)}});
}

}  // namespace assay::graph
