#include <cmath>

#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Rounds half to even and saturates.
int64_t Saturated(float value, int64_t zero_point, DType dtype) {
  const int64_t low = dtype.is_int() ? -128 : 0;
  const int64_t high = dtype.is_int() ? 127 : 255;
  const double rounded = std::nearbyint(static_cast<double>(value));
  const double shifted = rounded + static_cast<double>(zero_point);
  if (!(shifted > static_cast<double>(low))) return low;
  return shifted < static_cast<double>(high) ? static_cast<int64_t>(shifted)
                                             : high;
}

}  // namespace

Result Quantize(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<QuantizeAttrs>();
  const OpKind kind = node.kind();
  const NDArray &x = in[0], &scale = in[1], &zero_point = in[2];
  NDArray result(attrs.dtype, x.shape());
  int64_t inner = 1;
  for (size_t d = attrs.axis + 1; d < x.shape().size(); ++d) {
    inner *= x.shape()[d];
  }
  const auto at = [&](const NDArray& parameter, int64_t i) {
    const int64_t n = parameter.num_elements();
    return n == 1 ? 0 : i / inner % n;
  };
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const float s = scale.data<float>()[at(scale, i)];
    const int64_t z = LoadInt(zero_point, at(zero_point, i));
    if (kind == OpKind::kDequantize) {
      StoreFloat(result, i, static_cast<float>(LoadInt(x, i) - z) * s);
    } else if (kind == OpKind::kQuantize) {
      const float value = x.data<float>()[i] / s;
      StoreInt(result, i, Saturated(value, z, attrs.dtype));
    } else {
      const float value = static_cast<float>(LoadInt(x, i)) * s;
      StoreInt(result, i, Saturated(value, z, attrs.dtype));
    }
  }
  return result;
}

}  // namespace assay::graph::reference
