// What looks at the elements along one axis in order.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "compiler/graph/reference/element.h"
#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

// The lines along an axis: `count` of them, each of `extent` elements that lie
// `stride` apart.
struct Lines {
  int64_t count, extent, stride;

  Lines(const Shape& shape, int64_t axis)
      : count(NumElements(shape) / shape[axis]),
        extent(shape[axis]),
        stride(RowMajorStrides(shape)[axis]) {}

  int64_t Begin(int64_t line) const {
    return line / stride * stride * extent + line % stride;
  }
};

// A NaN is beyond all numbers.
bool IsBefore(const NDArray& x, bool descending, int64_t a, int64_t b) {
  if (descending) std::swap(a, b);
  if (x.dtype().is_float()) {
    const double u = LoadFloat(x, a), v = LoadFloat(x, b);
    return u < v || (std::isnan(v) && !std::isnan(u));
  }
  if (!x.dtype().is_uint()) return LoadInt(x, a) < LoadInt(x, b);
  return static_cast<uint64_t>(LoadInt(x, a)) <
         static_cast<uint64_t>(LoadInt(x, b));
}

}  // namespace

NDArray ArgSort(const ArgSortAttrs& attrs, const NDArray& x,
                const TensorType& type) {
  NDArray result(type.dtype, type.shape);
  const Lines in(x.shape(), attrs.axis), out(type.shape, attrs.axis);
  std::vector<int64_t> order(in.extent);
  for (int64_t line = 0; line < in.count; ++line) {
    std::iota(order.begin(), order.end(), 0);
    const int64_t begin = in.Begin(line);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const int64_t u = begin + a * in.stride, v = begin + b * in.stride;
      if (IsBefore(x, attrs.descending, u, v)) return true;
      return !IsBefore(x, attrs.descending, v, u) && a < b;
    });
    for (int64_t k = 0; k < out.extent; ++k) {
      StoreInt(result, out.Begin(line) + k * out.stride, order[k]);
    }
  }
  return result;
}

NDArray CumSum(const CumSumAttrs& attrs, const NDArray& x) {
  NDArray result(x.dtype(), x.shape());
  const Lines lines(x.shape(), attrs.axis);
  const bool is_float = x.dtype().is_float();
  for (int64_t line = 0; line < lines.count; ++line) {
    double sum = 0;
    uint64_t whole = 0;
    const auto store = [&](int64_t i) {
      if (is_float) return StoreFloat(result, i, sum);
      StoreInt(result, i, static_cast<int64_t>(whole));
    };
    for (int64_t k = 0; k < lines.extent; ++k) {
      const int64_t at = attrs.reverse ? lines.extent - 1 - k : k;
      const int64_t i = lines.Begin(line) + at * lines.stride;
      if (attrs.exclusive) store(i);
      if (is_float) {
        sum += LoadFloat(x, i);
      } else {
        whole += static_cast<uint64_t>(LoadInt(x, i));
      }
      if (!attrs.exclusive) store(i);
    }
  }
  return result;
}

}  // namespace assay::graph::reference
