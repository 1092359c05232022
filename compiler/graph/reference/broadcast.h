// Iteration over the elements of operands that are broadcast to one shape.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_BROADCAST_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_BROADCAST_H_

#include <array>
#include <cstdint>

#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

// Returns the strides, in elements, with which a row-major array of shape
// `shape` is read if it is broadcast to shape `target`. The stride of a
// repeated axis is 0.
inline Shape BroadcastStrides(const Shape& shape, const Shape& target) {
  const Shape own = RowMajorStrides(shape);
  Shape strides(target.size(), 0);
  const size_t offset = target.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) strides[offset + i] = own[i];
  }
  return strides;
}

// Calls visit(k, offsets) for each element k of an array of shape `shape`, in
// row-major order. offsets[n] is the position of the corresponding element of
// operands[n].
template <size_t count, typename Visit>
void ForEachBroadcast(const std::array<const NDArray*, count>& operands,
                      const Shape& shape, const Visit& visit) {
  std::array<Shape, count> strides;
  for (size_t n = 0; n < count; ++n) {
    strides[n] = BroadcastStrides(operands[n]->shape(), shape);
  }
  Shape index(shape.size(), 0);
  std::array<int64_t, count> offsets = {};
  const int64_t elements = NumElements(shape);
  for (int64_t k = 0; k < elements; ++k) {
    visit(k, offsets);
    // Step to the next index, carrying from the last axis to the first.
    for (int i = static_cast<int>(shape.size()) - 1; i >= 0; --i) {
      const bool carries = ++index[i] == shape[i];
      for (size_t n = 0; n < count; ++n) {
        offsets[n] += strides[n][i] * (carries ? 1 - shape[i] : 1);
      }
      if (!carries) break;
      index[i] = 0;
    }
  }
}

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_BROADCAST_H_
