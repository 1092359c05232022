// DeviceList: the devices of a tracker and their states.
//
//   DeviceList list;
//   Device& device = list.Add("rack1-03", "rpi3b", now);  // lost
//   device.lost = false;
//   UpdateState(device, now);                             // free
//   list.LongestFree("rpi3b");                            // &device
//
// Pointers and references to a device are valid until it is removed.
#ifndef ASSAY_RPC_TRACKER_DEVICE_LIST_H_
#define ASSAY_RPC_TRACKER_DEVICE_LIST_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

struct Device {
  std::string id = {};
  std::string key = {};
  // False after a restart of the tracker, until the device registers again.
  bool registered = false;
  bool lost = true;
  int64_t heartbeat_nanos = 0;  // time of the last heartbeat
  // What the device said about its health in the last heartbeat.
  std::string health = {};
  std::string quarantine = {};  // the reason, or empty
  std::optional<Lease> lease = {};
  // Computed by UpdateState().
  DeviceState state = DeviceState::kLost;
  int64_t since_nanos = 0;  // time of the last change of `state`
};

// Returns `free`, `leased`, `lost` or `quarantined`.
absl::string_view StateName(DeviceState state);

// Computes the state of a device: lost, or else quarantined, or else leased, or
// else free. Must be called after each change of the device. Returns true if
// the state has changed.
bool UpdateState(Device& device, int64_t now);

class DeviceList {
 public:
  DeviceList() = default;
  DeviceList(DeviceList&&) = default;
  DeviceList& operator=(DeviceList&&) = default;

  // Adds a device, which is lost. CHECK-fails if the id is in the list.
  Device& Add(const std::string& id, const std::string& key, int64_t now);
  void ChangeKey(Device& device, const std::string& key);
  void Remove(Device& device);

  // Returns null if there is no such device.
  Device* Find(const std::string& id);

  // Returns the device of the key that has been free for the longest time, so
  // that all devices are used, or null if none is free. Among several, the one
  // with the smallest id is returned.
  Device* LongestFree(const std::string& key);
  // Returns the number of devices of the key that are free or leased.
  int64_t Usable(const std::string& key) const;

  bool KnowsKey(const std::string& key) const;
  // Returns the keys that devices have or had, in alphabetical order. A key
  // stays known if its last device is removed or has another key.
  std::vector<std::string> Keys() const;

  int64_t size() const { return static_cast<int64_t>(devices_.size()); }
  // Returns all devices by their ids. Only the values may be changed.
  std::map<std::string, Device>& devices() { return devices_; }
  const std::map<std::string, Device>& devices() const { return devices_; }

 private:
  std::map<std::string, Device> devices_;
  // The devices of each known key, ordered by id.
  std::map<std::string, std::map<std::string, Device*>> by_key_;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_DEVICE_LIST_H_
