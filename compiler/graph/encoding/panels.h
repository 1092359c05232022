#ifndef ASSAY_COMPILER_GRAPH_ENCODING_PANELS_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_PANELS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/encoding/encoding_step.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

// Panels: the second factor of a matrix product, in the order in which a
// blocked product reads it. A panel is a group of `width` adjacent columns. The
// panels are stored one after the other, each row by row. Rows beyond those of
// the matrix, up to `depth`, and columns beyond those of the matrix are 0.
//   - The matrix is stored as [panels,depth,width].
//   - With factors > 1, for integers: as [panels,depth/factors,width,factors],
//     so that a vector holds `factors` neighbours of each column. `dtype` is
//     the type of the stored integers; float32 stands for that of the plain
//     ones.
//   - With split, for float32: as [panels,depth/32,2,16,width,2], tiles of a
//     matrix unit that multiplies bfloat16. The third axis has the two parts of
//     a number (SplitStep).
// The plain matrix is [rows,columns], as for `matmul`, or, if `transposed`,
// [columns,rows], as for `dense`.
struct Panels {
  int64_t width = 0;
  int64_t depth = 0;
  int64_t factors = 1;
  DType dtype = DType();
  bool split = false;
  bool transposed = false;

  static constexpr char kName[] = "panels";
  static constexpr auto Fields() {
    using E = Panels;
    return FieldList(Required("width", &E::width), Required("depth", &E::depth),
                     Optional("factors", &E::factors),
                     Optional("dtype", &E::dtype), Optional("split", &E::split),
                     Optional("transposed", &E::transposed));
  }
  absl::StatusOr<std::vector<EncodingStep>> Steps(const ArrayType& plain) const;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_PANELS_H_
