// WithExactProducts: removes from an ONNX model the permission to compute with
// less precision than its element types have.
#ifndef ASSAY_SUITES_REFERENCES_EXACT_MODEL_H_
#define ASSAY_SUITES_REFERENCES_EXACT_MODEL_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::suites {

// The attribute `accuracy_level` of the operator MatMulNBits is the least
// precision in which a runtime may multiply. For example, 4 permits the runtime
// to round the float operand to int8, and 0 permits no lower precision. Returns
// the model in `bytes` with this attribute set to 0 in all nodes, including the
// nodes of functions and of subgraphs. Returns nullopt if no node has this
// attribute with another value than 0, or if `bytes` is not a model.
std::optional<std::string> WithExactProducts(absl::string_view bytes);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_EXACT_MODEL_H_
