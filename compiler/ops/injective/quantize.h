// cast, quantize, dequantize and requantize.
#ifndef ASSAY_COMPILER_OPS_INJECTIVE_QUANTIZE_H_
#define ASSAY_COMPILER_OPS_INJECTIVE_QUANTIZE_H_

#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Floats become integers towards zero; integers wrap around.
te::Tensor Cast(const te::Tensor& x, DType dtype);

// `in` is the data, the scale and the zero point. Rounds half to even and
// saturates.
te::Tensor Quantize(graph::OpKind kind, const graph::QuantizeAttrs& attrs,
                    const std::vector<te::Tensor>& in);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INJECTIVE_QUANTIZE_H_
