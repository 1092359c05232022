// Encoding: how the elements of a tensor are stored in memory.
//
// Storage is a property of a value, not of an operator: an operator is defined
// on the plain tensors, whatever their encodings are. The type of a value has
// an encoding (tensor_type.h), and an implementation of an operator says which
// encodings it reads and writes. A new encoding is a struct with a name, fields
// and Steps(), in a file of this folder, and an entry of the list below.
//
// Steps() returns the steps (encoding_step.h) that turn the plain array into
// the stored one, or InvalidArgument if tensors of this type cannot be stored
// in this way.
//
// The text of an encoding is its name with its fields. Fields with default
// values may be left out, and the name of an only field is.
//
//   blocks(16)      filters(in=16,out=16)      winograd(m=4,block=32)
#ifndef ASSAY_COMPILER_GRAPH_ENCODING_ENCODING_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_ENCODING_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/encoding/channel_blocks.h"
#include "compiler/graph/encoding/column_major.h"
#include "compiler/graph/encoding/encoding_step.h"
#include "compiler/graph/encoding/filter_blocks.h"
#include "compiler/graph/encoding/panels.h"
#include "compiler/graph/encoding/split_filters.h"
#include "compiler/graph/encoding/winograd_filters.h"

namespace assay::graph {

// Plain: the elements are stored in row-major order.
struct Plain {
  static constexpr char kName[] = "plain";
  static constexpr auto Fields() { return FieldList(); }
  absl::StatusOr<std::vector<EncodingStep>> Steps(const ArrayType&) const {
    return std::vector<EncodingStep>();
  }
};

using Encoding = std::variant<Plain, ChannelBlocks, FilterBlocks, SplitFilters,
                              WinogradFilters, Panels, ColumnMajor>;

inline bool IsPlain(const Encoding& encoding) {
  return std::holds_alternative<Plain>(encoding);
}

bool operator==(const Encoding& a, const Encoding& b);
inline bool operator!=(const Encoding& a, const Encoding& b) {
  return !(a == b);
}
uint64_t HashOf(const Encoding& encoding);

std::string ToString(const Encoding& encoding);
// The inverse of ToString(). Returns InvalidArgument, with the text, if it is
// not an encoding.
absl::StatusOr<Encoding> ParseEncoding(absl::string_view text);

absl::StatusOr<std::vector<EncodingStep>> StepsOf(const Encoding& encoding,
                                                  const ArrayType& plain);
// Returns the type of the stored array, or the error of StepsOf(). Returns
// InvalidArgument if the stored array would be too large (CheckedNumElements).
absl::StatusOr<ArrayType> StoredType(const Encoding& encoding,
                                     const ArrayType& plain);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_ENCODING_H_
