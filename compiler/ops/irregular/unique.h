// Which elements there are: non_zero and unique (compiler/docs/graph_ir.md has
// the definitions).
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_UNIQUE_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_UNIQUE_H_

#include <string>

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The first of two outputs of one operation: int64[rank,n], the indices of the
// elements of `x` that are not 0, zeros beyond the last; and int64[], how many
// there are. One walk over the elements, in order.
te::Tensor NonZero(const te::Tensor& x, const std::string& name = "non_zero");

// The first of four outputs of one operation, all int64: of each different row
// where it occurs first, [n]; for each row which one it is, [n]; how often each
// occurs, [n]; and how many there are, []. Rows are the indices along the axis;
// they are sorted, so that equal ones are neighbours.
te::Tensor Unique(const te::Tensor& x, const graph::UniqueAttrs& attrs,
                  const std::string& name = "unique");

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_UNIQUE_H_
