// Encode and Decode: convert arrays between the plain form and the stored form
// of an encoding (encoding.h).
#ifndef ASSAY_COMPILER_GRAPH_ENCODING_ENCODE_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_ENCODE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/encoding/encoding.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// Returns a copy of `x` with permuted axes: axis i of the result is axis
// perm[i] of `x`.
NDArray Permute(const NDArray& x, absl::Span<const int64_t> perm);

// Returns the stored form of `plain`, or InvalidArgument if an array of its
// type cannot be stored in this way.
absl::StatusOr<NDArray> Encode(const NDArray& plain, const Encoding& encoding);

// The inverse of Encode(): returns the array of type `plain` whose stored form
// is `stored`. Elements that padding added are ignored. Numbers that are stored
// rounded are restored up to this rounding. Returns InvalidArgument if `stored`
// does not have the type of the stored form.
absl::StatusOr<NDArray> Decode(const NDArray& stored, const Encoding& encoding,
                               const ArrayType& plain);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_ENCODE_H_
