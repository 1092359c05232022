#include "compiler/frontend/onnx/contrib/quantize.h"

namespace assay::frontend {

std::string AddDequantize(ContribOp& op, int x) {
  return op.builder().Node("DequantizeLinear",
                           {op.In(x), op.In(x + 1), op.In(x + 2)});
}

std::string AddQuantize(ContribOp& op, const std::string& y, int scale,
                        DType dtype) {
  NodeBuilder& b = op.builder();
  if (op.HasInput(scale + 1)) {
    return b.Node("QuantizeLinear", {y, op.In(scale), op.In(scale + 1)});
  }
  return b.Node("QuantizeLinear", {y, op.In(scale)})
      .Int("output_dtype", OnnxElementType(dtype));
}

}  // namespace assay::frontend
