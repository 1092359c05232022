#include "rpc/tracker/device_list.h"

#include "runtime/base/check.h"

namespace assay::rpc::tracker {
namespace {

DeviceState StateOf(const Device& device) {
  if (device.lost) return DeviceState::kLost;
  if (!device.quarantine.empty()) return DeviceState::kQuarantined;
  return device.lease ? DeviceState::kLeased : DeviceState::kFree;
}

}  // namespace

absl::string_view StateName(DeviceState state) {
  switch (state) {
    case DeviceState::kFree:
      return "free";
    case DeviceState::kLeased:
      return "leased";
    case DeviceState::kLost:
      return "lost";
    case DeviceState::kQuarantined:
      return "quarantined";
  }
  return "";
}

bool UpdateState(Device& device, int64_t now) {
  const DeviceState state = StateOf(device);
  if (state == device.state) return false;
  device.state = state;
  device.since_nanos = now;
  return true;
}

Device& DeviceList::Add(const std::string& id, const std::string& key,
                        int64_t now) {
  const auto [place, is_new] = devices_.try_emplace(id);
  CHECK(is_new) << id;
  Device& device = place->second;
  device.id = id;
  device.key = key;
  device.since_nanos = now;
  by_key_[key][id] = &device;
  return device;
}

void DeviceList::ChangeKey(Device& device, const std::string& key) {
  by_key_[device.key].erase(device.id);
  device.key = key;
  by_key_[key][device.id] = &device;
}

void DeviceList::Remove(Device& device) {
  by_key_[device.key].erase(device.id);
  const std::string id = device.id;
  devices_.erase(id);
}

Device* DeviceList::Find(const std::string& id) {
  const auto found = devices_.find(id);
  return found == devices_.end() ? nullptr : &found->second;
}

Device* DeviceList::LongestFree(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  Device* longest = nullptr;
  for (const auto& [id, device] : found->second) {
    if (device->state != DeviceState::kFree) continue;
    if (longest == nullptr || device->since_nanos < longest->since_nanos) {
      longest = device;
    }
  }
  return longest;
}

int64_t DeviceList::Usable(const std::string& key) const {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return 0;
  int64_t usable = 0;
  for (const auto& [id, device] : found->second) {
    if (device->state == DeviceState::kFree ||
        device->state == DeviceState::kLeased) {
      ++usable;
    }
  }
  return usable;
}

bool DeviceList::KnowsKey(const std::string& key) const {
  return by_key_.count(key) > 0;
}

std::vector<std::string> DeviceList::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, devices] : by_key_) keys.push_back(key);
  return keys;
}

}  // namespace assay::rpc::tracker
