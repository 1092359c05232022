// Conv. The bias becomes an addition of its own, as the graph IR has it.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/window.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

using graph::OpKind;
using graph::TensorType;
using graph::Value;

absl::Status ImportConv(OpImport& op) {
  const TensorType& data = op.InputType(0);
  const TensorType& weights = op.InputType(1);
  if (data.rank() != 4 || weights.rank() != 4) {
    return Unsupported(
        "only convolution over two axes is supported, but the "
        "data is ",
        data.ToString(), " and the weights are ", weights.ToString());
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Window w,
      ReadWindow(op, /*has_dilations=*/true,
                 graph::Pair{weights.shape[2], weights.shape[3]}));
  graph::Conv2dAttrs attrs;
  attrs.strides = w.strides;
  attrs.padding = w.padding;
  attrs.dilations = w.dilations;
  ASSAY_ASSIGN_OR_RETURN(attrs.groups, op.attributes().Int("group", 1));
  const int64_t channels = data.shape[1];
  const int64_t filters = weights.shape[0];
  if (attrs.groups < 1 || channels % attrs.groups != 0 ||
      filters % attrs.groups != 0) {
    return Malformed("attribute `group` is ", attrs.groups,
                     ", which does not divide ", channels, " channels and ",
                     filters, " filters");
  }
  ASSAY_ASSIGN_OR_RETURN(
      Value y, op.Add(OpKind::kConv2d, attrs, {op.Input(0), op.Input(1)}));
  if (!op.HasInput(2)) return op.SetResult(y);
  if (op.InputType(2).shape != Shape{filters}) {
    return Malformed("the bias is ", op.InputType(2).ToString(), " but ",
                     filters, " values are needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Value bias,
                         op.AddReshape(op.Input(2), {filters, 1, 1}));
  return op.SetResult(op.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias}));
}

}  // namespace assay::frontend
