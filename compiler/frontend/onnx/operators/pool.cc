// Pooling over any number of axes.
//
// The graph has max_pool2d and avg_pool2d. Maximum and mean are separable,
// since a window is a box: the last two axes are pooled together and each other
// axis separately, with the axes before it and after it fused.
#include <algorithm>
#include <functional>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/pool_windows.h"
#include "compiler/frontend/onnx/operators/window.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Pool2dAttrs;
using graph::TensorType;
using graph::Value;
using Ints = std::vector<int64_t>;

int64_t Product(const Shape& shape, size_t first, size_t last) {
  return NumElements(absl::MakeConstSpan(shape).subspan(first, last - first));
}

// x of float32.
Value Pool(Compose& c, OpKind kind, Value x, const Window& w,
           bool count_include_pad) {
  Shape shape = x.type().shape;
  const Ints extents = w.Extents(shape);
  size_t left = w.axes();
  while (left > 0) {
    Pool2dAttrs attrs;
    attrs.ceil_mode = w.ceil;
    attrs.count_include_pad = count_include_pad;
    const size_t axis = left + 1;  // of x
    if (left == w.axes() && left >= 2) {
      // The last two.
      SetLastAxes(w, &attrs);
      attrs.kernel = {w.kernel[left - 2], w.kernel[left - 1]};
      x = c.Reshape(x, {shape[0], Product(shape, 1, axis - 1), shape[axis - 1],
                        shape[axis]});
      shape[axis - 1] = extents[left - 2];
      shape[axis] = extents[left - 1];
      left -= 2;
    } else {
      // The last axis is pooled as a row, any other as a column.
      const bool last = axis + 1 == shape.size();
      SetAxis(w, left - 1, last ? 1 : 0, &attrs);
      attrs.kernel[last ? 1 : 0] = w.kernel[left - 1];
      const int64_t behind = Product(shape, axis + 1, shape.size());
      x = c.Reshape(x, {1, Product(shape, 0, axis), last ? 1 : shape[axis],
                        last ? shape[axis] : behind});
      shape[axis] = extents[left - 1];
      left -= 1;
    }
    x = c.Reshape(c.Node(kind, attrs, {x}), shape);
  }
  return x;
}

absl::Status ExpectExtents(const OpImport& op, const Window& w) {
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(w.kernel).status());
  for (const int64_t extent : w.Extents(op.InputType(0).shape)) {
    if (extent >= 1) continue;
    return Malformed("the window ", ShapeToString(w.kernel),
                     " does not fit in the data ", op.InputType(0).ToString());
  }
  return absl::OkStatus();
}

// The spatial axes.
Ints Spatial(const OpImport& op) {
  return AxesBetween(2, op.InputType(0).rank());
}

absl::Status GlobalPool(OpImport& op, OpKind kind2d, OpKind reduce) {
  const TensorType type = op.InputType(0);
  if (type.rank() == 4 && type.dtype == DType::Float32()) {
    return op.SetResult(op.Add(kind2d, graph::NoAttrs(), {op.Input(0)}));
  }
  Compose c(op);
  const Value x = c.Cast(op.Input(0), SumType(type.dtype));
  return c.Finish({c.Cast(c.Reduce(reduce, x, Spatial(op)), type.dtype)});
}

// Types that float32 represents exactly are pooled in float32.
bool FitsFloat32(DType dtype) {
  return dtype.bits() < 32 || dtype == DType::Float32();
}

// Lp pooling: the p-th root of the sum of |x|^p.
Value AbsolutePower(Compose& c, Value x, int64_t p, DType dtype) {
  if (p == 2) return c.Multiply(x, x);
  const Value y = c.Unary(OpKind::kAbs, x);
  return p == 1 ? y : c.Power(y, c.Scalar(dtype, static_cast<double>(p)));
}

Value Root(Compose& c, Value x, int64_t p, DType dtype) {
  if (p == 1) return x;
  if (p == 2) return c.Sqrt(x);
  return c.Power(x, c.Scalar(dtype, 1.0 / static_cast<double>(p)));
}

absl::StatusOr<int64_t> ReadP(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t p, op.attributes().Int("p", 2));
  if (p >= 1) return p;
  return Malformed("attribute `p` is ", p, " but 1 or more is needed");
}

absl::Status ImportMaxPool(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(
      const Window w,
      ReadWindow(op, {op.opset() >= 10, op.opset() >= 10}, std::nullopt));
  bool columns_first = false;
  if (op.opset() >= 8) {
    ASSAY_ASSIGN_OR_RETURN(columns_first,
                           op.attributes().Flag("storage_order", false));
  }
  ASSAY_RETURN_IF_ERROR(ExpectExtents(op, w));
  const TensorType type = op.InputType(0);
  Compose c(op);
  const bool exact = FitsFloat32(type.dtype);
  if (!exact || op.WantsResult(1)) {
    ASSAY_RETURN_IF_ERROR(
        CheckUnrolled(NumElements(w.kernel), "elements in a window"));
  }
  const Value x = exact ? c.Cast(op.Input(0), DType::Float32()) : op.Input(0);
  const Value max =
      exact ? Pool(c, OpKind::kMaxPool2d, x, w, false) : MaxOfWindows(c, x, w);
  std::vector<Value> results = {c.Cast(max, type.dtype)};
  if (op.WantsResult(1) && c.status().ok()) {
    const Shape shape = results[0].type().shape;
    ASSAY_RETURN_IF_ERROR(CheckSize({DType::Int64(), shape}, op.max_bytes()));
    results.push_back(MaxIndices(c, x, max, w, columns_first));
  }
  return c.Finish(results);
}

absl::Status ImportAveragePool(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(
      const Window w,
      ReadWindow(op, {op.opset() >= 19, op.opset() >= 10}, std::nullopt));
  bool include_pad = false;
  if (op.opset() >= 7) {
    ASSAY_ASSIGN_OR_RETURN(include_pad,
                           op.attributes().Flag("count_include_pad", false));
  }
  ASSAY_RETURN_IF_ERROR(ExpectExtents(op, w));
  const DType dtype = op.InputType(0).dtype;
  Compose c(op);
  const Value x = c.Cast(op.Input(0), SumType(dtype));
  return c.Finish(
      {c.Cast(Pool(c, OpKind::kAvgPool2d, x, w, include_pad), dtype)});
}

absl::Status ImportLpPool(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t p, ReadP(op));
  ASSAY_ASSIGN_OR_RETURN(
      Window w,
      ReadWindow(op, {op.opset() >= 18, op.opset() >= 18}, std::nullopt));
  ASSAY_RETURN_IF_ERROR(ExpectExtents(op, w));
  const DType dtype = op.InputType(0).dtype, sum = SumType(dtype);
  Compose c(op);
  Value x = AbsolutePower(c, c.Cast(op.Input(0), sum), p, sum);
  // With the padding made part of the data, all windows have equally many
  // elements.
  x = PadForWindows(c, x, &w, 0);
  x = Pool(c, OpKind::kAvgPool2d, x, w, false);
  const auto count = static_cast<double>(NumElements(w.kernel));
  x = Root(c, c.Multiply(x, c.Scalar(sum, count)), p, sum);
  return c.Finish({c.Cast(x, dtype)});
}

absl::Status ImportGlobalLpPool(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t p, ReadP(op));
  const DType dtype = op.InputType(0).dtype, sum = SumType(dtype);
  Compose c(op);
  const Value x = AbsolutePower(c, c.Cast(op.Input(0), sum), p, sum);
  return c.Finish({c.Cast(Root(c, c.Sum(x, Spatial(op)), p, sum), dtype)});
}

absl::Status ImportGlobalAveragePool(OpImport& op) {
  return GlobalPool(op, OpKind::kGlobalAvgPool2d, OpKind::kReduceMean);
}

absl::Status ImportGlobalMaxPool(OpImport& op) {
  return GlobalPool(op, OpKind::kGlobalMaxPool2d, OpKind::kReduceMax);
}

constexpr OperatorRow kOperators[] = {
    {"AveragePool", 7, 22, 1, 1, 1, ImportAveragePool},
    {"GlobalAveragePool", 1, 22, 1, 1, 1, ImportGlobalAveragePool},
    {"GlobalLpPool", 2, 22, 1, 1, 1, ImportGlobalLpPool},
    {"GlobalMaxPool", 1, 22, 1, 1, 1, ImportGlobalMaxPool},
    {"LpPool", 2, 22, 1, 1, 1, ImportLpPool},
    {"MaxPool", 1, 1, 1, 1, 1, ImportMaxPool},
    {"MaxPool", 8, 22, 1, 1, 2, ImportMaxPool},
};

}  // namespace

absl::Span<const OperatorRow> PoolOperators() { return kOperators; }

}  // namespace assay::frontend
