// Operators of `com.microsoft` that were adopted by `ai.onnx` with small
// changes: CDist, GridSample, Pad, Range and Trilu.
#include <string>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;

// The distance of each row of a to each row of b.
absl::Status BuildCDist(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::string metric,
                         op.attributes().String("metric", "sqeuclidean"));
  if (metric != "euclidean" && metric != "sqeuclidean") {
    return Unsupported("attribute `metric` is ", Quote(metric),
                       "; only euclidean and sqeuclidean are supported");
  }
  for (const int i : {0, 1}) ASSAY_RETURN_IF_ERROR(op.ExpectRank(i, 2));
  const Shape &a = op.Type(0).shape, &c = op.Type(1).shape;
  if (a[1] != c[1]) {
    return Malformed("inputs are ", op.Type(0).ToString(), " and ",
                     op.Type(1).ToString(), ", with rows of different lengths");
  }
  NodeBuilder& b = op.builder();
  const std::string left = b.Reshape(op.In(0), {a[0], 1, a[1]});
  const std::string right = b.Reshape(op.In(1), {1, c[0], c[1]});
  const std::string difference = b.Sub(left, right);
  const std::string square = b.Mul(difference, difference);
  const std::string sum =
      b.Node("ReduceSum", {square, b.Int64s({2})}).Int("keepdims", 0);
  return op.SetResult(metric == "euclidean" ? b.Sqrt(sum) : sum);
}

// The names of the modes have changed in opset 20.
absl::Status BuildGridSample(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(std::string mode,
                         op.attributes().String("mode", "bilinear"));
  if (mode == "bilinear") {
    mode = "linear";
  } else if (mode == "bicubic") {
    mode = "cubic";
  } else if (mode != "nearest") {
    return Malformed("attribute `mode` is ", Quote(mode),
                     " but bilinear, nearest or bicubic is needed");
  }
  const NodeBuilder::Added sample =
      op.builder()
          .Node("GridSample", {op.In(0), op.In(1)})
          .String("mode", mode);
  ASSAY_RETURN_IF_ERROR(op.Copy({{"align_corners", AttributeProto::INT},
                                 {"padding_mode", AttributeProto::STRING}},
                                sample));
  return op.SetResult(sample);
}

// The pads may be a matrix with one row.
absl::Status BuildPad(ContribOp& op) {
  NodeBuilder& b = op.builder();
  const graph::TensorType& type = op.Type(1);
  std::string pads = op.In(1);
  if (type.rank() == 2 && type.shape[0] == 1) {
    pads = b.Reshape(pads, {type.shape[1]});
  }
  const NodeBuilder::Added pad = b.Node("Pad", {op.In(0), pads, op.In(2)});
  ASSAY_RETURN_IF_ERROR(op.Copy({{"mode", AttributeProto::STRING}}, pad));
  return op.SetResult(pad);
}

// The step may be left out; it is 1.
absl::Status BuildRange(ContribOp& op) {
  NodeBuilder& b = op.builder();
  const std::string step =
      op.HasInput(2) ? op.In(2) : b.Scalar(op.Type(0).dtype, 1);
  return op.SetResult(b.Node("Range", {op.In(0), op.In(1), step}));
}

absl::Status BuildTrilu(ContribOp& op) {
  const NodeBuilder::Added trilu =
      op.builder().Node("Trilu", {op.In(0), op.In(1)});
  ASSAY_RETURN_IF_ERROR(op.Copy({{"upper", AttributeProto::INT}}, trilu));
  return op.SetResult(trilu);
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "CDist", 2, 2, BuildCDist},
    {kMicrosoft, "GridSample", 2, 2, BuildGridSample},
    {kMicrosoft, "Pad", 2, 3, BuildPad},
    {kMicrosoft, "Range", 2, 3, BuildRange},
    {kMicrosoft, "Trilu", 1, 2, BuildTrilu},
};

}  // namespace

absl::Span<const ContribRow> ContribStandardRows() { return kRows; }

}  // namespace assay::frontend
