// Attributes of quantization operators (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_QUANTIZATION_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_QUANTIZATION_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

// The attributes of quantize, dequantize and requantize.
struct QuantizeAttrs {
  // Axis along which the scale and the zero point vary, if they have more than
  // one element.
  int64_t axis = 1;
  DType dtype;  // element type of the result

  static constexpr auto Fields() {
    using A = QuantizeAttrs;
    return FieldList(Required("axis", &A::axis), Required("dtype", &A::dtype));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_QUANTIZATION_H_
