#include "reports/result/block_state_json.h"

#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

struct Number {
  const char* name;
  std::optional<double> DeviceState::* field;
};

constexpr Number kNumbers[] = {
    {"frequency_mhz", &DeviceState::frequency_mhz},
    {"temperature_celsius", &DeviceState::temperature_celsius},
    {"load", &DeviceState::load},
    {"steal_percent", &DeviceState::steal_percent},
};
constexpr char kThrottled[] = "throttled";

Json FromState(const DeviceState& state) {
  Json json = Json::object();
  for (const Number& number : kNumbers) {
    const std::optional<double>& value = state.*number.field;
    if (value.has_value() && std::isfinite(*value)) json[number.name] = *value;
  }
  if (state.throttled.has_value()) json[kThrottled] = *state.throttled;
  return json;
}

absl::StatusOr<DeviceState> ToState(const Json& json, const std::string& path) {
  DeviceState state;
  JsonReader r(json, path);
  for (const Number& number : kNumbers) {
    if (r.FindOrNull(number.name).is_null()) continue;
    r.Read(number.name, &(state.*number.field));
  }
  if (!r.FindOrNull(kThrottled).is_null()) {
    r.Read(kThrottled, &state.throttled.emplace());
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  return state;
}

}  // namespace

Json FromBlockStates(const std::vector<BlockState>& blocks) {
  Json array = Json::array();
  for (const BlockState& block : blocks) {
    Json json;
    json["samples"] = block.samples;
    json["before"] = FromState(block.before);
    json["after"] = FromState(block.after);
    array.push_back(std::move(json));
  }
  return array;
}

absl::StatusOr<std::vector<BlockState>> ToBlockStates(const Json& array,
                                                      const std::string& path) {
  std::vector<BlockState> blocks;
  if (array.is_null()) return blocks;
  if (!array.is_array()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "` is not an array"));
  }
  for (const Json& json : array) {
    const std::string name = absl::StrCat(path, "[", blocks.size(), "]");
    BlockState block;
    JsonReader r(json, name);
    r.Read("samples", &block.samples);
    const Json* before = r.Find("before");
    const Json* after = r.Find("after");
    ASSAY_RETURN_IF_ERROR(r.status());
    ASSAY_ASSIGN_OR_RETURN(block.before,
                           ToState(*before, absl::StrCat(name, ".before")));
    ASSAY_ASSIGN_OR_RETURN(block.after,
                           ToState(*after, absl::StrCat(name, ".after")));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace assay::reports
