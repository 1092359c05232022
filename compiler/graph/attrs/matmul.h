// Attributes of matrix products (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_MATMUL_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_MATMUL_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct PackedDenseAttrs {
  // Number of columns of the result. The packed weights consist of panels, that
  // is, of groups of adjacent columns (pack_dense.h). All panels together may
  // have more columns than the result; the additional columns are padding.
  int64_t units = 0;

  static constexpr auto Fields() {
    return FieldList(Required("units", &PackedDenseAttrs::units));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_MATMUL_H_
