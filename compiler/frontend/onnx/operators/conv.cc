// Conv over one, two or three axes. The bias becomes a separate addition, as in
// the graph IR.
//
// The graph only has conv2d. One axis is treated as two axes of which the first
// has one element. The first of three axes is unrolled: the planes that a
// window reads along it become channels, adjacent in their group, of one conv2d
// over the other two.
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/products.h"
#include "compiler/frontend/onnx/operators/window.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Conv2dAttrs;
using graph::OpKind;
using graph::TensorType;
using graph::Value;

Conv2dAttrs LastAxes(const Window& w, int64_t groups) {
  Conv2dAttrs attrs;
  attrs.groups = groups;
  SetLastAxes(w, &attrs);
  return attrs;
}

Value Conv1d(Compose& c, Value x, Value w, const Window& window,
             int64_t groups) {
  const Shape data = x.type().shape;
  const int64_t filters = w.type().shape[0];
  const Value y = c.Node(OpKind::kConv2d, LastAxes(window, groups),
                         {WithUnitAxis(c, x), WithUnitAxis(c, w)});
  return c.Reshape(y, {data[0], filters, window.Extents(data)[0]});
}

Value Conv3d(Compose& c, Value x, Value w, const Window& window,
             int64_t groups) {
  const Shape in = x.type().shape, filter = w.type().shape;
  const Shape out = window.Extents(in);
  const int64_t depth = filter[2], each = in[1] / groups;
  x = c.Pad(c.Transpose(x, {0, 2, 1, 3, 4}), {0, window.before[0], 0, 0, 0},
            {0, window.after[0], 0, 0, 0});
  x = c.Reshape(x, {in[0], in[2] + window.before[0] + window.after[0], groups,
                    1, each, in[3] * in[4]});
  std::vector<Value> planes;
  for (int64_t k = 0; k < depth; ++k) {
    planes.push_back(
        c.Slice(x, 1, k * window.dilations[0], out[0], window.strides[0]));
  }
  x = c.Reshape(c.Concat(planes, 3),
                {in[0] * out[0], depth * in[1], in[3], in[4]});
  w = c.Reshape(c.Transpose(w, {0, 2, 1, 3, 4}),
                {filter[0], depth * each, filter[3], filter[4]});
  Value y = c.Node(OpKind::kConv2d, LastAxes(window, groups), {x, w});
  y = c.Reshape(y, {in[0], out[0], filter[0], out[1] * out[2]});
  return c.Reshape(c.Transpose(y, {0, 2, 1, 3}),
                   {in[0], filter[0], out[0], out[1], out[2]});
}

absl::Status CheckOperands(const TensorType& data, const TensorType& weights,
                           int64_t groups) {
  if (data.rank() < 3 || data.rank() > 5 || weights.rank() != data.rank()) {
    return Unsupported(
        "convolution over one to three axes is supported, but the data is ",
        data.ToString(), " and the weights are ", weights.ToString());
  }
  const int64_t channels = data.shape[1];
  const int64_t filters = weights.shape[0];
  if (groups < 1 || channels % groups != 0 || filters % groups != 0) {
    return Malformed("attribute `group` is ", groups,
                     ", which does not divide ", channels, " channels and ",
                     filters, " filters");
  }
  if (weights.shape[1] != channels / groups) {
    return Malformed("data has ", channels, " channels in ", groups,
                     " groups but weights expect ", weights.shape[1],
                     " per group");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Value> AddConv(OpImport& op, Value x, Value w) {
  const TensorType data = x.type(), weights = w.type();
  ASSAY_ASSIGN_OR_RETURN(const int64_t groups, op.attributes().Int("group", 1));
  ASSAY_RETURN_IF_ERROR(CheckOperands(data, weights, groups));
  ASSAY_ASSIGN_OR_RETURN(
      const Window window,
      ReadWindow(op, WindowOptions(),
                 Shape(weights.shape.begin() + 2, weights.shape.end())));
  const Shape extents = window.Extents(data.shape);
  for (const int64_t extent : extents) {
    if (extent >= 1) continue;
    return Malformed("the weights ", weights.ToString(),
                     " do not fit in the data ", data.ToString(),
                     " with its padding");
  }
  if (window.axes() == 3) {
    ASSAY_RETURN_IF_ERROR(CheckUnrolled(window.kernel[0], "planes of weights"));
  }
  if (window.axes() == 2) {
    return op.Add(OpKind::kConv2d, LastAxes(window, groups), {x, w});
  }
  Compose c(op);
  const Value y = window.axes() == 1 ? Conv1d(c, x, w, window, groups)
                                     : Conv3d(c, x, w, window, groups);
  if (!c.status().ok()) return c.status();
  return y;
}

absl::StatusOr<Value> AddChannelBias(OpImport& op, Value y, Value bias) {
  const int64_t channels = y.type().shape[1];
  if (bias.type().shape != Shape{channels}) {
    return Malformed("the bias is ", bias.type().ToString(), " but ", channels,
                     " values are needed");
  }
  Shape shape(y.type().shape.size() - 1, 1);
  shape[0] = channels;
  ASSAY_ASSIGN_OR_RETURN(bias, op.AddReshape(bias, shape));
  return op.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
}

namespace {

absl::Status ImportConv(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(Value y, AddConv(op, op.Input(0), op.Input(1)));
  Compose c(op);
  if (op.HasInput(2)) {
    const Value bias = c.Cast(op.Input(2), y.type().dtype);
    y = c.Take(AddChannelBias(op, y, bias));
  }
  // Sums of 16-bit floats are computed in float32.
  return c.Finish({c.Cast(y, op.InputType(0).dtype)});
}

constexpr OperatorRow kOperators[] = {
    {"Conv", 1, 22, 2, 3, 1, ImportConv},
};

}  // namespace

absl::Span<const OperatorRow> ConvOperators() { return kOperators; }

}  // namespace assay::frontend
