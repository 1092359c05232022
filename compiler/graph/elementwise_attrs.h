// The attribute structs of elementwise operators (attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ELEMENTWISE_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_ELEMENTWISE_ATTRS_H_

#include <limits>
#include <tuple>

#include "compiler/graph/attr_field.h"

namespace assay::graph {

// leaky_relu: alpha * x below 0. elu: alpha * (exp(x) - 1) below 0.
struct AlphaAttrs {
  float alpha = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("alpha", &AlphaAttrs::alpha));
  }
};

// hard_sigmoid: alpha * x + beta between 0 and 1.
struct LinearAttrs {
  float alpha = 0;
  float beta = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("alpha", &LinearAttrs::alpha),
                           Required("beta", &LinearAttrs::beta));
  }
};

// clip: max where min > max, as ONNX has it.
struct ClipAttrs {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();

  static constexpr auto Fields() {
    return std::make_tuple(Optional("min", &ClipAttrs::min),
                           Optional("max", &ClipAttrs::max));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ELEMENTWISE_ATTRS_H_
