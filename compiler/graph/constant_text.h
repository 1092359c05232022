// The attributes of a constant as text: `{value=[1,2]}`, `{fill=0}` or
// `{elements=108, digest=00c51e…}`; see printer.h for which is used when.
#ifndef ASSAY_COMPILER_GRAPH_CONSTANT_TEXT_H_
#define ASSAY_COMPILER_GRAPH_CONSTANT_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// Tensors by DigestOf(), in which the parser looks up elided constants.
using ConstantStore = absl::flat_hash_map<uint64_t, NDArray>;

// Maximum number of elements of a constant that is printed in full.
constexpr int kMaxPrintedElements = 16;

std::string ConstantToString(const ConstantAttrs& constant);

// `fields` as for ParseAttrs. `store` may be null; then an elided constant is
// an error that says so.
absl::StatusOr<NDArray> ParseConstant(const TensorType& type,
                                      absl::Span<const FieldText> fields,
                                      const ConstantStore* store);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_CONSTANT_TEXT_H_
