// HannWindow, HammingWindow and BlackmanWindow of a constant size.
#include <cmath>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "compiler/frontend/onnx/type_reader.h"
#include "compiler/graph/reference/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// a0 - a1 cos(t) + a2 cos(2 t), where t goes once around the circle.
struct Cosines {
  double a0, a1, a2;
};

absl::Status Window(OpImport& op, const Cosines& cosines) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t size,
                         ConstantInteger(op.Input(0), "input 0 (size)"));
  ASSAY_ASSIGN_OR_RETURN(const int64_t code,
                         op.attributes().Int("output_datatype", 1));
  ASSAY_ASSIGN_OR_RETURN(const bool periodic,
                         op.attributes().Flag("periodic", true));
  graph::TensorType type;
  ASSAY_ASSIGN_OR_RETURN(type.dtype,
                         ElementType(code, "attribute `output_datatype`"));
  if (!type.dtype.is_float() || size < 0) {
    return Unsupported("a window of ", size, " elements of ",
                       type.dtype.ToString(), " is not supported");
  }
  type.shape = {size};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray window(type.dtype, type.shape);
  const auto period = static_cast<double>(periodic ? size : size - 1);
  for (int64_t i = 0; i < size; ++i) {
    const double t = 2 * M_PI * static_cast<double>(i) / period;
    graph::reference::StoreFloat(
        window, i,
        cosines.a0 - cosines.a1 * std::cos(t) + cosines.a2 * std::cos(2 * t));
  }
  return op.SetResult(op.AddConstant(std::move(window)));
}

}  // namespace

absl::Status ImportHannWindow(OpImport& op) {
  return Window(op, {0.5, 0.5, 0});
}

absl::Status ImportHammingWindow(OpImport& op) {
  return Window(op, {25.0 / 46, 21.0 / 46, 0});
}

absl::Status ImportBlackmanWindow(OpImport& op) {
  return Window(op, {0.42, 0.5, 0.08});
}

}  // namespace assay::frontend
