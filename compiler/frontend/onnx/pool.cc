// MaxPool, AveragePool and the global pools, over two axes.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/window.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

absl::Status ExpectImages(const OpImport& op) {
  if (op.InputType(0).rank() == 4) return absl::OkStatus();
  return Unsupported(
      "only pooling over two axes is supported, but the data "
      "is ",
      op.InputType(0).ToString());
}

// What MaxPool and AveragePool share; they have got ceil_mode and dilations in
// different opsets.
absl::StatusOr<graph::Pool2dAttrs> ReadPool(OpImport& op, bool has_dilations) {
  ASSAY_ASSIGN_OR_RETURN(const Window w,
                         ReadWindow(op, has_dilations, std::nullopt));
  graph::Pool2dAttrs attrs;
  attrs.kernel = w.kernel;
  attrs.strides = w.strides;
  attrs.padding = w.padding;
  attrs.dilations = w.dilations;
  if (op.opset() >= 10) {
    ASSAY_ASSIGN_OR_RETURN(attrs.ceil_mode,
                           op.attributes().Flag("ceil_mode", false));
  }
  if (attrs.ceil_mode && w.valid) {
    return Unsupported(
        "attribute `ceil_mode` is 1 and `auto_pad` VALID, "
        "which implementations understand differently");
  }
  // SAME already fixes the extent, rounded up.
  if (w.same) attrs.ceil_mode = false;
  return attrs;
}

}  // namespace

absl::Status ImportMaxPool(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(ExpectImages(op));
  ASSAY_ASSIGN_OR_RETURN(const graph::Pool2dAttrs attrs,
                         ReadPool(op, /*has_dilations=*/op.opset() >= 10));
  if (op.opset() >= 8) {
    // The order in which indices count elements; there are none here.
    ASSAY_RETURN_IF_ERROR(
        op.attributes().Flag("storage_order", false).status());
  }
  return op.SetResult(op.Add(graph::OpKind::kMaxPool2d, attrs, {op.Input(0)}));
}

absl::Status ImportAveragePool(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(ExpectImages(op));
  ASSAY_ASSIGN_OR_RETURN(graph::Pool2dAttrs attrs,
                         ReadPool(op, /*has_dilations=*/op.opset() >= 19));
  ASSAY_ASSIGN_OR_RETURN(attrs.count_include_pad,
                         op.attributes().Flag("count_include_pad", false));
  return op.SetResult(op.Add(graph::OpKind::kAvgPool2d, attrs, {op.Input(0)}));
}

absl::Status ImportGlobalAveragePool(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(ExpectImages(op));
  return op.SetResult(op.Add(graph::OpKind::kGlobalAvgPool2d,
                             graph::GlobalPool2dAttrs(), {op.Input(0)}));
}

absl::Status ImportGlobalMaxPool(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(ExpectImages(op));
  return op.SetResult(op.Add(graph::OpKind::kGlobalMaxPool2d,
                             graph::GlobalPool2dAttrs(), {op.Input(0)}));
}

}  // namespace assay::frontend
