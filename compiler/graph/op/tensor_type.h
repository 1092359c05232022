// TensorType: the element type and the shape of a tensor, both known at compile
// time. An example of the text form is `float32[1,3,224,224]`. The text form of
// the type of an int64 scalar is `int64[]`.
#ifndef ASSAY_COMPILER_GRAPH_OP_TENSOR_TYPE_H_
#define ASSAY_COMPILER_GRAPH_OP_TENSOR_TYPE_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::graph {

struct TensorType {
  DType dtype;
  Shape shape;

  int rank() const { return static_cast<int>(shape.size()); }
  int64_t num_elements() const { return NumElements(shape); }
  int64_t num_bytes() const { return num_elements() * dtype.bytes(); }

  std::string ToString() const;
  // The inverse of ToString(). Returns an error if `text` is not a tensor type,
  // or if CheckedNumElements rejects the shape.
  static absl::StatusOr<TensorType> Parse(absl::string_view text);
};

inline bool operator==(const TensorType& a, const TensorType& b) {
  return a.dtype == b.dtype && a.shape == b.shape;
}
inline bool operator!=(const TensorType& a, const TensorType& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& os, const TensorType& type);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_TENSOR_TYPE_H_
