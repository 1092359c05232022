#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

absl::Status ExpectReducible(OpKind kind, DType dtype) {
  if (dtype == DType::Float32() || dtype == DType::Float64()) {
    return absl::OkStatus();
  }
  const bool is_int = dtype.is_int() || dtype.is_uint();
  if (is_int && kind != OpKind::kReduceMean) return absl::OkStatus();
  return Invalid("element type ", dtype.ToString(), " is not supported; ",
                 kind == OpKind::kReduceMean
                     ? "float32 and float64 are"
                     : "float32, float64 and integers are");
}

}  // namespace

Result Reduce(OpKind kind, const ReduceAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectReducible(kind, inputs[0].dtype));
  int64_t previous = -1;
  for (int64_t axis : attrs.axes) {
    if (axis <= previous || axis >= inputs[0].rank()) {
      return Invalid("axes ", ShapeToString(attrs.axes),
                     " are not ascending axes of ", inputs[0].ToString());
    }
    previous = axis;
  }
  if (attrs.axes.empty()) return Invalid("no axis is to be reduced");
  TensorType type{inputs[0].dtype, {}};
  size_t next = 0;
  for (int64_t d = 0; d < inputs[0].rank(); ++d) {
    const bool reduced = next < attrs.axes.size() && attrs.axes[next] == d;
    if (reduced) ++next;
    if (!reduced) type.shape.push_back(inputs[0].shape[d]);
    if (reduced && attrs.keepdims) type.shape.push_back(1);
  }
  return type;
}

Result ArgReduce(OpKind kind, const ArgReduceAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectReducible(kind, inputs[0].dtype));
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, inputs[0]));
  if (inputs[0].shape[attrs.axis] == 0) {
    return Invalid("axis ", attrs.axis, " of ", inputs[0].ToString(),
                   " has no elements");
  }
  TensorType type{DType::Int64(), inputs[0].shape};
  type.shape[attrs.axis] = 1;
  if (!attrs.keepdims) type.shape.erase(type.shape.begin() + attrs.axis);
  return type;
}

}  // namespace assay::graph::infer
