// CombinesBoundedAxes: the operators of ONNX whose importers take account of
// extents that are known only when the model runs
// (GraphBuilder::combines_bounded_axes).
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_BOUNDED_AXES_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_BOUNDED_AXES_H_

#include "absl/strings/string_view.h"

namespace assay::frontend {

// Returns true if the importer of the operator `op_type` supports operands that
// are bounded along an axis whose elements it combines or reorders.
// compiler/docs/onnx.md lists these operators.
bool CombinesBoundedAxes(absl::string_view op_type);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_BOUNDED_AXES_H_
