#include <algorithm>
#include <cmath>
#include <cstring>

#include "compiler/graph/encoding/encode.h"
#include "compiler/graph/reference/broadcast.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

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

Result Reshape(const Node& node, Operands in) {
  return in[0].Reshaped(node.type().shape);
}

Result BroadcastTo(const Node& node, Operands in) {
  const NDArray& x = in[0];
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  ForEachBroadcast<1>({&x}, type.shape,
                      [&](int64_t k, const std::array<int64_t, 1>& at) {
                        CopyElements(x, at[0], result, k, 1);
                      });
  return result;
}

Result Transpose(const Node& node, Operands in) {
  return Permute(in[0], node.attrs_as<TransposeAttrs>().perm);
}

Result Concat(const Node& node, Operands in) {
  const int64_t axis = node.attrs_as<ConcatAttrs>().axis;
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const int64_t outer =
      NumElements(Shape(type.shape.begin(), type.shape.begin() + axis));
  char* out = static_cast<char*>(result.raw());
  for (int64_t i = 0; i < outer; ++i) {
    for (const NDArray& x : in) {
      const size_t bytes = x.num_bytes() / outer;
      if (bytes == 0) continue;
      std::memcpy(out, static_cast<const char*>(x.raw()) + i * bytes, bytes);
      out += bytes;
    }
  }
  return result;
}

Result Slice(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<SliceAttrs>();
  const NDArray& x = in[0];
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

Result Pad(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<PadAttrs>();
  const NDArray& x = in[0];
  const TensorType& type = node.type();
  if (type.shape.empty()) return x;
  NDArray result(type.dtype, type.shape);
  // New arrays are filled with zeros.
  const bool is_zero = attrs.value == 0 && !std::signbit(attrs.value);
  for (int64_t k = 0; !is_zero && k < result.num_elements(); ++k) {
    if (type.dtype.is_float()) {
      StoreFloat(result, k, attrs.value);
    } else {
      StoreInt(result, k, static_cast<int64_t>(attrs.value));
    }
  }
  // Copies the data row by row.
  const size_t last = type.shape.size() - 1;
  Shape rows = x.shape();
  rows[last] = 1;
  const Shape strides = RowMajorStrides(type.shape);
  Shape index(type.shape.size(), 0);
  const int64_t columns = x.shape()[last];
  for (int64_t row = 0; row < NumElements(rows); ++row) {
    int64_t to = attrs.before[last];
    for (size_t d = 0; d < last; ++d) {
      to += (attrs.before[d] + index[d]) * strides[d];
    }
    CopyElements(x, row * columns, result, to, columns);
    Advance(rows, index);
  }
  return result;
}

Result ReverseSequence(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ReverseSequenceAttrs>();
  const NDArray& x = in[0];
  const NDArray& lengths = in[1];
  NDArray result(x.dtype(), x.shape());
  const Shape strides = RowMajorStrides(x.shape());
  const int64_t time = strides[attrs.time_axis];
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t t = i / time % x.shape()[attrs.time_axis];
    const int64_t b =
        i / strides[attrs.batch_axis] % x.shape()[attrs.batch_axis];
    const int64_t length =
        std::min(lengths.data<int64_t>()[b], x.shape()[attrs.time_axis]);
    const int64_t from = t < length ? i + (length - 1 - 2 * t) * time : i;
    CopyElements(x, from, result, i, 1);
  }
  return result;
}

// Interpreted tensors are plain.
Result Encode(const Node&, Operands in) { return in[0]; }

}  // namespace assay::graph::reference
