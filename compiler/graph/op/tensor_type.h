// TensorType: the element type and the shape of a tensor, both known at compile
// time, and how it is stored. Examples of the text form are
// `float32[1,3,224,224]`, `float32[1,64,56,56]@blocks(16)` and, for an int64
// scalar, `int64[]`. The element type and the shape are those of the plain
// tensor, whatever the encoding is.
#ifndef ASSAY_COMPILER_GRAPH_OP_TENSOR_TYPE_H_
#define ASSAY_COMPILER_GRAPH_OP_TENSOR_TYPE_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/encoding/encoding.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::graph {

struct TensorType {
  DType dtype;
  Shape shape;
  Encoding encoding = {};

  int rank() const { return static_cast<int>(shape.size()); }
  int64_t num_elements() const { return NumElements(shape); }
  // The array in memory. CHECK-fails if the encoding does not fit the shape.
  ArrayType stored() const;
  // The size of the array in memory.
  int64_t num_bytes() const;
  // The same tensor, stored in row-major order.
  TensorType plain() const { return {dtype, shape}; }
  // Returns true if the elements are in row-major order in memory: those of a
  // plain tensor, or of an image of one pixel in blocks of channels.
  bool IsRowMajor() const;

  std::string ToString() const;
  // The inverse of ToString(). Returns an error if `text` is not a tensor type,
  // if CheckedNumElements rejects the shape, or if the encoding does not fit.
  static absl::StatusOr<TensorType> Parse(absl::string_view text);
};

inline bool operator==(const TensorType& a, const TensorType& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.encoding == b.encoding;
}
inline bool operator!=(const TensorType& a, const TensorType& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& os, const TensorType& type);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_TENSOR_TYPE_H_
