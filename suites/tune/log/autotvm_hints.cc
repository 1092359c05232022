#include "suites/tune/log/autotvm_hints.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reports/result/json_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using graph::Conv2dAttrs;
using reports::Json;

constexpr char kVersion[] = "0.2";
constexpr char kTemplate[] = "conv2d_NCHWc.x86";

absl::Status Malformed(absl::string_view member) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", member, "` of the line is not as AutoTVM writes it"));
}

absl::Status Other(absl::string_view why) {
  return absl::NotFoundError(absl::StrCat("the line is no hint: ", why));
}

// Reads a list of integers. Returns false if `json` is something else.
bool ReadInts(const Json& json, std::vector<int64_t>* out) {
  if (!json.is_array()) return false;
  out->clear();
  for (const Json& element : json) {
    if (!element.is_number_integer()) return false;
    out->push_back(element.get<int64_t>());
  }
  return true;
}

// Returns an element of a list, or null.
const Json& At(const Json& list, size_t index) {
  static const Json null;
  return list.is_array() && index < list.size() ? list[index] : null;
}

const Json& Member(const Json& object, const char* name) {
  static const Json null;
  return object.is_object() && object.contains(name) ? object[name] : null;
}

// Reads `["TENSOR", [1,64,56,56], "float32"]`.
absl::Status ReadTensor(const Json& json, Shape* shape) {
  std::vector<int64_t> extents;
  if (At(json, 0) != "TENSOR" || !ReadInts(At(json, 1), &extents) ||
      extents.size() != 4 || !At(json, 2).is_string()) {
    return Malformed("input[2]");
  }
  if (At(json, 2) != "float32") return Other("the type is not float32");
  shape->assign(extents.begin(), extents.end());
  return absl::OkStatus();
}

// Reads the arguments of the task: data, weights, strides, padding, dilation.
absl::Status ReadArguments(const Json& arguments, AutoTvmConv2d* out) {
  ASSAY_RETURN_IF_ERROR(ReadTensor(At(arguments, 0), &out->data));
  ASSAY_RETURN_IF_ERROR(ReadTensor(At(arguments, 1), &out->weights));
  std::vector<int64_t> strides, padding, dilations;
  if (!ReadInts(At(arguments, 2), &strides) || strides.size() != 2 ||
      !ReadInts(At(arguments, 3), &padding) ||
      (padding.size() != 2 && padding.size() != 4) ||
      !ReadInts(At(arguments, 4), &dilations) || dilations.size() != 2) {
    return Malformed("input[2]");
  }
  out->strides = {strides[0], strides[1]};
  out->dilations = {dilations[0], dilations[1]};
  // Two numbers are the padding at both ends of rows and columns.
  const bool both = padding.size() == 2;
  out->padding = {padding[0], padding[1], padding[both ? 0 : 2],
                  padding[both ? 1 : 3]};
  return absl::OkStatus();
}

// Returns the inner extent of the split `name`, or 0 if there is none.
int64_t InnerExtent(const Json& entities, const char* name) {
  if (!entities.is_array()) return 0;
  for (const Json& entity : entities) {
    std::vector<int64_t> sizes;
    if (At(entity, 0) == name && At(entity, 1) == "sp" &&
        ReadInts(At(entity, 2), &sizes) && sizes.size() == 2) {
      return sizes[1];
    }
  }
  return 0;
}

absl::Status ReadTiles(const Json& entities, AutoTvmConv2d* out) {
  out->tile_ic = InnerExtent(entities, "tile_ic");
  out->tile_oc = InnerExtent(entities, "tile_oc");
  out->tile_ow = InnerExtent(entities, "tile_ow");
  if (out->tile_ic <= 0 || out->tile_oc <= 0 || out->tile_ow <= 0) {
    return Malformed("config.entity");
  }
  for (const Json& entity : entities) {
    if (At(entity, 0) == "tile_oh" && At(entity, 2) != 1) {
      return Other("a tile has several rows");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AutoTvmConv2d> ParseAutoTvmLine(absl::string_view line) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (!json.is_object()) return Malformed("text");
  const Json& version = Member(json, "version");
  if (!version.is_number() || version.dump() != kVersion) {
    return Malformed("version");
  }
  const Json& input = Member(json, "input");
  if (!At(input, 1).is_string()) return Malformed("input");
  if (At(input, 1) != kTemplate) {
    return Other(absl::StrCat("it is of the template ", At(input, 1).dump()));
  }
  const Json& error = At(Member(json, "result"), 1);
  if (!error.is_number_integer()) return Malformed("result");
  if (error != 0) return Other("the trial failed");
  AutoTvmConv2d hint;
  ASSAY_RETURN_IF_ERROR(ReadArguments(At(input, 2), &hint));
  ASSAY_RETURN_IF_ERROR(
      ReadTiles(Member(Member(json, "config"), "entity"), &hint));
  return hint;
}

std::optional<driver::TunedKernel> HintedPoint(const AutoTvmConv2d& hint,
                                               const ops::OpInstance& op) {
  if (op.kind != graph::OpKind::kConv2d) return std::nullopt;
  Conv2dAttrs attrs;
  attrs.strides = hint.strides;
  attrs.padding = hint.padding;
  attrs.dilations = hint.dilations;
  attrs.in_block = hint.tile_ic;
  attrs.out_block = hint.tile_oc;
  if (graph::AttrsToString(op.attrs) != graph::AttrsToString(attrs)) {
    return std::nullopt;
  }
  const Shape &d = hint.data, &w = hint.weights;
  const Shape data = {d[0], d[1] / hint.tile_ic, d[2], d[3], hint.tile_ic};
  const Shape weights = {w[0] / hint.tile_oc, w[1] / hint.tile_ic, w[2], w[3],
                         hint.tile_ic,        hint.tile_oc};
  if (op.inputs[0].dtype != DType::Float32() || op.inputs[0].shape != data ||
      op.inputs[1].shape != weights) {
    return std::nullopt;
  }
  driver::TunedKernel point = {"conv2d.direct_nchwc", {}};
  point.config.SetSplit("tile_ow", {-1, hint.tile_ow})
      .SetKnob("tile_oc", 1)
      .SetKnob("inline_pad", 0);
  return point;
}

}  // namespace assay::suites
