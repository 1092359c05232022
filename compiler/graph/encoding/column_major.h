#ifndef ASSAY_COMPILER_GRAPH_ENCODING_COLUMN_MAJOR_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_COLUMN_MAJOR_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/encoding/encoding_step.h"

namespace assay::graph {

// ColumnMajor: a matrix [rows,columns], stored as [columns,rows], so that the
// elements of a column are contiguous.
struct ColumnMajor {
  static constexpr char kName[] = "column_major";
  static constexpr auto Fields() { return FieldList(); }
  absl::StatusOr<std::vector<EncodingStep>> Steps(
      const ArrayType& plain) const {
    if (plain.shape.size() != 2) {
      return absl::InvalidArgumentError(absl::StrCat(
          ShapeToString(plain.shape), " is not the shape of a matrix"));
    }
    return std::vector<EncodingStep>{TransposeStep{{1, 0}}};
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_COLUMN_MAJOR_H_
