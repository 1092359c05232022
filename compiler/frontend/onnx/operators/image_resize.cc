// Resize and Upsample. Extents and scales are known on import, and so are the
// elements and weights of each element of the result: each axis becomes one
// gather with constant indices (nearest), or a resample with constant tables
// (linear, cubic, cropped).
//
// Coordinates are computed in float32 in the order of the specification, and
// those of half_pixel_symmetric in float64, so that ties of the rounding of
// nearest are broken as in ONNX Runtime.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

struct Options {
  std::string mode = "nearest";
  std::string coordinates = "half_pixel";
  std::string nearest = "round_prefer_floor";
  float cubic_a = -0.75f;
  bool exclude_outside = false;
  // The axes that scales and sizes apply to; all axes if empty.
  std::optional<std::vector<int64_t>> axes;
  std::string policy = "stretch";
  bool antialias = false;
  float extrapolation = 0;

  bool crops() const { return coordinates == "tf_crop_and_resize"; }
};

// Above the extent of any axis, and representable as a float.
constexpr float kMaxOut = 1e15f;

struct AxisPlan {
  int64_t in = 1, out = 1;
  float scale = 1;
  // The part of the axis that tf_crop_and_resize resizes.
  float begin = 0, end = 1;
};

// For each element of the result: the elements of the operand and their
// weights, one per tap, and the value that is added for taps outside.
struct Taps {
  int64_t count = 1;
  std::vector<int32_t> indices;
  std::vector<float> weights;
  std::vector<float> outside;
};

float Coordinate(const Options& o, const AxisPlan& axis, int64_t i) {
  const auto x = static_cast<float>(i);
  const auto in = static_cast<float>(axis.in);
  const auto out = static_cast<float>(axis.out);
  if (o.coordinates == "asymmetric") return x / axis.scale;
  if (o.coordinates == "tf_half_pixel_for_nn") return (x + 0.5f) / axis.scale;
  if (o.crops()) {
    if (axis.out == 1) return 0.5f * (axis.begin + axis.end) * (in - 1);
    return axis.begin * (in - 1) +
           x * (axis.end - axis.begin) * (in - 1) / (out - 1);
  }
  if (o.coordinates == "align_corners") {
    return axis.out == 1 ? 0 : x * (in - 1) / (out - 1);
  }
  if (o.coordinates == "pytorch_half_pixel" && axis.out == 1) return 0;
  if (o.coordinates != "half_pixel_symmetric") {
    return (x + 0.5f) / axis.scale - 0.5f;
  }
  const float adjustment = out / (axis.scale * in);
  const double offset = in / 2 * (1 - adjustment);
  return static_cast<float>(
      offset + (static_cast<double>(i) + 0.5) / double{axis.scale} - 0.5);
}

// Returns true if x lies halfway between two elements. A scale such as 8 / 7 is
// rounded, and so a coordinate that is a tie in exact arithmetic, such as 4 * 7
// / 8, may be slightly off.
bool IsTie(float x) {
  constexpr float kTolerance = 1e-6f;
  return std::abs(x - std::floor(x) - 0.5f) < kTolerance;
}

int64_t Nearest(const Options& o, const AxisPlan& axis, float x) {
  float rounded = 0;
  if (o.nearest == "simple") {
    rounded = axis.scale < 1 ? std::ceil(x) : std::trunc(x);
  } else if (o.nearest == "floor") {
    rounded = std::floor(x);
  } else if (o.nearest == "ceil") {
    rounded = std::ceil(x);
  } else if (IsTie(x)) {
    rounded = o.nearest == "round_prefer_ceil" ? std::ceil(x) : std::floor(x);
  } else {
    rounded = std::floor(x + 0.5f);
  }
  return std::clamp(static_cast<int64_t>(rounded), int64_t{0}, axis.in - 1);
}

// Weight of an element at distance d.
float LinearWeight(float d) { return std::max(1 - std::abs(d), 0.0f); }
float CubicWeight(float a, float d) {
  d = std::abs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

// The taps around coordinate x. The first tap is `reach` elements before the
// last element left of x. With antialiasing, `stretch` is below 1 if the axis
// shrinks, and more elements contribute.
void AddTaps(const Options& o, const AxisPlan& axis, float x, float stretch,
             int64_t reach, Taps& taps) {
  const auto first = static_cast<int64_t>(std::ceil(x)) - reach;
  float sum = 0;
  std::vector<float> weights;
  for (int64_t i = first; i < first + taps.count; ++i) {
    const float d = (static_cast<float>(i) - x) * stretch;
    float weight =
        o.mode == "linear" ? LinearWeight(d) : CubicWeight(o.cubic_a, d);
    if (o.exclude_outside && (i < 0 || i >= axis.in)) weight = 0;
    sum += weight;
    weights.push_back(weight);
    taps.indices.push_back(
        static_cast<int32_t>(std::clamp<int64_t>(i, 0, axis.in - 1)));
  }
  const bool scales = o.exclude_outside || o.antialias;
  for (const float weight : weights) {
    taps.weights.push_back(scales ? weight / sum : weight);
  }
}

float Stretch(const Options& o, const AxisPlan& axis) {
  return o.antialias ? std::min(axis.scale, 1.0f) : 1.0f;
}

// Number of elements on each side of a coordinate that contribute.
int64_t Reach(const Options& o, const AxisPlan& axis) {
  const float radius = o.mode == "linear" ? 1 : 2;
  return static_cast<int64_t>(std::ceil(radius / Stretch(o, axis)));
}

int64_t CountTaps(const Options& o, const AxisPlan& axis) {
  return o.mode == "nearest" ? 1 : 2 * Reach(o, axis);
}

Taps TapsOf(const Options& o, const AxisPlan& axis) {
  Taps taps;
  const bool nearest = o.mode == "nearest";
  const float stretch = Stretch(o, axis);
  const int64_t reach = Reach(o, axis);
  taps.count = CountTaps(o, axis);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = Coordinate(o, axis, i);
    if (nearest) {
      taps.indices.push_back(static_cast<int32_t>(Nearest(o, axis, x)));
      taps.weights.push_back(1);
    } else {
      AddTaps(o, axis, x, stretch, reach, taps);
    }
    const bool outside =
        o.crops() && (x < 0 || x > static_cast<float>(axis.in - 1));
    taps.outside.push_back(outside ? o.extrapolation : 0);
    if (!outside) continue;
    std::fill(taps.weights.end() - taps.count, taps.weights.end(), 0.0f);
  }
  return taps;
}

absl::StatusOr<Value> ResizeAxis(OpImport& op, Value x, int64_t d,
                                 const Options& options, const AxisPlan& axis) {
  graph::TensorType result = x.type();
  result.shape[d] = axis.out;
  const Shape table = {axis.out, CountTaps(options, axis)};
  ASSAY_RETURN_IF_ERROR(CheckSize(result, op.max_bytes()));
  ASSAY_RETURN_IF_ERROR(CheckSize({DType::Int64(), table}, op.max_bytes()));
  const Taps taps = TapsOf(options, axis);
  if (options.mode == "nearest" && !options.crops()) {
    const std::vector<int64_t> indices(taps.indices.begin(),
                                       taps.indices.end());
    return op.Add(
        OpKind::kGather, graph::GatherAttrs{d},
        {x, op.AddConstant(NDArray::FromVector({axis.out}, indices))});
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Value y,
      op.Add(OpKind::kResample, graph::ResampleAttrs{d},
             {x, op.AddConstant(NDArray::FromVector(table, taps.indices)),
              op.AddConstant(NDArray::FromVector(table, taps.weights))}));
  if (std::all_of(taps.outside.begin(), taps.outside.end(),
                  [](float value) { return value == 0; })) {
    return y;
  }
  Shape column(x.type().rank() - d, 1);
  column[0] = axis.out;
  return op.Add(OpKind::kAdd, NoAttrs(),
                {y, op.AddConstant(NDArray::FromVector(column, taps.outside))});
}

absl::Status Resize(OpImport& op, const Options& options,
                    const std::vector<AxisPlan>& axes) {
  const DType type = op.InputType(0).dtype;
  const bool gathers = options.mode == "nearest" && !options.crops();
  const bool converts = type == DType::Float16() || type == DType::BFloat16();
  if (!gathers && type != DType::Float32() && !converts) {
    return Unsupported("mode ", Quote(options.mode),
                       " is supported for floats of up to 32 bits, but the "
                       "data is ",
                       op.InputType(0).ToString());
  }
  Value y = op.Input(0);
  if (!gathers && converts) {
    ASSAY_ASSIGN_OR_RETURN(
        y, op.Add(OpKind::kCast, graph::CastAttrs{DType::Float32()}, {y}));
  }
  for (size_t d = 0; d < axes.size(); ++d) {
    const AxisPlan& axis = axes[d];
    if (axis.in == axis.out && axis.scale == 1 && axis.begin == 0 &&
        axis.end == 1) {
      continue;
    }
    if (axis.in == 0 || axis.out == 0) {
      return Malformed("axis ", d, " has no elements");
    }
    ASSAY_ASSIGN_OR_RETURN(
        y, ResizeAxis(op, y, static_cast<int64_t>(d), options, axis));
  }
  if (y.type().dtype != type) {
    ASSAY_ASSIGN_OR_RETURN(y,
                           op.Add(OpKind::kCast, graph::CastAttrs{type}, {y}));
  }
  return op.SetResult(y);
}

// The axes that are resized, in the order of their scales or sizes.
absl::StatusOr<std::vector<int64_t>> ResizedAxes(const OpImport& op,
                                                 const Options& options,
                                                 size_t count,
                                                 const char* what) {
  const auto rank = static_cast<int64_t>(op.InputType(0).shape.size());
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), int64_t{0});
  if (options.axes.has_value()) axes = *options.axes;
  if (axes.size() != count) {
    return options.axes.has_value() ? Malformed("there are ", count, " ", what,
                                                " for ", axes.size(), " axes")
                                    : Malformed("there are ", count, " ", what,
                                                " for data of rank ", rank);
  }
  std::vector<bool> seen(rank, false);
  for (int64_t& axis : axes) {
    ASSAY_ASSIGN_OR_RETURN(axis, NormalizeAxis(op, "axes", axis, rank));
    if (seen[axis]) {
      return Malformed("axis ", axis, " occurs twice in attribute `axes`");
    }
    seen[axis] = true;
  }
  return axes;
}

// Returns true if the resize is the identity.
std::vector<AxisPlan> Unchanged(const Shape& shape) {
  std::vector<AxisPlan> plan;
  for (const int64_t extent : shape) plan.push_back({extent, extent, 1});
  return plan;
}

absl::StatusOr<std::vector<AxisPlan>> PlanFromScales(
    const OpImport& op, const Options& options,
    absl::Span<const float> scales) {
  const Shape& shape = op.InputType(0).shape;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                         ResizedAxes(op, options, scales.size(), "scales"));
  std::vector<AxisPlan> plan = Unchanged(shape);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!(scales[i] > 0) || scales[i] > 65536) {
      return Malformed("scale ", scales[i], " of axis ", axes[i],
                       " is not between 0 and 65536");
    }
    AxisPlan& axis = plan[axes[i]];
    const float out = std::floor(static_cast<float>(axis.in) * scales[i]);
    axis.out = static_cast<int64_t>(out);
    axis.scale = scales[i];
  }
  return plan;
}

// A policy that keeps the aspect ratio uses one scale for all axes.
absl::StatusOr<std::vector<AxisPlan>> PlanFromSizes(
    const OpImport& op, const Options& options,
    const std::vector<int64_t>& sizes) {
  const Shape& shape = op.InputType(0).shape;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                         ResizedAxes(op, options, sizes.size(), "sizes"));
  std::vector<AxisPlan> plan = Unchanged(shape);
  std::vector<float> scales;
  for (size_t i = 0; i < axes.size(); ++i) {
    AxisPlan& axis = plan[axes[i]];
    if (sizes[i] < 1 || axis.in == 0) {
      return Malformed("size ", sizes[i], " of axis ", axes[i],
                       " cannot be had from ", axis.in, " elements");
    }
    axis.out = sizes[i];
    axis.scale = static_cast<float>(sizes[i]) / static_cast<float>(axis.in);
    scales.push_back(axis.scale);
  }
  if (options.policy == "stretch" || scales.empty()) return plan;
  const float scale = options.policy == "not_larger"
                          ? *std::min_element(scales.begin(), scales.end())
                          : *std::max_element(scales.begin(), scales.end());
  for (const int64_t d : axes) {
    AxisPlan& axis = plan[d];
    axis.scale = scale;
    // Rounds halfway cases up.
    const float out = std::floor(scale * static_cast<float>(axis.in) + 0.5f);
    axis.out = static_cast<int64_t>(std::min(out, kMaxOut));
  }
  return plan;
}

absl::StatusOr<absl::Span<const float>> ConstantFloats(const OpImport& op,
                                                       int i,
                                                       const char* what) {
  const NDArray* array = op.KnownInput(i);
  if (array == nullptr) {
    return Unsupported("input ", i, " (", what,
                       ") is computed when the model "
                       "runs; only constants are supported");
  }
  if (array->dtype() != DType::Float32() || array->shape().size() != 1) {
    return Malformed("input ", i, " (", what, ") is ",
                     op.InputType(i).ToString(),
                     " but float32 of rank 1 is needed");
  }
  return array->data<float>();
}

// The part of each axis that is resized: all begins, then all ends.
absl::Status ReadCrop(const OpImport& op, const Options& options,
                      std::vector<AxisPlan>& plan) {
  if (!options.crops()) return absl::OkStatus();
  if (!op.HasInput(1)) {
    return Malformed(
        "input 1 (roi) is left out but tf_crop_and_resize needs "
        "it");
  }
  ASSAY_ASSIGN_OR_RETURN(const auto roi, ConstantFloats(op, 1, "roi"));
  for (const float place : roi) {
    if (!(std::abs(place) <= 65536)) {
      return Malformed("input 1 (roi) has the number ", place,
                       "; every number lies between -65536 and 65536");
    }
  }
  if (roi.size() % 2 != 0) {
    return Malformed("input 1 (roi) has ", roi.size(), " numbers");
  }
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<int64_t> axes,
      ResizedAxes(op, options, roi.size() / 2, "begins of a crop"));
  for (size_t i = 0; i < axes.size(); ++i) {
    plan[axes[i]].begin = roi[i];
    plan[axes[i]].end = roi[i + axes.size()];
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Choice(OpImport& op, const char* name,
                                   const char* absent,
                                   absl::Span<const char* const> choices) {
  ASSAY_ASSIGN_OR_RETURN(const std::string value,
                         op.attributes().String(name, absent));
  for (const char* choice : choices) {
    if (value == choice) return value;
  }
  return Unsupported("attribute `", name, "` is ", Quote(value),
                     ", which is not supported");
}

absl::StatusOr<std::string> Mode(OpImport& op) {
  return Choice(op, "mode", "nearest", {"nearest", "linear", "cubic"});
}

// Upsample, and Resize in opset 10.
absl::StatusOr<Options> OldOptions(OpImport& op, const char* nearest) {
  Options options;
  ASSAY_ASSIGN_OR_RETURN(options.mode,
                         Choice(op, "mode", "nearest", {"nearest", "linear"}));
  options.coordinates = "asymmetric";
  options.nearest = nearest;
  return options;
}

// Reads all attributes that Resize has since opset 11, except mode.
absl::StatusOr<Options> ReadOptions(OpImport& op) {
  Options options;
  ASSAY_ASSIGN_OR_RETURN(options.mode, Mode(op));
  ASSAY_ASSIGN_OR_RETURN(
      options.coordinates,
      Choice(op, "coordinate_transformation_mode", "half_pixel",
             {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
              "half_pixel_symmetric", "tf_crop_and_resize",
              "tf_half_pixel_for_nn"}));
  ASSAY_ASSIGN_OR_RETURN(
      options.nearest,
      Choice(op, "nearest_mode", "round_prefer_floor",
             {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  ASSAY_ASSIGN_OR_RETURN(options.cubic_a,
                         op.attributes().Float("cubic_coeff_a", -0.75f));
  ASSAY_ASSIGN_OR_RETURN(options.exclude_outside,
                         op.attributes().Flag("exclude_outside", false));
  ASSAY_ASSIGN_OR_RETURN(options.extrapolation,
                         op.attributes().Float("extrapolation_value", 0));
  if (op.opset() < 18) return options;
  ASSAY_ASSIGN_OR_RETURN(options.antialias,
                         op.attributes().Flag("antialias", false));
  ASSAY_ASSIGN_OR_RETURN(options.axes, op.attributes().OptionalInts("axes"));
  ASSAY_ASSIGN_OR_RETURN(options.policy,
                         Choice(op, "keep_aspect_ratio_policy", "stretch",
                                {"stretch", "not_larger", "not_smaller"}));
  return options;
}

absl::Status ImportUpsampleAttribute(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto scales,
                         op.attributes().OptionalFloats("scales"));
  if (!scales.has_value()) return Malformed("attribute `scales` is missing");
  ASSAY_ASSIGN_OR_RETURN(const Options options, OldOptions(op, "floor"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, PlanFromScales(op, options, *scales));
  return Resize(op, options, axes);
}

absl::Status ImportUpsampleInput(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto scales, ConstantFloats(op, 1, "scales"));
  ASSAY_ASSIGN_OR_RETURN(const Options options, OldOptions(op, "floor"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, PlanFromScales(op, options, scales));
  return Resize(op, options, axes);
}

absl::Status ImportResizeScales(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto scales, ConstantFloats(op, 1, "scales"));
  ASSAY_ASSIGN_OR_RETURN(const Options options, OldOptions(op, "simple"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, PlanFromScales(op, options, scales));
  return Resize(op, options, axes);
}

absl::Status ImportResize(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Options options, ReadOptions(op));
  const bool has_scales = op.HasInput(2) && op.InputType(2).num_elements() > 0;
  if (has_scales == op.HasInput(3)) {
    return Malformed("one of input 2 (scales) and input 3 (sizes) is needed");
  }
  std::vector<AxisPlan> axes;
  if (has_scales) {
    ASSAY_ASSIGN_OR_RETURN(const auto scales, ConstantFloats(op, 2, "scales"));
    ASSAY_ASSIGN_OR_RETURN(axes, PlanFromScales(op, options, scales));
  } else {
    ASSAY_ASSIGN_OR_RETURN(const auto sizes, op.KnownInts(3, "sizes"));
    ASSAY_ASSIGN_OR_RETURN(axes, PlanFromSizes(op, options, sizes));
  }
  ASSAY_RETURN_IF_ERROR(ReadCrop(op, options, axes));
  return Resize(op, options, axes);
}

constexpr OperatorRow kOperators[] = {
    {"Resize", 10, 10, 2, 2, 1, ImportResizeScales},
    {"Resize", 11, 19, 1, 4, 1, ImportResize},
    {"Upsample", 7, 7, 1, 1, 1, ImportUpsampleAttribute},
    {"Upsample", 9, 9, 2, 2, 1, ImportUpsampleInput},
};

}  // namespace

absl::Span<const OperatorRow> ImageResizeOperators() { return kOperators; }

}  // namespace assay::frontend
