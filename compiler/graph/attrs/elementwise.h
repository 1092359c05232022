// Attributes of elementwise operators (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_ELEMENTWISE_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_ELEMENTWISE_H_

#include <limits>

#include "compiler/graph/attrs/attr_field.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

// leaky_relu computes alpha * x if x < 0, otherwise x. elu computes
// alpha * (exp(x) - 1) if x < 0, otherwise x.
struct AlphaAttrs {
  float alpha = 0;

  static constexpr auto Fields() {
    return FieldList(Required("alpha", &AlphaAttrs::alpha));
  }
};

// hard_sigmoid computes alpha * x + beta, clamped to [0, 1].
struct LinearAttrs {
  float alpha = 0;
  float beta = 0;

  static constexpr auto Fields() {
    using A = LinearAttrs;
    return FieldList(Required("alpha", &A::alpha), Required("beta", &A::beta));
  }
};

// clip computes min(max(x, `min`), `max`). The result is `max` if `min` >
// `max`, as in ONNX.
struct ClipAttrs {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();

  static constexpr auto Fields() {
    using A = ClipAttrs;
    return FieldList(Optional("min", &A::min), Optional("max", &A::max));
  }
};

struct CastAttrs {
  DType dtype;

  static constexpr auto Fields() {
    return FieldList(Required("dtype", &CastAttrs::dtype));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_ELEMENTWISE_H_
