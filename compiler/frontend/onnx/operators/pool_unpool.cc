// MaxUnpool: writes the pooled values to the positions that their indices name
// in a tensor of zeros.
#include <optional>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/operators/window.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;
using Ints = std::vector<int64_t>;

// The attributes of MaxUnpool; one number per spatial axis, two for the pads.
struct Unpooling {
  Ints kernel;
  Ints strides;
  Ints pads;

  // The shape of the data whose pooling gives `pooled`.
  absl::StatusOr<Shape> Unpooled(const Shape& pooled) const;
};

absl::StatusOr<Shape> Unpooling::Unpooled(const Shape& pooled) const {
  Shape shape = pooled;
  const size_t axes = kernel.size();
  for (size_t i = 0; i < axes; ++i) {
    const int64_t extent = pooled[i + 2];
    ASSAY_RETURN_IF_ERROR(
        CheckedNumElements(Shape{extent, strides[i]}).status());
    shape[i + 2] =
        (extent - 1) * strides[i] + kernel[i] - pads[i] - pads[axes + i];
    if (shape[i + 2] < 1) {
      return Malformed("the pads ", ShapeToString(pads),
                       " leave no elements of axis ", i + 2);
    }
  }
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(shape).status());
  return shape;
}

absl::StatusOr<Unpooling> ReadUnpooling(OpImport& op) {
  const TensorType& type = op.InputType(0);
  if (type.rank() < 3) {
    return Malformed("the data is ", type.ToString(),
                     " but rank 3 or more is needed");
  }
  if (op.InputType(1).shape != type.shape) {
    return Malformed("input 1 (I) is ", op.InputType(1).ToString(),
                     " but the data is ", type.ToString());
  }
  const size_t axes = type.shape.size() - 2;
  Unpooling unpooling;
  ASSAY_ASSIGN_OR_RETURN(unpooling.kernel, ReadKernel(op, std::nullopt));
  ASSAY_ASSIGN_OR_RETURN(unpooling.strides,
                         ReadNumbers(op, "strides", Ints(axes, 1), /*low=*/1));
  ASSAY_ASSIGN_OR_RETURN(unpooling.pads,
                         ReadNumbers(op, "pads", Ints(2 * axes, 0), /*low=*/0));
  return unpooling;
}

// The shape of the result. The indices are positions in data of shape
// `unpooled`, also if operand 2 names a larger shape, as in the test cases of
// ONNX: its further elements are zeros at the end of the axes.
absl::StatusOr<Shape> ResultShape(const OpImport& op, const Ints& pads,
                                  const Shape& unpooled) {
  if (!op.HasInput(2)) return unpooled;
  ASSAY_ASSIGN_OR_RETURN(const Shape given, op.KnownInts(2, "output_shape"));
  if (pads != Ints(pads.size(), 0)) {
    return Unsupported(
        "attribute `pads` and input 2 (output_shape) are not supported "
        "together");
  }
  bool fits = given.size() == unpooled.size();
  for (size_t d = 0; fits && d < given.size(); ++d) {
    fits = d < 2 ? given[d] == unpooled[d] : given[d] >= unpooled[d];
  }
  if (!fits) {
    return Malformed("input 2 (output_shape) is ", ShapeToString(given),
                     ", which cannot hold the unpooled data ",
                     ShapeToString(unpooled));
  }
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(given).status());
  return given;
}

absl::Status ImportMaxUnpool(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Unpooling unpooling, ReadUnpooling(op));
  const TensorType type = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(const Shape unpooled, unpooling.Unpooled(type.shape));
  ASSAY_ASSIGN_OR_RETURN(const Shape result,
                         ResultShape(op, unpooling.pads, unpooled));
  ASSAY_RETURN_IF_ERROR(CheckSize({type.dtype, result}, op.max_bytes()));
  ASSAY_ASSIGN_OR_RETURN(const Value indices, AddIndices(op, 1));
  const int64_t count = type.num_elements();
  Compose c(op);
  const Value zeros =
      c.Node(OpKind::kBroadcastTo, graph::ReshapeAttrs{{NumElements(unpooled)}},
             {c.Scalar(type.dtype, 0)});
  const Value scattered = c.Node(
      OpKind::kScatterElements, graph::ScatterElementsAttrs(),
      {zeros, c.Reshape(indices, {count}), c.Reshape(op.Input(0), {count})});
  Ints after;
  for (size_t d = 0; d < result.size(); ++d) {
    after.push_back(result[d] - unpooled[d]);
  }
  return c.Finish(
      {c.Pad(c.Reshape(scattered, unpooled), Ints(result.size(), 0), after)});
}

constexpr OperatorRow kOperators[] = {
    {"MaxUnpool", 9, 22, 2, 3, 1, ImportMaxUnpool},
};

}  // namespace

absl::Span<const OperatorRow> PoolUnpoolOperators() { return kOperators; }

}  // namespace assay::frontend
