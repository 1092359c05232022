// The attributes that convolution and pooling share: where a window of two
// axes stands on padded data.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_WINDOW_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_WINDOW_H_

#include <optional>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/op_import.h"
#include "compiler/graph/attrs.h"

namespace assay::frontend {

struct Window {
  graph::Pair kernel = {1, 1};
  graph::Pair strides = {1, 1};
  graph::Pair dilations = {1, 1};
  // Numbers, whatever way they were given.
  graph::Padding padding = {0, 0, 0, 0};
  // Padded by auto_pad SAME_UPPER or SAME_LOWER, or VALID.
  bool same = false;
  bool valid = false;
};

// Reads kernel_shape, strides, pads, auto_pad and, where `has_dilations`,
// dilations. Operand 0 is the data, of rank 4. `kernel` is what kernel_shape
// must be; without it, the attribute is required.
//
// auto_pad SAME_* makes the result's extent the data's over the stride,
// rounded up; what is odd of the padding goes to the end for SAME_UPPER, to
// the beginning for SAME_LOWER. It is not supported together with dilations.
absl::StatusOr<Window> ReadWindow(OpImport& op, bool has_dilations,
                                  std::optional<graph::Pair> kernel);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_WINDOW_H_
