// Normalizations: (data - mean) / deviation. BatchNormalization with constant
// statistics becomes `batch_norm`, which is folded into a preceding
// convolution, and LayerNormalization becomes `layer_norm` if only its first
// result is read; all others are compositions. Sums of 16-bit floats are
// computed in float32.
//
// Softmax, LogSoftmax and Hardmax. Since opset 13 they apply to one axis;
// before, the data is a matrix whose rows are all axes from `axis` on.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;

struct Moments {
  Value mean;
  Value centered;  // x - mean
  Value variance;
};

Moments MomentsOf(Compose& c, Value x, const std::vector<int64_t>& axes) {
  Moments m;
  m.mean = c.Mean(x, axes);
  m.centered = c.Subtract(x, m.mean);
  m.variance = c.Mean(c.Multiply(m.centered, m.centered), axes);
  return m;
}

// 1 / sqrt(variance + epsilon)
Value InverseDeviation(Compose& c, Value variance, DType dtype, float epsilon) {
  return c.Unary(OpKind::kRsqrt, c.Add(variance, c.Scalar(dtype, epsilon)));
}

// A parameter with one value per channel, for data [N,C,…] of that rank.
Value PerChannel(Compose& c, Value parameter, int64_t channels, int64_t rank) {
  Shape shape(std::max<int64_t>(rank - 1, 1), 1);
  shape[0] = channels;
  return c.Reshape(parameter, shape);
}

absl::Status ExpectRank(const OpImport& op, int64_t lowest) {
  if (op.InputType(0).rank() >= lowest) return absl::OkStatus();
  return Malformed("input 0 is ", op.InputType(0).ToString(), " but rank ",
                   lowest, " or more is needed");
}

absl::Status ExpectParameters(const OpImport& op, int first, int64_t count) {
  for (int i = first; i < op.num_inputs(); ++i) {
    if (op.InputType(i).shape == Shape{count}) continue;
    return Malformed("input ", i, " is ", op.InputType(i).ToString(), " but ",
                     count, " values are needed");
  }
  return absl::OkStatus();
}

// (x - mean) * rsqrt(variance + epsilon) * scale + bias, where the statistics
// are operands or, in training, those of the batch. Training has two more
// results: running statistics, a mean of old and new ones weighted by
// `momentum`.
absl::Status ComposeBatchNorm(OpImport& op, bool training, float epsilon,
                              float momentum) {
  Compose c(op);
  const TensorType type = op.InputType(0);
  const int64_t channels = type.shape[1], rank = type.rank();
  const DType sum = SumType(type.dtype);
  const Value x = c.Cast(op.Input(0), sum);
  std::vector<Value> parameters;
  for (int i = 1; i < 5; ++i) {
    parameters.push_back(
        PerChannel(c, c.Cast(op.Input(i), sum), channels, rank));
  }
  Value mean = parameters[2], variance = parameters[3];
  std::vector<Value> results(1);
  if (training) {
    std::vector<int64_t> axes = AxesBetween(2, rank);
    axes.insert(axes.begin(), 0);
    const Moments m = MomentsOf(c, x, axes);
    const auto running = [&](Value old, Value now, int input) {
      now = c.Reshape(now, {channels});
      old = c.Cast(op.Input(input), sum);
      const Value mixed = c.Add(c.Multiply(old, c.Scalar(sum, momentum)),
                                c.Multiply(now, c.Scalar(sum, 1.0 - momentum)));
      return c.Cast(mixed, op.InputType(input).dtype);
    };
    results.push_back(running(mean, m.mean, 3));
    results.push_back(running(variance, m.variance, 4));
    mean = m.mean;
    variance = m.variance;
  }
  Value y = c.Multiply(c.Subtract(x, mean),
                       InverseDeviation(c, variance, sum, epsilon));
  y = c.Add(c.Multiply(y, parameters[0]), parameters[1]);
  results[0] = c.Cast(y, type.dtype);
  return c.Finish(results);
}

// The batch's own statistics are requested by is_test in opset 6, by more than
// one result until 13, and by training_mode since 14. Opsets 6 to 8 could also
// normalize each element of an image separately (spatial=0).
absl::Status ImportBatchNormalization(OpImport& op) {
  Attributes& attributes = op.attributes();
  graph::BatchNormAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.epsilon, attributes.Float("epsilon", 1e-5f));
  ASSAY_ASSIGN_OR_RETURN(const float momentum,
                         attributes.Float("momentum", 0.9f));
  if (op.opset() < 9) {
    ASSAY_ASSIGN_OR_RETURN(const bool spatial,
                           attributes.Flag("spatial", true));
    if (!spatial) {
      return Unsupported("attribute `spatial` is 0, which is not supported");
    }
  }
  bool training = op.opset() < 14 && op.num_results() > 1;
  if (op.opset() < 7) {
    ASSAY_ASSIGN_OR_RETURN(const bool test, attributes.Flag("is_test", false));
    training = !test;
  }
  if (op.opset() >= 14) {
    ASSAY_ASSIGN_OR_RETURN(training, attributes.Flag("training_mode", false));
  }
  if (training && op.opset() < 14) {
    return Unsupported(
        "is in training mode, which is supported since opset 14; export the "
        "model for inference");
  }
  ASSAY_RETURN_IF_ERROR(ExpectRank(op, 2));
  ASSAY_RETURN_IF_ERROR(ExpectParameters(op, 1, op.InputType(0).shape[1]));
  bool constant = !training && op.InputType(0).dtype == DType::Float32();
  for (int i = 1; i < 5; ++i) {
    constant = constant && op.KnownInput(i) != nullptr;
  }
  if (!constant) {
    return ComposeBatchNorm(op, training, attrs.epsilon, momentum);
  }
  return op.SetResult(op.Add(OpKind::kBatchNorm, attrs, op.inputs()));
}

absl::Status ImportInstanceNormalization(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", 1e-5f));
  ASSAY_RETURN_IF_ERROR(ExpectRank(op, 3));
  const TensorType type = op.InputType(0);
  ASSAY_RETURN_IF_ERROR(ExpectParameters(op, 1, type.shape[1]));
  Compose c(op);
  const DType sum = SumType(type.dtype);
  const auto parameter = [&](int i) {
    return PerChannel(c, c.Cast(op.Input(i), sum), type.shape[1], type.rank());
  };
  const Moments m =
      MomentsOf(c, c.Cast(op.Input(0), sum), AxesBetween(2, type.rank()));
  Value y =
      c.Multiply(m.centered, InverseDeviation(c, m.variance, sum, epsilon));
  y = c.Add(c.Multiply(y, parameter(1)), parameter(2));
  return c.Finish({c.Cast(y, type.dtype)});
}

// Scale and bias have one value per group in opsets 18 to 20, one per channel
// since 21.
absl::Status ImportGroupNormalization(OpImport& op) {
  Attributes& attributes = op.attributes();
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         attributes.Float("epsilon", 1e-5f));
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         attributes.OptionalInt("num_groups"));
  if (!given.has_value()) return Malformed("attribute `num_groups` is missing");
  if (op.opset() >= 21) {
    // The type of mean and deviation, which is always float32 or wider here.
    ASSAY_RETURN_IF_ERROR(attributes.Int("stash_type", 1).status());
  }
  ASSAY_RETURN_IF_ERROR(ExpectRank(op, 2));
  const TensorType type = op.InputType(0);
  const int64_t groups = *given, channels = type.shape[1];
  if (groups < 1 || channels % groups != 0) {
    return Malformed("attribute `num_groups` is ", groups,
                     ", which does not divide ", channels, " channels");
  }
  const bool per_channel = op.opset() >= 21;
  ASSAY_RETURN_IF_ERROR(
      ExpectParameters(op, 1, per_channel ? channels : groups));
  Compose c(op);
  const DType sum = SumType(type.dtype);
  const Shape split = {type.shape[0], groups, channels / groups,
                       NumElements(absl::MakeConstSpan(type.shape).subspan(2))};
  const auto parameter = [&](int i) {
    return c.Reshape(c.Cast(op.Input(i), sum),
                     {groups, per_channel ? channels / groups : 1, 1});
  };
  const Value x = c.Reshape(c.Cast(op.Input(0), sum), split);
  const Moments m = MomentsOf(c, x, {2, 3});
  Value y =
      c.Multiply(m.centered, InverseDeviation(c, m.variance, sum, epsilon));
  y = c.Add(c.Multiply(y, parameter(1)), parameter(2));
  return c.Finish({c.Cast(c.Reshape(y, type.shape), type.dtype)});
}

absl::Status ImportLayerNormalization(OpImport& op) {
  graph::LayerNormAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", -1));
  ASSAY_ASSIGN_OR_RETURN(attrs.epsilon,
                         op.attributes().Float("epsilon", 1e-5f));
  // The type of mean and deviation; ours is float32 or wider.
  ASSAY_ASSIGN_OR_RETURN(const int64_t stash,
                         op.attributes().Int("stash_type", 1));
  const TensorType type = op.InputType(0);
  const int64_t rank = type.rank();
  ASSAY_ASSIGN_OR_RETURN(attrs.axis,
                         NormalizeAxis(op, "attribute `axis`", given, rank));
  const Value scale = op.Input(1);
  const Shape rest(type.shape.begin() + attrs.axis, type.shape.end());
  const bool whole = scale.type().shape == rest &&
                     (!op.HasInput(2) || op.InputType(2).shape == rest);
  const bool only_first = !op.WantsResult(1) && !op.WantsResult(2);
  if (only_first && whole && type.dtype == DType::Float32()) {
    const Value bias =
        op.HasInput(2)
            ? op.Input(2)
            : op.AddConstant(NDArray(type.dtype, scale.type().shape));
    return op.SetResult(
        op.Add(OpKind::kLayerNorm, attrs, {op.Input(0), scale, bias}));
  }
  for (int i = 1; i < op.num_inputs(); ++i) {
    const auto shape =
        graph::BroadcastShapes(type.shape, op.InputType(i).shape);
    if (shape.ok() && *shape == type.shape) continue;
    return Malformed("operand ", i, " is ", op.InputType(i).ToString(),
                     " but the normalised axes are ", ShapeToString(rest));
  }
  Compose c(op);
  const DType sum = SumType(type.dtype);
  const Moments m =
      MomentsOf(c, c.Cast(op.Input(0), sum), AxesBetween(attrs.axis, rank));
  const Value inverse = InverseDeviation(c, m.variance, sum, attrs.epsilon);
  Value y = c.Cast(c.Multiply(m.centered, inverse), type.dtype);
  y = c.Multiply(y, scale);
  if (op.HasInput(2)) y = c.Add(y, op.Input(2));
  const DType stashed = stash == 1 ? DType::Float32() : sum;
  return c.Finish({y, c.Cast(m.mean, stashed), c.Cast(inverse, stashed)});
}

// x / (bias + alpha / size * (sum of squares over `size` channels))^beta
absl::Status ImportLrn(OpImport& op) {
  Attributes& attributes = op.attributes();
  ASSAY_ASSIGN_OR_RETURN(const float alpha, attributes.Float("alpha", 1e-4f));
  ASSAY_ASSIGN_OR_RETURN(const float beta, attributes.Float("beta", 0.75f));
  ASSAY_ASSIGN_OR_RETURN(const float bias, attributes.Float("bias", 1.0f));
  ASSAY_ASSIGN_OR_RETURN(const auto given, attributes.OptionalInt("size"));
  if (!given.has_value() || *given < 1) {
    return Malformed("attribute `size` is missing or not positive");
  }
  ASSAY_RETURN_IF_ERROR(ExpectRank(op, 2));
  const TensorType type = op.InputType(0);
  if (*given > 2 * type.shape[1]) {
    return Unsupported("attribute `size` is ", *given, ", more than twice the ",
                       type.shape[1], " channels");
  }
  ASSAY_RETURN_IF_ERROR(CheckUnrolled(*given, "channels in a sum"));
  Compose c(op);
  const DType sum = SumType(type.dtype);
  const Value x = c.Cast(op.Input(0), sum);
  std::vector<int64_t> before(type.shape.size(), 0), after = before;
  before[1] = (*given - 1) / 2;
  after[1] = *given / 2;
  const Value squares = c.Pad(c.Multiply(x, x), before, after);
  Value total = c.Slice(squares, 1, 0, type.shape[1]);
  for (int64_t i = 1; i < *given; ++i) {
    total = c.Add(total, c.Slice(squares, 1, i, type.shape[1]));
  }
  const float part = alpha / static_cast<float>(*given);
  const Value base =
      c.Add(c.Multiply(total, c.Scalar(sum, part)), c.Scalar(sum, bias));
  const Value y = c.Divide(x, c.Power(base, c.Scalar(sum, beta)));
  return c.Finish({c.Cast(y, type.dtype)});
}

absl::Status ImportLpNormalization(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", -1));
  ASSAY_ASSIGN_OR_RETURN(const int64_t p, op.attributes().Int("p", 2));
  const TensorType type = op.InputType(0);
  // -1 is the default of all opsets.
  const int64_t axis = given < 0 ? given + type.rank() : given;
  if (axis < 0 || axis >= type.rank()) {
    return Malformed("attribute `axis` ", given, " is out of range for rank ",
                     type.rank());
  }
  if (p != 1 && p != 2) {
    return Malformed("attribute `p` is ", p, " but 1 or 2 is needed");
  }
  Compose c(op);
  const Value x = c.Cast(op.Input(0), SumType(type.dtype));
  Value norm = p == 1 ? c.Sum(c.Unary(OpKind::kAbs, x), {axis})
                      : c.Sqrt(c.Sum(c.Multiply(x, x), {axis}));
  // The result is 0 if the norm is 0.
  norm = c.Binary(
      OpKind::kMaximum, norm,
      c.Scalar(SumType(type.dtype), std::numeric_limits<float>::min()));
  return c.Finish({c.Cast(c.Divide(x, norm), type.dtype)});
}

// (x - mean) / (deviation + 1e-9)
absl::Status ImportMeanVarianceNormalization(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalInts("axes"));
  const TensorType type = op.InputType(0);
  std::vector<int64_t> axes;
  for (const int64_t axis : given.value_or(std::vector<int64_t>{0, 2, 3})) {
    axes.push_back(axis < 0 ? axis + type.rank() : axis);
  }
  std::sort(axes.begin(), axes.end());
  Compose c(op);
  const DType sum = SumType(type.dtype);
  const Moments m = MomentsOf(c, c.Cast(op.Input(0), sum), axes);
  const Value deviation = c.Add(c.Sqrt(m.variance), c.Scalar(sum, 1e-9));
  return c.Finish({c.Cast(c.Divide(m.centered, deviation), type.dtype)});
}

struct Rows {
  Value x;  // not of 16-bit floats
  int64_t axis = 0;
};

absl::StatusOr<Rows> ReadRows(OpImport& op) {
  const graph::TensorType type = op.InputType(0);
  const bool flattens = op.opset() < 13;
  ASSAY_ASSIGN_OR_RETURN(const int64_t given,
                         op.attributes().Int("axis", flattens ? 1 : -1));
  Rows rows;
  ASSAY_ASSIGN_OR_RETURN(
      rows.axis, NormalizeAxis(op, "attribute `axis`", given, type.rank()));
  ASSAY_ASSIGN_OR_RETURN(rows.x,
                         ConvertedTo(op, op.Input(0), SumType(type.dtype)));
  if (!flattens || rows.axis == type.rank() - 1) return rows;
  const auto all = absl::MakeConstSpan(type.shape);
  const Shape matrix = {NumElements(all.subspan(0, rows.axis)),
                        NumElements(all.subspan(rows.axis))};
  ASSAY_ASSIGN_OR_RETURN(rows.x, op.AddReshape(rows.x, matrix));
  rows.axis = 1;
  return rows;
}

// The result, with the shape of the data.
absl::Status Finish(OpImport& op, Value y) {
  ASSAY_ASSIGN_OR_RETURN(y, op.AddReshape(y, op.InputType(0).shape));
  return op.SetResult(ConvertedTo(op, y, op.InputType(0).dtype));
}

absl::Status Softmax(OpImport& op, OpKind kind) {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  ASSAY_ASSIGN_OR_RETURN(
      const Value y, op.Add(kind, graph::SoftmaxAttrs{rows.axis}, {rows.x}));
  return Finish(op, y);
}

absl::Status ImportSoftmax(OpImport& op) {
  return Softmax(op, OpKind::kSoftmax);
}

absl::Status ImportLogSoftmax(OpImport& op) {
  return Softmax(op, OpKind::kLogSoftmax);
}

// 1 at the largest element of a row, otherwise 0.
absl::Status ImportHardmax(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  graph::ArgReduceAttrs attrs;
  attrs.axis = rows.axis;
  attrs.keepdims = true;
  ASSAY_ASSIGN_OR_RETURN(const Value largest,
                         op.Add(OpKind::kArgMax, attrs, {rows.x}));
  const graph::TensorType& type = rows.x.type();
  ASSAY_ASSIGN_OR_RETURN(
      const Value positions,
      AddPositions(op, type.shape[rows.axis], rows.axis, type.rank()));
  ASSAY_ASSIGN_OR_RETURN(
      const Value is_largest,
      op.Add(OpKind::kEqual, graph::NoAttrs(), {largest, positions}));
  return Finish(op, is_largest);
}

constexpr OperatorRow kOperators[] = {
    {"BatchNormalization", 7, 9, 5, 5, 5, ImportBatchNormalization},
    {"BatchNormalization", 14, 15, 5, 5, 3, ImportBatchNormalization},
    {"GroupNormalization", 18, 21, 3, 3, 1, ImportGroupNormalization},
    {"Hardmax", 1, 13, 1, 1, 1, ImportHardmax},
    {"InstanceNormalization", 6, 22, 3, 3, 1, ImportInstanceNormalization},
    {"LRN", 1, 13, 1, 1, 1, ImportLrn},
    {"LayerNormalization", 17, 17, 2, 3, 3, ImportLayerNormalization},
    {"LogSoftmax", 1, 13, 1, 1, 1, ImportLogSoftmax},
    {"LpNormalization", 1, 22, 1, 1, 1, ImportLpNormalization},
    {"MeanVarianceNormalization", 9, 13, 1, 1, 1,
     ImportMeanVarianceNormalization},
    {"Softmax", 1, 13, 1, 1, 1, ImportSoftmax},
};

}  // namespace

absl::Span<const OperatorRow> NormalizationOperators() { return kOperators; }

}  // namespace assay::frontend
