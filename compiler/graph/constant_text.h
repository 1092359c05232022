// Conversions between a constant and the text of its attributes:
// `{value=[1,2]}`, `{fill=0}` or `{elements=108, digest=00c51e…}`. printer.h
// explains when each of the three forms is used.
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

// Maps DigestOf(tensor) to the tensor. The parser looks up the values of elided
// constants, which are printed by digest only, in such a map.
using ConstantStore = absl::flat_hash_map<uint64_t, NDArray>;

// Maximum number of elements of a constant that is printed as `value=[…]`.
constexpr int kMaxPrintedElements = 16;

std::string ConstantToString(const ConstantAttrs& constant);

// Parses a constant of type `type`. `fields` has the same format as for
// ParseAttrs. Returns InvalidArgument if the constant is elided and `store` is
// null, and NotFound if `store` does not contain the constant.
absl::StatusOr<NDArray> ParseConstant(const TensorType& type,
                                      absl::Span<const FieldText> fields,
                                      const ConstantStore* store);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_CONSTANT_TEXT_H_
