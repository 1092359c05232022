#include "rpc/query/render_list.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "rpc/client/peer_status.h"
#include "rpc/proto/facts.pb.h"
#include "runtime/text/text_table.h"

namespace assay::rpc {
namespace {

using runtime::TextTable;
using Json = nlohmann::ordered_json;

struct KeyCount {
  int free = 0;
  int pending = 0;
  int total = 0;
};

// Keys without a device have only pending requests.
std::map<std::string, KeyCount> CountKeys(const ListAnswer& list) {
  std::map<std::string, KeyCount> counts;
  for (const ListedDevice& device : list.devices()) {
    KeyCount& count = counts[device.key()];
    ++count.total;
    if (device.state() == ListedDevice::FREE) ++count.free;
  }
  for (const ListedRequest& request : list.queue()) {
    ++counts[request.key()].pending;
  }
  return counts;
}

std::string StateName(ListedDevice::State state) {
  switch (state) {
    case ListedDevice::FREE:
      return "free";
    case ListedDevice::LEASED:
      return "leased";
    case ListedDevice::LOST:
      return "lost";
    case ListedDevice::QUARANTINED:
      return "quarantined";
    default:
      return "unknown";
  }
}

std::string Note(const ListedDevice& device) {
  return device.reason().empty() ? device.health().problem() : device.reason();
}

// nullopt before the first canary.
std::optional<double> CanaryRatio(const Health& health) {
  if (health.canary_nanos() <= 0 || health.usual_canary_nanos() <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(health.canary_nanos()) /
         static_cast<double>(health.usual_canary_nanos());
}

std::string KeysTable(const ListAnswer& list) {
  TextTable table({{"key"},
                   {"free", TextTable::kRight},
                   {"pending", TextTable::kRight},
                   {"total", TextTable::kRight}});
  for (const auto& [key, count] : CountKeys(list)) {
    table.AddRow({OneLine(key), absl::StrCat(count.free),
                  absl::StrCat(count.pending), absl::StrCat(count.total)});
  }
  return table.ToString();
}

std::string DevicesTable(const ListAnswer& list) {
  TextTable table({{"device"},
                   {"key"},
                   {"state"},
                   {"for"},
                   {"holder"},
                   {"canary", TextTable::kRight},
                   {"load", TextTable::kRight},
                   {"°C", TextTable::kRight},
                   {"note"}});
  for (const ListedDevice& device : list.devices()) {
    const std::optional<double> canary = CanaryRatio(device.health());
    const DeviceState& state = device.device_state();
    table.AddRow(
        {OneLine(device.device()), OneLine(device.key()),
         StateName(device.state()), Duration(device.seconds_in_state()),
         OneLine(device.holder()),
         canary.has_value() ? absl::StrFormat("%.0f%%", 100 * *canary) : "",
         state.has_load() ? absl::StrFormat("%.1f", state.load()) : "",
         state.has_temperature_celsius()
             ? absl::StrFormat("%.1f", state.temperature_celsius())
             : "",
         OneLine(Note(device))});
  }
  return table.ToString();
}

std::string QueueTable(const ListAnswer& list) {
  TextTable table({{"place", TextTable::kRight},
                   {"key"},
                   {"user"},
                   {"priority", TextTable::kRight},
                   {"waited", TextTable::kRight},
                   {"about", TextTable::kRight}});
  int place = 0;
  for (const ListedRequest& request : list.queue()) {
    table.AddRow(
        {absl::StrCat(++place), OneLine(request.key()), OneLine(request.user()),
         absl::StrCat(request.priority()), Duration(request.waited_seconds()),
         request.wait_seconds() < 0 ? "" : Duration(request.wait_seconds())});
  }
  return table.ToString();
}

Json ToJson(const Health& health) {
  Json json = {{"crashes", health.crashes()}, {"problem", health.problem()}};
  if (health.canary_nanos() > 0) {
    json["canary_nanos"] = health.canary_nanos();
    json["usual_canary_nanos"] = health.usual_canary_nanos();
  }
  return json;
}

Json ToJson(const DeviceState& state) {
  Json json = Json::object();
  if (state.has_frequency_mhz()) json["frequency_mhz"] = state.frequency_mhz();
  if (state.has_temperature_celsius()) {
    json["temperature_celsius"] = state.temperature_celsius();
  }
  if (state.has_load()) json["load"] = state.load();
  if (state.has_steal_percent()) json["steal_percent"] = state.steal_percent();
  if (state.has_throttled()) json["throttled"] = state.throttled();
  return json;
}

Json ToJson(const DeviceFacts& facts) {
  Json json = {{"fingerprint", facts.fingerprint()},
               {"board", facts.board()},
               {"emulated", facts.emulated()},
               {"identity", Json::object()},
               {"state", Json::object()}};
  // The order of a protobuf map is random.
  const std::map<std::string, std::string> identity(facts.identity().begin(),
                                                    facts.identity().end());
  for (const auto& [name, value] : identity) json["identity"][name] = value;
  const std::map<std::string, std::string> state(facts.state().begin(),
                                                 facts.state().end());
  for (const auto& [name, value] : state) json["state"][name] = value;
  return json;
}

}  // namespace

std::string ListText(const ListAnswer& list) {
  std::string text = absl::StrCat(KeysTable(list), "\n", DevicesTable(list));
  if (!list.queue().empty()) absl::StrAppend(&text, "\n", QueueTable(list));
  return text;
}

std::string ListJson(const ListAnswer& list) {
  Json json = {{"keys", Json::array()},
               {"devices", Json::array()},
               {"queue", Json::array()}};
  for (const auto& [key, count] : CountKeys(list)) {
    json["keys"].push_back({{"key", key},
                            {"free", count.free},
                            {"pending", count.pending},
                            {"total", count.total}});
  }
  for (const ListedDevice& device : list.devices()) {
    Json entry = {{"device", device.device()},
                  {"key", device.key()},
                  {"state", StateName(device.state())},
                  {"seconds_in_state", device.seconds_in_state()}};
    if (!device.holder().empty()) entry["holder"] = device.holder();
    if (!device.reason().empty()) entry["reason"] = device.reason();
    entry["health"] = ToJson(device.health());
    entry["device_state"] = ToJson(device.device_state());
    entry["facts"] = ToJson(device.facts());
    json["devices"].push_back(std::move(entry));
  }
  for (const ListedRequest& request : list.queue()) {
    Json entry = {{"key", request.key()},
                  {"user", request.user()},
                  {"priority", request.priority()},
                  {"waited_seconds", request.waited_seconds()}};
    if (request.wait_seconds() >= 0) {
      entry["wait_seconds"] = request.wait_seconds();
    }
    json["queue"].push_back(std::move(entry));
  }
  // Names come from the network: bytes that are no UTF-8 are replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Duration(double seconds) {
  if (seconds < 120) return absl::StrFormat("%.0f s", seconds);
  if (seconds < 2 * 3600) return absl::StrFormat("%.0f min", seconds / 60);
  if (seconds < 48 * 3600) return absl::StrFormat("%.1f h", seconds / 3600);
  return absl::StrFormat("%.1f d", seconds / 86400);
}

}  // namespace assay::rpc
