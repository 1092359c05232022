// Checks that the rules of type inference share. If a check fails, it returns
// InvalidArgument with a message that describes the operand or the attribute.
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

// Upper bound of strides, paddings, dilations and kernel extents, so that no
// sum or product of two of them overflows.
constexpr int64_t kMaxAttr = int64_t{1} << 24;

// The number of operands must be `count`.
absl::Status ExpectInputs(Types inputs, size_t count);
// `axis` must be an axis of `type`.
absl::Status ExpectAxis(int64_t axis, const TensorType& type);
// All operands must have at least one element.
absl::Status ExpectElements(Types inputs);
// All operands must be float32.
absl::Status ExpectFloat32(Types inputs);
// `type` is the type of operand `i`. Its element type must be `dtype`, and its
// rank must be `rank`.
absl::Status ExpectType(int i, const TensorType& type, DType dtype, int rank);
// All `values`, the entries of the attribute with name `what`, must lie between
// `low` and kMaxAttr.
absl::Status ExpectRange(absl::string_view what,
                         absl::Span<const int64_t> values, int64_t low);
// `data` must have rank 4.
absl::Status ExpectImage(const TensorType& data);

// Returns the type of the accumulator and of the result of a dot product of two
// operands. The type is float32 if both operands have the same floating-point
// type of 16 or 32 bits, and int32 if each operand is int8, uint8 or int16.
// Other types are errors.
absl::StatusOr<DType> DotProductType(Types inputs);

// Parameters of the sliding window of a convolution or pooling.
struct Window {
  Pair kernel;
  Pair strides;
  Padding padding;
  Pair dilations;
  bool ceil_mode = false;
};

// Returns the height and the width of the result, which are at least 1. Returns
// InvalidArgument if a parameter is out of range or if the window does not fit
// in the padded data.
absl::StatusOr<Pair> WindowResult(const Window& window, int64_t height,
                                  int64_t width);

}  // namespace assay::graph::infer

#endif  // ASSAY_COMPILER_GRAPH_INFER_EXPECT_H_
