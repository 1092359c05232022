// Checks that the files of type inference share. Each returns an error that
// says what is wrong with an operand or an attribute.
#ifndef ASSAY_COMPILER_GRAPH_INFER_EXPECT_H_
#define ASSAY_COMPILER_GRAPH_INFER_EXPECT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/infer/rules.h"

namespace assay::graph::infer {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(args...));
}

// Upper bound of every attribute: no sum or product of attributes overflows.
constexpr int64_t kMaxAttr = int64_t{1} << 24;

absl::Status ExpectInputs(Types inputs, size_t count);
absl::Status ExpectAxis(int64_t axis, const TensorType& type);
absl::Status ExpectElements(Types inputs);
// All operands are float32 and have elements.
absl::Status ExpectFloat32(Types inputs);
// Operand `i` has this element type and rank.
absl::Status ExpectType(int i, const TensorType& type, DType dtype, int rank);
// `values`, the attribute `what`, lie between `low` and kMaxAttr.
absl::Status ExpectRange(absl::string_view what,
                         absl::Span<const int64_t> values, int64_t low);
// Rank 4 in the plain layout; otherwise rank 5 ending in `block`.
absl::Status ExpectImage(const TensorType& data, int64_t block);

// Accumulator type of a dot product of the two operands, also the result type:
// float32 for floats of 16 or 32 bits, int32 for integers of 8 or 16 bits.
absl::StatusOr<DType> DotProductType(Types inputs);

struct Window {
  Pair kernel;
  Pair strides;
  Padding padding;
  Pair dilations;
  bool ceil_mode = false;
};

// The spatial extents of the result, both at least one.
absl::StatusOr<Pair> WindowResult(const Window& window, int64_t height,
                                  int64_t width);

}  // namespace assay::graph::infer

#endif  // ASSAY_COMPILER_GRAPH_INFER_EXPECT_H_
