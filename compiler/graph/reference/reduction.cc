// Reductions, computed in double, int64 or uint64 and rounded or wrapped once.
#include <algorithm>
#include <limits>
#include <vector>

#include "compiler/graph/reference/max_min.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// The value of a reduction of no elements.
template <typename T>
T Identity(OpKind kind) {
  using Limits = std::numeric_limits<T>;
  switch (kind) {
    case OpKind::kReduceProd:
      return 1;
    case OpKind::kReduceMin:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case OpKind::kReduceMax:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    default:
      return 0;
  }
}

double Combine(OpKind kind, double a, double b) {
  switch (kind) {
    case OpKind::kReduceProd:
      return a * b;
    case OpKind::kReduceMin:
      return SmallerOf(a, b);
    case OpKind::kReduceMax:
      return LargerOf(a, b);
    default:
      return a + b;
  }
}

template <typename T>
T Combine(OpKind kind, T a, T b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (kind) {
    case OpKind::kReduceProd:
      return static_cast<T>(x * y);
    case OpKind::kReduceMin:
      return std::min(a, b);
    case OpKind::kReduceMax:
      return std::max(a, b);
    default:
      return static_cast<T>(x + y);
  }
}

// T is int64 or uint64, the type in which elements are compared.
template <typename T>
void ReduceIntegers(OpKind kind, const NDArray& x,
                    const std::vector<int64_t>& targets, NDArray& result) {
  T identity = Identity<T>(kind);
  if (kind == OpKind::kReduceMax || kind == OpKind::kReduceMin) {
    identity >>= 64 - x.dtype().bits();  // the limit of the element type
  }
  std::vector<T> sums(result.num_elements(), identity);
  for (size_t i = 0; i < targets.size(); ++i) {
    T& sum = sums[targets[i]];
    sum =
        Combine(kind, sum, static_cast<T>(LoadInt(x, static_cast<int64_t>(i))));
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    StoreInt(result, static_cast<int64_t>(i), static_cast<int64_t>(sums[i]));
  }
}

// For each element of the operand, the element of the result it is reduced to.
std::vector<int64_t> Targets(const Shape& shape,
                             const std::vector<int64_t>& axes) {
  Shape kept = shape;
  for (int64_t axis : axes) kept[axis] = 1;
  const Shape strides = RowMajorStrides(kept);
  const int64_t count = NumElements(shape);
  std::vector<int64_t> targets(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, target = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      if (kept[d] != 1) target += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    targets[i] = target;
  }
  return targets;
}

// Returns true if `b` replaces `a`, which precedes it. NaN ranks above all
// numbers.
template <typename T>
bool Replaces(OpKind kind, bool last, T a, T b) {
  if (a != a) return last && b != b;
  if (b != b) return true;
  return kind == OpKind::kArgMax ? (last ? a <= b : a < b)
                                 : (last ? b <= a : b < a);
}

}  // namespace

Result Reduce(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ReduceAttrs>();
  const NDArray& x = in[0];
  const TensorType& type = node.type();
  const OpKind kind = node.kind();
  NDArray result(type.dtype, type.shape);
  const std::vector<int64_t> targets = Targets(x.shape(), attrs.axes);
  if (type.dtype.is_float()) {
    std::vector<double> sums(result.num_elements(), Identity<double>(kind));
    for (size_t i = 0; i < targets.size(); ++i) {
      double& sum = sums[targets[i]];
      sum = Combine(kind, sum, LoadFloat(x, static_cast<int64_t>(i)));
    }
    const double divisor =
        kind == OpKind::kReduceMean
            ? static_cast<double>(x.num_elements()) / result.num_elements()
            : 1;
    for (size_t i = 0; i < sums.size(); ++i) {
      StoreFloat(result, static_cast<int64_t>(i), sums[i] / divisor);
    }
    return result;
  }
  if (type.dtype.is_uint()) {
    ReduceIntegers<uint64_t>(kind, x, targets, result);
  } else {
    ReduceIntegers<int64_t>(kind, x, targets, result);
  }
  return result;
}

Result ArgReduce(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ArgReduceAttrs>();
  const NDArray& x = in[0];
  const TensorType& type = node.type();
  const OpKind kind = node.kind();
  NDArray result(type.dtype, type.shape);
  const std::vector<int64_t> targets = Targets(x.shape(), {attrs.axis});
  const int64_t stride = RowMajorStrides(x.shape())[attrs.axis];
  const int64_t extent = x.shape()[attrs.axis];
  // The flat index of the best element so far.
  std::vector<int64_t> best(result.num_elements(), -1);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    int64_t& so_far = best[targets[i]];
    const bool replaces =
        so_far < 0 ||
        (x.dtype().is_float()
             ? Replaces(kind, attrs.last, LoadFloat(x, so_far), LoadFloat(x, i))
         : x.dtype().is_uint()
             ? Replaces(kind, attrs.last,
                        static_cast<uint64_t>(LoadInt(x, so_far)),
                        static_cast<uint64_t>(LoadInt(x, i)))
             : Replaces(kind, attrs.last, LoadInt(x, so_far), LoadInt(x, i)));
    if (replaces) so_far = i;
  }
  for (size_t i = 0; i < best.size(); ++i) {
    StoreInt(result, static_cast<int64_t>(i), best[i] / stride % extent);
  }
  return result;
}

}  // namespace assay::graph::reference
