#include <type_traits>

#include "compiler/graph/reference/reference_ops.h"
#include "runtime/base/check.h"

namespace assay::graph::reference {
namespace {

// Calls f(T()) for the element types that inference lets arithmetic have.
template <typename F>
NDArray WithNumber(DType dtype, F&& f) {
  if (dtype == DType::Float32()) return f(float());
  if (dtype == DType::Float64()) return f(double());
  if (dtype == DType::Int32()) return f(int32_t());
  CHECK_EQ(dtype, DType::Int64());
  return f(int64_t());
}

// Strides that walk `shape` as if it had the extents of `target`: 0 along the
// axes that repeat.
Shape BroadcastStrides(const Shape& shape, const Shape& target) {
  const Shape own = RowMajorStrides(shape);
  Shape strides(target.size(), 0);
  const size_t offset = target.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) strides[offset + i] = own[i];
  }
  return strides;
}

template <typename T, typename F>
NDArray Binary(const NDArray& a, const NDArray& b, const Shape& shape, F&& f) {
  NDArray result(DTypeOf<T>(), shape);
  const Shape stride_a = BroadcastStrides(a.shape(), shape);
  const Shape stride_b = BroadcastStrides(b.shape(), shape);
  const T* x = a.data<T>().data();
  const T* y = b.data<T>().data();
  Shape index(shape.size(), 0);
  for (T& out : result.data<T>()) {
    out = f(*x, *y);
    // Step to the next index, carrying from the last axis to the first.
    for (int i = static_cast<int>(shape.size()) - 1; i >= 0; --i) {
      x += stride_a[i];
      y += stride_b[i];
      if (++index[i] < shape[i]) break;
      x -= stride_a[i] * shape[i];
      y -= stride_b[i] * shape[i];
      index[i] = 0;
    }
  }
  return result;
}

// Integers wrap around.
template <typename T>
T AddValues(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T MultiplyValues(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return a * b;
  }
}

}  // namespace

NDArray Relu(const NDArray& x) {
  return WithNumber(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    NDArray result(x.dtype(), x.shape());
    const T* in = x.data<T>().data();
    for (T& out : result.data<T>()) {
      out = *in < zero ? zero : *in;
      ++in;
    }
    return result;
  });
}

NDArray Add(const NDArray& a, const NDArray& b, const TensorType& type) {
  return WithNumber(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    return Binary<T>(a, b, type.shape, AddValues<T>);
  });
}

NDArray Multiply(const NDArray& a, const NDArray& b, const TensorType& type) {
  return WithNumber(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    return Binary<T>(a, b, type.shape, MultiplyValues<T>);
  });
}

}  // namespace assay::graph::reference
