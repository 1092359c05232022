#include <cstring>

#include "compiler/graph/reference/element.h"
#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

// Steps to the next index, the last axis first.
void Advance(const Shape& shape, Shape& index) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return;
    index[d] = 0;
  }
}

const char* At(const NDArray& x, int64_t i) {
  return static_cast<const char*>(x.raw()) + i * x.dtype().bytes();
}

}  // namespace

NDArray Slice(const SliceAttrs& attrs, const NDArray& x) {
  NDArray result(x.dtype(), attrs.sizes);
  const Shape strides = RowMajorStrides(x.shape());
  const size_t bytes = x.dtype().bytes();
  char* out = static_cast<char*>(result.raw());
  Shape index(attrs.sizes.size(), 0);
  for (int64_t k = 0; k < result.num_elements(); ++k) {
    int64_t offset = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      offset += (attrs.begins[d] + index[d] * attrs.steps[d]) * strides[d];
    }
    std::memcpy(out + k * bytes, At(x, offset), bytes);
    Advance(attrs.sizes, index);
  }
  return result;
}

NDArray Pad(const PadAttrs& attrs, const NDArray& x, const TensorType& type) {
  NDArray result(type.dtype, type.shape);
  const Shape strides = RowMajorStrides(x.shape());
  const size_t bytes = x.dtype().bytes();
  char* out = static_cast<char*>(result.raw());
  Shape index(type.shape.size(), 0);
  for (int64_t k = 0; k < result.num_elements(); ++k) {
    int64_t offset = 0;
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t i = index[d] - attrs.before[d];
      inside = inside && i >= 0 && i < x.shape()[d];
      offset += i * strides[d];
    }
    if (inside) {
      std::memcpy(out + k * bytes, At(x, offset), bytes);
    } else if (type.dtype.is_float()) {
      StoreFloat(result, k, attrs.value);
    } else {
      StoreInt(result, k, static_cast<int64_t>(attrs.value));
    }
    Advance(type.shape, index);
  }
  return result;
}

}  // namespace assay::graph::reference
