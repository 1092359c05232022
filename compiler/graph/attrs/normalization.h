// Attributes of normalizations (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_NORMALIZATION_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_NORMALIZATION_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct BatchNormAttrs {
  float epsilon = 1e-5f;

  static constexpr auto Fields() {
    return FieldList(Required("epsilon", &BatchNormAttrs::epsilon));
  }
};

// Attributes of softmax and log_softmax.
struct SoftmaxAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return FieldList(Required("axis", &SoftmaxAttrs::axis));
  }
};

struct LayerNormAttrs {
  int64_t axis = 0;  // this axis and all later axes are normalized
  float epsilon = 1e-5f;

  static constexpr auto Fields() {
    using A = LayerNormAttrs;
    return FieldList(Required("axis", &A::axis),
                     Required("epsilon", &A::epsilon));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_NORMALIZATION_H_
