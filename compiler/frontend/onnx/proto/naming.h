// Functions that format error messages about a model. Names from the model file
// are escaped and shortened, so that a message fits on one line.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_NAMING_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_NAMING_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// Returns `name` with special characters escaped, and shortened if it is long.
std::string Escape(absl::string_view name);
// Returns Escape(name) in backticks.
std::string Quote(absl::string_view name);
// Returns Quote() of each name, separated by commas, or `none` if there are no
// names. Only the first of many names are listed.
std::string QuoteList(absl::Span<const std::string> names);

// Returns a text such as "node `conv1` (Conv)". If the node has no name, the
// text is "node 3 (Conv, result `y`)", where 3 is `index`, the index of the
// node in its graph.
std::string NodeLabel(const onnx::NodeProto& node, int index);

// Returns `status` with "label: " before its message. An OK status is returned
// unchanged.
absl::Status Annotate(const absl::Status& status, absl::string_view label);

// Returns InvalidArgument, for a file that contradicts itself or the ONNX
// specification. The message is the concatenation of `args`.
template <typename... Args>
absl::Status Malformed(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(args...));
}

// Returns Unimplemented, for a file that may be valid but that the compiler
// does not support. The message is the concatenation of `args`.
template <typename... Args>
absl::Status Unsupported(const Args&... args) {
  return absl::UnimplementedError(absl::StrCat(args...));
}

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_NAMING_H_
