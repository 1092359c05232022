#include "suites/tune/log/autotvm_hints.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "reports/result/json_reader.h"
#include "runtime/base/file.h"
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

// Returns an element of a list, or null.
const Json& At(const Json& list, size_t index) {
  static const Json null;
  return list.is_array() && index < list.size() ? list[index] : null;
}

// Returns a member of an object, or null.
const Json& Member(const Json& object, const char* name) {
  static const Json null;
  return object.is_object() && object.contains(name) ? object[name] : null;
}

// Returns a list of integers; an empty one if `json` is something else.
std::vector<int64_t> Ints(const Json& json) {
  std::vector<int64_t> ints;
  if (!json.is_array()) return {};
  for (const Json& element : json) {
    if (!element.is_number_integer()) return {};
    ints.push_back(element.get<int64_t>());
  }
  return ints;
}

// Reads `["TENSOR", [1,64,56,56], "float32"]`.
absl::Status ReadTensor(const Json& json, Shape* shape) {
  *shape = Ints(At(json, 1));
  if (At(json, 0) != "TENSOR" || shape->size() != 4 ||
      !At(json, 2).is_string()) {
    return Malformed("input[2]");
  }
  if (At(json, 2) != "float32") return Other("the type is not float32");
  return absl::OkStatus();
}

// Reads the arguments of the task: data, weights, strides, padding, dilation.
absl::Status ReadArguments(const Json& arguments, AutoTvmConv2d* out) {
  ASSAY_RETURN_IF_ERROR(ReadTensor(At(arguments, 0), &out->data));
  ASSAY_RETURN_IF_ERROR(ReadTensor(At(arguments, 1), &out->weights));
  const std::vector<int64_t> strides = Ints(At(arguments, 2));
  const std::vector<int64_t> padding = Ints(At(arguments, 3));
  const std::vector<int64_t> dilations = Ints(At(arguments, 4));
  // Two numbers are the padding at both ends of rows and columns.
  const bool both = padding.size() == 2;
  if (strides.size() != 2 || dilations.size() != 2 ||
      (padding.size() != 4 && !both)) {
    return Malformed("input[2]");
  }
  out->strides = {strides[0], strides[1]};
  out->dilations = {dilations[0], dilations[1]};
  out->padding = {padding[0], padding[1], padding[both ? 0 : 2],
                  padding[both ? 1 : 3]};
  return absl::OkStatus();
}

// Reads the inner extents of the splits, such as `["tile_ic", "sp", [-1,16]]`.
absl::Status ReadTiles(const Json& entities, AutoTvmConv2d* out) {
  if (!entities.is_array()) return Malformed("config.entity");
  for (const auto& [name, tile] : {std::pair("tile_ic", &out->tile_ic),
                                   std::pair("tile_oc", &out->tile_oc),
                                   std::pair("tile_ow", &out->tile_ow)}) {
    for (const Json& entity : entities) {
      const std::vector<int64_t> sizes = Ints(At(entity, 2));
      if (*tile == 0 && At(entity, 0) == name && At(entity, 1) == "sp" &&
          sizes.size() == 2) {
        *tile = sizes[1];
      }
    }
    if (*tile <= 0) return Malformed("config.entity");
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
  const Json& name = At(input, 1);
  if (!name.is_string()) return Malformed("input");
  if (name != kTemplate) {
    return Other(absl::StrCat("it is of the template ", name.dump()));
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
  if (graph::AttrsToString(op.attrs) != graph::AttrsToString(attrs)) {
    return std::nullopt;
  }
  graph::FilterBlocks filters;
  filters.in = hint.tile_ic;
  filters.out = hint.tile_oc;
  const graph::TensorType data = {DType::Float32(), hint.data,
                                  graph::ChannelBlocks{hint.tile_ic}};
  const graph::TensorType weights = {DType::Float32(), hint.weights, filters};
  if (op.inputs[0] != data || op.inputs[1] != weights) return std::nullopt;
  driver::TunedKernel point = {"conv2d.direct_nchwc", {}};
  point.config.SetSplit("tile_ow", {-1, hint.tile_ow})
      .SetKnob("tile_oc", 1)
      .SetKnob("inline_pad", 0);
  return point;
}

absl::StatusOr<std::vector<AutoTvmConv2d>> ReadHints(const std::string& path) {
  std::vector<AutoTvmConv2d> hints;
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const auto hint = ParseAutoTvmLine(line);
    if (hint.ok()) {
      hints.push_back(*hint);
    } else if (!absl::IsNotFound(hint.status())) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, " of `", path,
                       "` is no record of AutoTVM: ", hint.status().message()));
    }
  }
  return hints;
}

std::vector<driver::TunedKernel> HintsFor(
    const std::vector<AutoTvmConv2d>& hints, const tune::Task& task) {
  std::vector<driver::TunedKernel> points;
  const graph::Node& kernel = *task.kernel->outputs().front().value.node;
  const graph::Node* const anchor =
      ops::AnchorOf(*kernel.attrs_as<graph::KernelAttrs>().body);
  if (anchor == nullptr) return points;
  const ops::OpInstance op = ops::InstanceOf(*anchor);
  for (const AutoTvmConv2d& hint : hints) {
    if (auto point = HintedPoint(hint, op)) points.push_back(*std::move(point));
  }
  return points;
}

}  // namespace assay::suites
