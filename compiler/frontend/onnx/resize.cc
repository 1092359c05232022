// Resize and Upsample. Extents and scales are known on import, so that which
// elements make an element of the result, and with what weights, is known too:
// each axis becomes one gather with constant indices (nearest), or a weighted
// sum of two (linear) or four (cubic). Fusion makes one kernel of them.
//
// Coordinates are computed in float32 in the order that the specification
// writes them: a tie that the rounding of nearest decides must fall as it does
// elsewhere.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
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
  // Which axes scales and sizes are of; all where there is none.
  std::optional<std::vector<int64_t>> axes;
  std::string policy = "stretch";
};

struct AxisPlan {
  int64_t in = 1, out = 1;
  float scale = 1;
};

// One operand element, and its weight, for each element of the result.
struct Tap {
  std::vector<int64_t> indices;
  std::vector<float> weights;
};

float Coordinate(const Options& o, const AxisPlan& axis, int64_t i) {
  const auto x = static_cast<float>(i);
  const auto in = static_cast<float>(axis.in);
  const auto out = static_cast<float>(axis.out);
  if (o.coordinates == "asymmetric") return x / axis.scale;
  if (o.coordinates == "align_corners") {
    return axis.out == 1 ? 0 : x * (in - 1) / (out - 1);
  }
  if (o.coordinates == "pytorch_half_pixel" && axis.out == 1) return 0;
  const float half = (x + 0.5f) / axis.scale - 0.5f;
  if (o.coordinates != "half_pixel_symmetric") return half;
  const float adjustment = out / (axis.scale * in);
  return in / 2 * (1 - adjustment) + half;
}

int64_t Nearest(const Options& o, const AxisPlan& axis, float x) {
  float rounded = 0;
  if (o.nearest == "simple") {
    rounded = axis.scale < 1 ? std::ceil(x) : std::trunc(x);
  } else if (o.nearest == "floor") {
    rounded = std::floor(x);
  } else if (o.nearest == "ceil") {
    rounded = std::ceil(x);
  } else if (o.nearest == "round_prefer_ceil") {
    rounded = std::floor(x + 0.5f);
  } else {
    rounded = std::ceil(x - 0.5f);
  }
  return std::clamp(static_cast<int64_t>(rounded), int64_t{0}, axis.in - 1);
}

// Keys' cubic convolution at distances 1+f, f, 1-f and 2-f.
std::vector<float> CubicWeights(float a, float f) {
  const auto near = [a](float d) {
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  };
  const auto far = [a](float d) {
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  };
  return {far(1 + f), near(f), near(1 - f), far(2 - f)};
}

void AddCubic(const Options& o, const AxisPlan& axis, float x,
              std::vector<Tap>& taps) {
  const float base = std::floor(x);
  std::vector<float> weights = CubicWeights(o.cubic_a, x - base);
  const int64_t first = static_cast<int64_t>(base) - 1;
  if (o.exclude_outside) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      if (first + k < 0 || first + k >= axis.in) weights[k] = 0;
      sum += weights[k];
    }
    for (float& weight : weights) weight /= sum;
  }
  for (int k = 0; k < 4; ++k) {
    taps[k].indices.push_back(std::clamp<int64_t>(first + k, 0, axis.in - 1));
    taps[k].weights.push_back(weights[k]);
  }
}

std::vector<Tap> TapsOf(const Options& o, const AxisPlan& axis) {
  std::vector<Tap> taps(o.mode == "nearest" ? 1 : o.mode == "linear" ? 2 : 4);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = Coordinate(o, axis, i);
    if (o.mode == "nearest") {
      taps[0].indices.push_back(Nearest(o, axis, x));
    } else if (o.mode == "linear") {
      const float inside = std::clamp(x, 0.0f, static_cast<float>(axis.in - 1));
      const auto left = static_cast<int64_t>(inside);
      const float f = inside - static_cast<float>(left);
      taps[0].indices.push_back(left);
      taps[0].weights.push_back(1 - f);
      taps[1].indices.push_back(std::min(left + 1, axis.in - 1));
      taps[1].weights.push_back(f);
    } else {
      AddCubic(o, axis, x, taps);
    }
  }
  return taps;
}

absl::StatusOr<Value> ResizeAxis(OpImport& op, Value x, int64_t d,
                                 const Options& options, const AxisPlan& axis) {
  Shape weight_shape(x.type().rank() - d, 1);
  weight_shape[0] = axis.out;
  Value sum;
  for (const Tap& tap : TapsOf(options, axis)) {
    const Value indices =
        op.AddConstant(NDArray::FromVector<int64_t>({axis.out}, tap.indices));
    ASSAY_ASSIGN_OR_RETURN(
        Value y, op.Add(OpKind::kGather, graph::GatherAttrs{d}, {x, indices}));
    if (!tap.weights.empty()) {
      const Value weights =
          op.AddConstant(NDArray::FromVector<float>(weight_shape, tap.weights));
      ASSAY_ASSIGN_OR_RETURN(
          y, op.Add(OpKind::kMultiply, NoAttrs(), {y, weights}));
    }
    if (sum.node == nullptr) {
      sum = y;
    } else {
      ASSAY_ASSIGN_OR_RETURN(sum, op.Add(OpKind::kAdd, NoAttrs(), {sum, y}));
    }
  }
  return sum;
}

absl::Status Resize(OpImport& op, const Options& options,
                    const std::vector<AxisPlan>& axes) {
  if (options.mode != "nearest" && op.InputType(0).dtype != DType::Float32()) {
    return Unsupported("mode ", Quote(options.mode),
                       " is supported for "
                       "float32 only, but the data is ",
                       op.InputType(0).ToString());
  }
  Value y = op.Input(0);
  for (size_t d = 0; d < axes.size(); ++d) {
    const AxisPlan& axis = axes[d];
    if (axis.in == axis.out && axis.scale == 1) continue;
    if (axis.in == 0) return Malformed("axis ", d, " has no elements");
    ASSAY_ASSIGN_OR_RETURN(
        y, ResizeAxis(op, y, static_cast<int64_t>(d), options, axis));
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

// What does not change anything.
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

// A policy that keeps the aspect ratio gives all axes one scale.
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
    if (sizes[i] < 0 || axis.in == 0) {
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
    // Halfway cases up.
    axis.out = static_cast<int64_t>(
        std::floor(scale * static_cast<float>(axis.in) + 0.5f));
  }
  return plan;
}

absl::StatusOr<absl::Span<const float>> ConstantFloats(const OpImport& op,
                                                       int i) {
  const NDArray* scales = op.ConstantInput(i);
  if (scales == nullptr) {
    return Unsupported("input ", i,
                       " (scales) is computed when the model "
                       "runs; only constants are supported");
  }
  if (scales->dtype() != DType::Float32() || scales->shape().size() != 1) {
    return Malformed("input ", i, " (scales) is ", op.InputType(i).ToString(),
                     " but float32 of rank 1 is needed");
  }
  return scales->data<float>();
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

// What Upsample and the first Resize do.
absl::StatusOr<Options> OldOptions(OpImport& op, const char* nearest) {
  Options options;
  ASSAY_ASSIGN_OR_RETURN(options.mode,
                         Choice(op, "mode", "nearest", {"nearest", "linear"}));
  options.coordinates = "asymmetric";
  options.nearest = nearest;
  return options;
}

// Of all attributes but mode that Resize has since opset 11.
absl::StatusOr<Options> ReadOptions(OpImport& op) {
  Options options;
  ASSAY_ASSIGN_OR_RETURN(options.mode, Mode(op));
  ASSAY_ASSIGN_OR_RETURN(
      options.coordinates,
      Choice(op, "coordinate_transformation_mode", "half_pixel",
             {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
              "half_pixel_symmetric"}));
  ASSAY_ASSIGN_OR_RETURN(
      options.nearest,
      Choice(op, "nearest_mode", "round_prefer_floor",
             {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  ASSAY_ASSIGN_OR_RETURN(options.cubic_a,
                         op.attributes().Float("cubic_coeff_a", -0.75f));
  ASSAY_ASSIGN_OR_RETURN(options.exclude_outside,
                         op.attributes().Flag("exclude_outside", false));
  // Of tf_crop_and_resize only.
  ASSAY_RETURN_IF_ERROR(
      op.attributes().Float("extrapolation_value", 0).status());
  if (op.opset() < 18) return options;
  ASSAY_ASSIGN_OR_RETURN(const bool antialias,
                         op.attributes().Flag("antialias", false));
  if (antialias) {
    return Unsupported("attribute `antialias` is 1, which is not supported");
  }
  ASSAY_ASSIGN_OR_RETURN(options.axes, op.attributes().OptionalInts("axes"));
  ASSAY_ASSIGN_OR_RETURN(options.policy,
                         Choice(op, "keep_aspect_ratio_policy", "stretch",
                                {"stretch", "not_larger", "not_smaller"}));
  return options;
}

}  // namespace

absl::Status ImportUpsampleAttribute(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto scales,
                         op.attributes().OptionalFloats("scales"));
  if (!scales.has_value()) return Malformed("attribute `scales` is missing");
  ASSAY_ASSIGN_OR_RETURN(const Options options, OldOptions(op, "floor"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, PlanFromScales(op, options, *scales));
  return Resize(op, options, axes);
}

absl::Status ImportUpsampleInput(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto scales, ConstantFloats(op, 1));
  ASSAY_ASSIGN_OR_RETURN(const Options options, OldOptions(op, "floor"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, PlanFromScales(op, options, scales));
  return Resize(op, options, axes);
}

absl::Status ImportResizeScales(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto scales, ConstantFloats(op, 1));
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
  if (has_scales) {
    ASSAY_ASSIGN_OR_RETURN(const auto scales, ConstantFloats(op, 2));
    ASSAY_ASSIGN_OR_RETURN(const auto axes,
                           PlanFromScales(op, options, scales));
    return Resize(op, options, axes);
  }
  ASSAY_ASSIGN_OR_RETURN(const auto sizes, op.ConstantInts(3, "sizes"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, PlanFromSizes(op, options, sizes));
  return Resize(op, options, axes);
}

}  // namespace assay::frontend
