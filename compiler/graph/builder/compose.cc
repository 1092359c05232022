#include "compiler/graph/builder/compose.h"

#include <numeric>

namespace assay::graph {

Value Compose::Take(const absl::StatusOr<Value>& value) {
  if (!status_.ok()) return Any();
  status_ = value.status();
  if (value.ok()) any_ = *value;
  return Any();
}

Value Compose::Scalar(DType dtype, double value) {
  if (!status_.ok()) return Any();
  absl::StatusOr<NDArray> scalar = ScalarOf(dtype, value);
  if (!scalar.ok()) return Take(scalar.status());
  return Take(op_.AddConstant(*std::move(scalar)));
}

Value Compose::Ints64(Shape shape, const Ints& values) {
  if (!status_.ok()) return Any();
  return Take(
      op_.AddConstant(NDArray::FromVector<int64_t>(std::move(shape), values)));
}

Value Compose::Cast(Value x, DType dtype) {
  if (!status_.ok() || x.type().dtype == dtype) return x;
  return Node(OpKind::kCast, CastAttrs{dtype}, {x});
}

Value Compose::Reshape(Value x, Shape shape) {
  if (!status_.ok()) return Any();
  return Take(op_.AddReshape(x, std::move(shape)));
}

Value Compose::Transpose(Value x, Ints perm) {
  if (!status_.ok() || perm == AxesBetween(0, x.type().rank())) return x;
  return Take(op_.AddTranspose(x, std::move(perm)));
}

Value Compose::Slice(Value x, int64_t axis, int64_t begin, int64_t count,
                     int64_t step) {
  if (!status_.ok()) return Any();
  SliceAttrs attrs;
  attrs.sizes = x.type().shape;
  if (begin == 0 && step == 1 && attrs.sizes[axis] == count) return x;
  attrs.steps.assign(attrs.sizes.size(), 1);
  attrs.begins.assign(attrs.sizes.size(), 0);
  attrs.begins[axis] = begin;
  attrs.steps[axis] = step;
  attrs.sizes[axis] = count;
  return Node(OpKind::kSlice, std::move(attrs), {x});
}

Value Compose::Concat(absl::Span<const Value> parts, int64_t axis) {
  if (parts.size() == 1) return parts[0];
  return Node(OpKind::kConcat, ConcatAttrs{axis}, parts);
}

Value Compose::Pad(Value x, Ints before, Ints after, float value) {
  const Ints none(before.size(), 0);
  if (before == none && after == none) return x;
  return Node(OpKind::kPad,
              PadAttrs{std::move(before), std::move(after), value}, {x});
}

Value Compose::Reduce(OpKind kind, Value x, Ints axes) {
  if (axes.empty()) return x;
  return Node(kind, ReduceAttrs{std::move(axes), /*keepdims=*/true}, {x});
}

DType SumType(DType dtype) {
  return dtype.is_float() && dtype.bits() < 32 ? DType::Float32() : dtype;
}

std::vector<int64_t> AxesBetween(int64_t first, int64_t last) {
  std::vector<int64_t> axes(last > first ? last - first : 0);
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

}  // namespace assay::graph
