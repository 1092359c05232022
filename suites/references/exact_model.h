// WithExactProducts: removes from an ONNX model the permission to compute with
// less precision than its element types have.
#ifndef ASSAY_SUITES_REFERENCES_EXACT_MODEL_H_
#define ASSAY_SUITES_REFERENCES_EXACT_MODEL_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::suites {

// The attribute `accuracy_level` of the operator MatMulNBits is the least
// precision in which a runtime may multiply; 4 stands for int8, to which the
// float operand is then rounded. Returns the model in `bytes` with this
// attribute set to 0, which permits nothing, in all nodes, including those of
// functions and of graphs in nodes. Returns nullopt if no node permits
// anything, or if `bytes` is no model.
std::optional<std::string> WithExactProducts(absl::string_view bytes);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_EXACT_MODEL_H_
