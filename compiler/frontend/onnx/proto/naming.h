// Names of the parts of a model in error messages. Names from the file are
// escaped and shortened, so that a message is one line.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_NAMING_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_NAMING_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// `name`, escaped and shortened.
std::string Escape(absl::string_view name);
// The same in backticks.
std::string Quote(absl::string_view name);

// "node `conv1` (Conv)"; without a name, "node 3 (Conv, result `y`)", where
// nodes are counted from 0.
std::string NodeLabel(const onnx::NodeProto& node, int index);

// `status` with "label: " before its message.
absl::Status Annotate(const absl::Status& status, absl::string_view label);

// The file contradicts itself or the ONNX specification.
template <typename... Args>
absl::Status Malformed(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(args...));
}

// The file may be valid, but the compiler does not support it.
template <typename... Args>
absl::Status Unsupported(const Args&... args) {
  return absl::UnimplementedError(absl::StrCat(args...));
}

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_NAMING_H_
