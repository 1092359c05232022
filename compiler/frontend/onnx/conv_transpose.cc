// ConvTranspose over two axes. The bias becomes an addition of its own.
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Conv2dTransposeAttrs;
using graph::OpKind;
using graph::Pair;
using graph::Value;

absl::StatusOr<Pair> ReadPair(OpImport& op, const char* name, Pair absent) {
  ASSAY_ASSIGN_OR_RETURN(const auto given, op.attributes().OptionalInts(name));
  if (!given.has_value()) return absent;
  if (given->size() != 2) {
    return Malformed("attribute `", name, "` is ", ShapeToString(*given),
                     " but 2 numbers are needed");
  }
  return Pair{(*given)[0], (*given)[1]};
}

// The padding that makes the result `wanted` long; of an odd sum the larger
// half stands at the end, or for `lower` at the beginning.
absl::Status PadTo(Conv2dTransposeAttrs& attrs, const graph::TensorType& data,
                   const graph::TensorType& weights, Pair wanted, bool lower) {
  for (int d = 0; d < 2; ++d) {
    const int64_t reach = (weights.shape[d + 2] - 1) * attrs.dilations[d] + 1;
    const int64_t whole = (data.shape[d + 2] - 1) * attrs.strides[d] + reach +
                          attrs.output_padding[d];
    const int64_t total = whole - wanted[d];
    if (total < 0) {
      return Unsupported("the result would have at most ", whole,
                         " elements on axis ", d + 2, ", not ", wanted[d]);
    }
    attrs.padding[d] = lower ? total - total / 2 : total / 2;
    attrs.padding[d + 2] = total - attrs.padding[d];
  }
  return absl::OkStatus();
}

absl::Status ReadPadding(OpImport& op, Conv2dTransposeAttrs& attrs) {
  const graph::TensorType &data = op.InputType(0), &weights = op.InputType(1);
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("auto_pad", "NOTSET"));
  ASSAY_ASSIGN_OR_RETURN(const auto pads, op.attributes().OptionalInts("pads"));
  ASSAY_ASSIGN_OR_RETURN(const auto shape,
                         op.attributes().OptionalInts("output_shape"));
  const bool lower = mode == "SAME_LOWER";
  const bool same = lower || mode == "SAME_UPPER";
  if (!same && mode != "NOTSET" && mode != "VALID") {
    return Malformed("attribute `auto_pad` is ", Quote(mode),
                     " but NOTSET, SAME_UPPER, SAME_LOWER or VALID is needed");
  }
  if (shape.has_value()) {
    if (shape->size() != 2) {
      return Malformed("attribute `output_shape` is ", ShapeToString(*shape),
                       " but 2 numbers are needed");
    }
    return PadTo(attrs, data, weights, {(*shape)[0], (*shape)[1]}, lower);
  }
  if (same) {
    return PadTo(
        attrs, data, weights,
        {data.shape[2] * attrs.strides[0], data.shape[3] * attrs.strides[1]},
        lower);
  }
  if (!pads.has_value()) return absl::OkStatus();
  if (pads->size() != 4) {
    return Malformed("attribute `pads` is ", ShapeToString(*pads),
                     " but 4 numbers are needed");
  }
  if (mode == "VALID" && *pads != std::vector<int64_t>(4, 0)) {
    return Malformed("attribute `pads` is ", ShapeToString(*pads),
                     " although `auto_pad` is `VALID`");
  }
  for (int d = 0; d < 4; ++d) attrs.padding[d] = (*pads)[d];
  return absl::OkStatus();
}

}  // namespace

absl::Status ImportConvTranspose(OpImport& op) {
  const graph::TensorType &data = op.InputType(0), &weights = op.InputType(1);
  if (data.rank() != 4 || weights.rank() != 4) {
    return Unsupported(
        "only transposed convolution over two axes is supported, but the data "
        "is ",
        data.ToString(), " and the weights are ", weights.ToString());
  }
  Conv2dTransposeAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.strides, ReadPair(op, "strides", {1, 1}));
  ASSAY_ASSIGN_OR_RETURN(attrs.dilations, ReadPair(op, "dilations", {1, 1}));
  ASSAY_ASSIGN_OR_RETURN(attrs.output_padding,
                         ReadPair(op, "output_padding", {0, 0}));
  ASSAY_ASSIGN_OR_RETURN(attrs.groups, op.attributes().Int("group", 1));
  const Pair window = {weights.shape[2], weights.shape[3]};
  ASSAY_ASSIGN_OR_RETURN(const Pair kernel,
                         ReadPair(op, "kernel_shape", window));
  if (kernel != window) {
    return Malformed("attribute `kernel_shape` is ", ShapeToString(kernel),
                     " but the weights are for ", ShapeToString(window));
  }
  ASSAY_RETURN_IF_ERROR(ReadPadding(op, attrs));
  ASSAY_ASSIGN_OR_RETURN(Value y, op.Add(OpKind::kConv2dTranspose, attrs,
                                         {op.Input(0), op.Input(1)}));
  if (!op.HasInput(2)) return op.SetResult(y);
  const int64_t filters = y.type().shape[1];
  if (op.InputType(2).shape != Shape{filters}) {
    return Malformed("the bias is ", op.InputType(2).ToString(), " but ",
                     filters, " values are needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Value bias,
                         op.AddReshape(op.Input(2), {filters, 1, 1}));
  return op.SetResult(op.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias}));
}

}  // namespace assay::frontend
