// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. The score of each
// target's class is gathered from the scores [N,C,…]; an ignored target gathers
// the score of some class, which is then replaced by 0.
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;

struct Loss {
  std::string reduction;
  std::optional<int64_t> ignored;
};

absl::StatusOr<Loss> ReadLoss(OpImport& op) {
  Loss loss;
  ASSAY_ASSIGN_OR_RETURN(loss.reduction,
                         op.attributes().String("reduction", "mean"));
  ASSAY_ASSIGN_OR_RETURN(loss.ignored,
                         op.attributes().OptionalInt("ignore_index"));
  if (loss.reduction != "none" && loss.reduction != "sum" &&
      loss.reduction != "mean") {
    return Malformed("attribute `reduction` is ", Quote(loss.reduction),
                     " but none, sum or mean is needed");
  }
  const TensorType &x = op.InputType(0), &target = op.InputType(1);
  Shape expected = x.shape;
  if (x.rank() >= 2) expected.erase(expected.begin() + 1);
  if (x.rank() < 2 || target.shape != expected) {
    return Malformed("the targets are ", target.ToString(), " for the scores ",
                     x.ToString());
  }
  if (target.dtype != DType::Int32() && target.dtype != DType::Int64()) {
    return Malformed("the targets are ", target.ToString(),
                     " but int32 or int64 is needed");
  }
  if (op.HasInput(2) && op.InputType(2).shape != Shape{x.shape[1]}) {
    return Malformed("the weights are ", op.InputType(2).ToString(),
                     " for the scores ", x.ToString());
  }
  return loss;
}

Value Integer(Compose& c, int64_t value) { return c.Ints64({}, {value}); }

// Number of targets of one image.
int64_t Inner(const Shape& scores) {
  return NumElements(absl::MakeConstSpan(scores).subspan(2));
}

// The position of the score of class 0 for each target.
Value ScorePlaces(Compose& c, const Shape& scores, const Shape& targets) {
  const int64_t images = scores[0], inner = Inner(scores);
  std::vector<int64_t> starts, offsets;
  for (int64_t n = 0; n < images; ++n) starts.push_back(n * scores[1] * inner);
  for (int64_t i = 0; i < inner; ++i) offsets.push_back(i);
  return c.Reshape(
      c.Add(c.Ints64({images, 1}, starts), c.Ints64({inner}, offsets)),
      targets);
}

Value Gather(Compose& c, Value data, Value indices) {
  return c.Node(OpKind::kGather, graph::GatherAttrs{0}, {data, indices});
}

// `scores` are logarithms of probabilities.
Value AddLoss(Compose& c, OpImport& op, const Loss& loss, Value scores) {
  const DType dtype = SumType(op.InputType(0).dtype);
  const Shape shape = op.InputType(0).shape, targets = op.InputType(1).shape;
  const int64_t classes = shape[1];
  const Value target = c.Cast(op.Input(1), DType::Int64());
  const Value known = c.Binary(
      OpKind::kMinimum, c.Binary(OpKind::kMaximum, target, Integer(c, 0)),
      Integer(c, classes - 1));
  if (!c.status().ok()) return known;
  const Value place = c.Add(ScorePlaces(c, shape, targets),
                            c.Multiply(known, Integer(c, Inner(shape))));
  const Value picked =
      Gather(c, c.Reshape(scores, {NumElements(shape)}), place);
  Value y = c.Unary(OpKind::kNegate, picked);
  Value weight;  // null: 1 for all
  if (op.HasInput(2)) {
    weight = Gather(c, c.Cast(op.Input(2), dtype), known);
    y = c.Multiply(y, weight);
  }
  if (loss.ignored.has_value()) {
    const Value ignored =
        c.Binary(OpKind::kEqual, target, Integer(c, *loss.ignored));
    const Value zero = c.Scalar(dtype, 0);
    if (weight.node == nullptr) weight = c.Scalar(dtype, 1);
    weight = c.Node(OpKind::kSelect, {}, {ignored, zero, weight});
    y = c.Node(OpKind::kSelect, {}, {ignored, zero, y});
  }
  if (loss.reduction == "none") return y;
  const std::vector<int64_t> all =
      AxesBetween(0, static_cast<int64_t>(targets.size()));
  y = c.Reshape(c.Sum(y, all), {});
  if (loss.reduction == "sum") return y;
  if (weight.node == nullptr) {
    return c.Divide(y,
                    c.Scalar(dtype, static_cast<double>(NumElements(targets))));
  }
  return c.Divide(y, c.Reshape(c.Sum(weight, all), {}));
}

absl::Status ImportNegativeLogLikelihoodLoss(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Loss loss, ReadLoss(op));
  Compose c(op);
  const DType dtype = op.InputType(0).dtype;
  const Value scores = c.Cast(op.Input(0), SumType(dtype));
  return c.Finish({c.Cast(AddLoss(c, op, loss, scores), dtype)});
}

absl::Status ImportSoftmaxCrossEntropyLoss(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Loss loss, ReadLoss(op));
  Compose c(op);
  const DType dtype = op.InputType(0).dtype;
  const Value scores = c.Node(OpKind::kLogSoftmax, graph::SoftmaxAttrs{1},
                              {c.Cast(op.Input(0), SumType(dtype))});
  return c.Finish(
      {c.Cast(AddLoss(c, op, loss, scores), dtype), c.Cast(scores, dtype)});
}

constexpr OperatorRow kOperators[] = {
    {"NegativeLogLikelihoodLoss", 12, 22, 2, 3, 1,
     ImportNegativeLogLikelihoodLoss},
    {"SoftmaxCrossEntropyLoss", 12, 13, 2, 3, 2, ImportSoftmaxCrossEntropyLoss},
};

}  // namespace

absl::Span<const OperatorRow> LossOperators() { return kOperators; }

}  // namespace assay::frontend
