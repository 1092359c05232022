#include <cstring>

#include "absl/strings/str_cat.h"
#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

int64_t Product(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

const char* Bytes(const NDArray& x) {
  return static_cast<const char*>(x.raw());
}

}  // namespace

NDArray Transpose(const NDArray& x, absl::Span<const int64_t> perm) {
  const size_t rank = perm.size();
  const size_t size = x.dtype().bytes();
  const Shape strides = RowMajorStrides(x.shape());
  Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) shape[i] = x.shape()[perm[i]];
  NDArray result(x.dtype(), shape);
  char* out = static_cast<char*>(result.raw());
  Shape index(rank, 0);
  for (int64_t k = 0; k < result.num_elements(); ++k) {
    int64_t offset = 0;
    for (size_t i = 0; i < rank; ++i) offset += index[i] * strides[perm[i]];
    std::memcpy(out + k * size, Bytes(x) + offset * size, size);
    for (int i = static_cast<int>(rank) - 1; i >= 0; --i) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
  return result;
}

NDArray Concat(absl::Span<const NDArray> in, int64_t axis,
               const TensorType& type) {
  NDArray result(type.dtype, type.shape);
  const int64_t outer = Product(type.shape, 0, axis);
  char* out = static_cast<char*>(result.raw());
  for (int64_t i = 0; i < outer; ++i) {
    for (const NDArray& x : in) {
      const size_t bytes = x.num_bytes() / outer;
      if (bytes == 0) continue;
      std::memcpy(out, Bytes(x) + i * bytes, bytes);
      out += bytes;
    }
  }
  return result;
}

absl::StatusOr<NDArray> Gather(const NDArray& data, const NDArray& indices,
                               int64_t axis, const TensorType& type) {
  NDArray result(type.dtype, type.shape);
  const Shape& shape = data.shape();
  const int64_t extent = shape[axis];
  const int64_t outer = Product(shape, 0, axis);
  const size_t bytes =
      Product(shape, axis + 1, shape.size()) * type.dtype.bytes();
  char* out = static_cast<char*>(result.raw());
  for (int64_t index : indices.data<int64_t>()) {
    if (index < -extent || index >= extent) {
      return absl::OutOfRangeError(absl::StrCat("index ", index,
                                                " is outside axis ", axis,
                                                " of ", ShapeToString(shape)));
    }
  }
  if (result.num_bytes() == 0) return result;
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t index : indices.data<int64_t>()) {
      const int64_t wrapped = index < 0 ? index + extent : index;
      std::memcpy(out, Bytes(data) + (i * extent + wrapped) * bytes, bytes);
      out += bytes;
    }
  }
  return result;
}

}  // namespace assay::graph::reference
