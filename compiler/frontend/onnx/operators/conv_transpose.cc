// ConvTranspose over one, two or three axes. The bias becomes a separate
// addition.
//
// The graph only has conv2d_transpose. One axis is treated as two axes of which
// the first has one element. The first of three axes is unrolled: with stride -
// 1 planes of zeros inserted between the planes of the data, plane o of the
// result is the sum over the taps k of plane o + before - k * dilation,
// transposed over the other axes with the weights of tap k. All these planes
// become channels, adjacent in their group, of one conv2d_transpose.
#include <algorithm>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/products.h"
#include "compiler/frontend/onnx/operators/window.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Conv2dTransposeAttrs;
using graph::OpKind;
using graph::TensorType;
using graph::Value;
using Ints = std::vector<int64_t>;

struct Spread {
  Window window;        // padding may be negative
  Ints output_padding;  // more elements at the end
  int64_t groups = 1;

  // The extent of the result without padding.
  int64_t Whole(const Shape& data, size_t axis) const {
    return (data[axis + 2] - 1) * window.strides[axis] + window.reach(axis) +
           output_padding[axis];
  }
  int64_t Extent(const Shape& data, size_t axis) const {
    return Whole(data, axis) - window.before[axis] - window.after[axis];
  }
};

// How an explicit `output_shape` or SAME distributes the padding.
enum class Halves : uint8_t { kEnd, kUpper, kLower };

// The padding for a result of extent `wanted`. The larger half of an odd sum is
// at the end for SAME_UPPER, otherwise at the beginning. The sum is negative if
// the windows leave gaps, such as those of a kernel that is smaller than its
// stride: the result is then extended by zeros, for SAME at both ends as the
// formula of the specification says, and otherwise at the end.
void PadTo(const Shape& data, const Ints& wanted, Halves halves, Spread* s) {
  for (size_t d = 0; d < wanted.size(); ++d) {
    const int64_t total = s->Whole(data, d) - wanted[d];
    const int64_t less = (total - (total < 0 && total % 2 != 0 ? 1 : 0)) / 2;
    int64_t before = halves == Halves::kUpper ? less : total - less;
    if (halves == Halves::kEnd) before = std::max<int64_t>(before, 0);
    s->window.before[d] = before;
    s->window.after[d] = total - before;
  }
}

absl::Status ReadPadding(OpImport& op, Spread* s) {
  const Shape& data = op.InputType(0).shape;
  const size_t axes = s->window.axes();
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("auto_pad", "NOTSET"));
  const Ints none(2 * axes, 0);
  ASSAY_ASSIGN_OR_RETURN(const Ints pads, ReadNumbers(op, "pads", none, 0));
  ASSAY_ASSIGN_OR_RETURN(const auto shape,
                         op.attributes().OptionalInts("output_shape"));
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  const Halves halves = mode == "SAME_UPPER"   ? Halves::kUpper
                        : mode == "SAME_LOWER" ? Halves::kLower
                                               : Halves::kEnd;
  if (!same && mode != "NOTSET" && mode != "VALID") {
    return Malformed("attribute `auto_pad` is ", Quote(mode),
                     " but NOTSET, SAME_UPPER, SAME_LOWER or VALID is needed");
  }
  if (mode != "NOTSET" && pads != none) {
    return Malformed("attribute `pads` is ", ShapeToString(pads),
                     " although `auto_pad` is ", Quote(mode));
  }
  s->window.before.assign(pads.begin(), pads.begin() + axes);
  s->window.after.assign(pads.begin() + axes, pads.end());
  if (shape.has_value()) {
    // Some exporters write all extents, others only the spatial ones.
    const bool all = shape->size() == axes + 2;
    if (!all && shape->size() != axes) {
      return Malformed("attribute `output_shape` is ", ShapeToString(*shape),
                       " but ", axes, " numbers are needed");
    }
    const Ints wanted(shape->end() - axes, shape->end());
    ASSAY_RETURN_IF_ERROR(CheckedNumElements(wanted).status());
    PadTo(data, wanted, halves, s);
  } else if (same) {
    Ints wanted;
    for (size_t d = 0; d < axes; ++d) {
      wanted.push_back(data[d + 2] * s->window.strides[d]);
    }
    PadTo(data, wanted, halves, s);
  }
  return absl::OkStatus();
}

absl::StatusOr<Spread> ReadSpread(OpImport& op) {
  const TensorType &data = op.InputType(0), &weights = op.InputType(1);
  if (data.rank() < 3 || data.rank() > 5 || weights.rank() != data.rank()) {
    return Unsupported(
        "transposed convolution over one to three axes is supported, but the "
        "data is ",
        data.ToString(), " and the weights are ", weights.ToString());
  }
  Spread s;
  const Shape kernel(weights.shape.begin() + 2, weights.shape.end());
  const Ints ones(kernel.size(), 1), none(kernel.size(), 0);
  ASSAY_ASSIGN_OR_RETURN(s.window.kernel, ReadKernel(op, kernel));
  ASSAY_ASSIGN_OR_RETURN(s.window.strides, ReadNumbers(op, "strides", ones, 1));
  ASSAY_ASSIGN_OR_RETURN(s.window.dilations,
                         ReadNumbers(op, "dilations", ones, 1));
  ASSAY_ASSIGN_OR_RETURN(s.output_padding,
                         ReadNumbers(op, "output_padding", none, 0));
  ASSAY_ASSIGN_OR_RETURN(s.groups, op.attributes().Int("group", 1));
  if (s.groups < 1 || data.shape[1] % s.groups != 0 ||
      weights.shape[0] != data.shape[1]) {
    return Malformed("the weights are ", weights.ToString(), " for the data ",
                     data.ToString(), " in ", s.groups, " groups");
  }
  if (kernel.size() == 3) {
    ASSAY_RETURN_IF_ERROR(CheckUnrolled(kernel[0], "planes of weights"));
  }
  ASSAY_RETURN_IF_ERROR(ReadPadding(op, &s));
  for (size_t d = 0; d < kernel.size(); ++d) {
    if (s.Extent(data.shape, d) >= 1) continue;
    return Malformed("the padding leaves nothing of the result on axis ",
                     d + 2);
  }
  return s;
}

// Transposed convolution over the last two axes, or the only one, without
// negative padding.
Conv2dTransposeAttrs LastAxes(const Spread& s) {
  Conv2dTransposeAttrs attrs;
  attrs.groups = s.groups;
  SetLastAxes(s.window, &attrs);
  for (int64_t& padding : attrs.padding) {
    padding = std::max<int64_t>(padding, 0);
  }
  const size_t axes = s.output_padding.size();
  attrs.output_padding[1] = s.output_padding[axes - 1];
  if (axes > 1) attrs.output_padding[0] = s.output_padding[axes - 2];
  return attrs;
}

// The first of three axes is unrolled: its planes for each tap are channels.
Value UnrollPlanes(Compose& c, Value x, const Spread& s, int64_t planes) {
  const Shape in = x.type().shape;
  const int64_t stride = s.window.strides[0], each = in[1] / s.groups;
  const int64_t spread = (in[2] - 1) * stride + 1;
  const int64_t before = std::max<int64_t>(s.window.before[0], 0);
  x = c.Reshape(c.Transpose(x, {0, 2, 1, 3, 4}),
                {in[0], in[2], 1, s.groups, 1, each, in[3] * in[4]});
  x = c.Pad(x, Ints(7, 0), {0, 0, stride - 1, 0, 0, 0, 0});
  x = c.Reshape(x, {in[0], in[2] * stride, s.groups, 1, each, in[3] * in[4]});
  x = c.Slice(x, 1, 0, spread);
  const int64_t left = std::max<int64_t>(s.window.reach(0) - 1 - before, 0);
  const int64_t right = std::max<int64_t>(before + planes - spread, 0);
  x = c.Pad(x, {0, left, 0, 0, 0, 0}, {0, right, 0, 0, 0, 0});
  std::vector<Value> taps;
  for (int64_t k = 0; k < s.window.kernel[0]; ++k) {
    taps.push_back(
        c.Slice(x, 1, left + before - k * s.window.dilations[0], planes));
  }
  return c.Reshape(c.Concat(taps, 3),
                   {in[0] * planes, s.window.kernel[0] * in[1], in[3], in[4]});
}

Value Transposed3d(Compose& c, Value x, Value w, const Spread& s) {
  const Shape in = x.type().shape, filter = w.type().shape;
  const int64_t each = in[1] / s.groups, filters = filter[1] * s.groups;
  Shape out;
  for (size_t d = 0; d < 3; ++d) {
    out.push_back(s.Whole(in, d) - std::max<int64_t>(s.window.before[d], 0) -
                  std::max<int64_t>(s.window.after[d], 0));
  }
  x = UnrollPlanes(c, x, s, out[0]);
  w = c.Reshape(w,
                {s.groups, each, filter[1], filter[2], filter[3] * filter[4]});
  w = c.Reshape(c.Transpose(w, {0, 3, 1, 2, 4}),
                {filter[2] * filter[0], filter[1], filter[3], filter[4]});
  Value y = c.Node(OpKind::kConv2dTranspose, LastAxes(s), {x, w});
  y = c.Reshape(y, {in[0], out[0], filters, out[1] * out[2]});
  return c.Reshape(c.Transpose(y, {0, 2, 1, 3}),
                   {in[0], filters, out[0], out[1], out[2]});
}

Value Transposed1d(Compose& c, Value x, Value w, const Spread& s) {
  const Shape in = x.type().shape;
  const int64_t filters = w.type().shape[1] * s.groups;
  const int64_t extent = s.Whole(in, 0) -
                         std::max<int64_t>(s.window.before[0], 0) -
                         std::max<int64_t>(s.window.after[0], 0);
  const Value y = c.Node(OpKind::kConv2dTranspose, LastAxes(s),
                         {WithUnitAxis(c, x), WithUnitAxis(c, w)});
  return c.Reshape(y, {in[0], filters, extent});
}

absl::Status ImportConvTranspose(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Spread s, ReadSpread(op));
  Compose c(op);
  const DType dtype = op.InputType(0).dtype;
  const Value x = c.Cast(op.Input(0), SumType(dtype));
  const Value w = c.Cast(op.Input(1), SumType(dtype));
  Value y;
  switch (s.window.axes()) {
    case 1:
      y = Transposed1d(c, x, w, s);
      break;
    case 2:
      y = c.Node(OpKind::kConv2dTranspose, LastAxes(s), {x, w});
      break;
    default:
      y = Transposed3d(c, x, w, s);
  }
  Ints before(2, 0), after(2, 0);
  for (size_t d = 0; d < s.window.axes(); ++d) {
    before.push_back(std::max<int64_t>(-s.window.before[d], 0));
    after.push_back(std::max<int64_t>(-s.window.after[d], 0));
  }
  y = c.Pad(y, before, after);
  if (op.HasInput(2) && c.status().ok()) {
    y = c.Take(AddChannelBias(op, y, c.Cast(op.Input(2), SumType(dtype))));
  }
  return c.Finish({c.Cast(y, dtype)});
}

constexpr OperatorRow kOperators[] = {
    {"ConvTranspose", 1, 22, 2, 3, 1, ImportConvTranspose},
};

}  // namespace

absl::Span<const OperatorRow> ConvTransposeOperators() { return kOperators; }

}  // namespace assay::frontend
