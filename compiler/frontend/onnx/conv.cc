// Conv. The bias becomes an addition of its own, as the graph IR has it.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/products.h"
#include "compiler/frontend/onnx/window.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

using graph::OpKind;
using graph::TensorType;
using graph::Value;

absl::StatusOr<Value> AddConv(OpImport& op, Value x, Value w) {
  const TensorType& data = x.type();
  const TensorType& weights = w.type();
  if (data.rank() != 4 || weights.rank() != 4) {
    return Unsupported(
        "only convolution over two axes is supported, but the "
        "data is ",
        data.ToString(), " and the weights are ", weights.ToString());
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Window window,
      ReadWindow(op, /*has_dilations=*/true,
                 graph::Pair{weights.shape[2], weights.shape[3]}));
  graph::Conv2dAttrs attrs;
  attrs.strides = window.strides;
  attrs.padding = window.padding;
  attrs.dilations = window.dilations;
  ASSAY_ASSIGN_OR_RETURN(attrs.groups, op.attributes().Int("group", 1));
  const int64_t channels = data.shape[1];
  const int64_t filters = weights.shape[0];
  if (attrs.groups < 1 || channels % attrs.groups != 0 ||
      filters % attrs.groups != 0) {
    return Malformed("attribute `group` is ", attrs.groups,
                     ", which does not divide ", channels, " channels and ",
                     filters, " filters");
  }
  return op.Add(OpKind::kConv2d, attrs, {x, w});
}

absl::StatusOr<Value> AddChannelBias(OpImport& op, Value y, Value bias) {
  const int64_t channels = y.type().shape[1];
  if (bias.type().shape != Shape{channels}) {
    return Malformed("the bias is ", bias.type().ToString(), " but ", channels,
                     " values are needed");
  }
  ASSAY_ASSIGN_OR_RETURN(bias, op.AddReshape(bias, {channels, 1, 1}));
  return op.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
}

absl::Status ImportConv(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value y, AddConv(op, op.Input(0), op.Input(1)));
  if (!op.HasInput(2)) return op.SetResult(y);
  return op.SetResult(AddChannelBias(op, y, op.Input(2)));
}

}  // namespace assay::frontend
