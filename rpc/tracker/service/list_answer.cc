#include "rpc/tracker/service/list_answer.h"

#include "rpc/tracker/records.h"

namespace assay::rpc {
namespace {

// More than a field of a message adds to the bytes of its contents.
constexpr size_t kFieldBytes = 8;

double Seconds(int64_t nanos) { return static_cast<double>(nanos) / 1e9; }

ListedDevice::State StateOf(tracker::DeviceState state) {
  switch (state) {
    case tracker::DeviceState::kFree:
      return ListedDevice::FREE;
    case tracker::DeviceState::kLeased:
      return ListedDevice::LEASED;
    case tracker::DeviceState::kLost:
      return ListedDevice::LOST;
    case tracker::DeviceState::kQuarantined:
      return ListedDevice::QUARANTINED;
  }
  return ListedDevice::LOST;
}

ListedDevice Listed(const tracker::BookSnapshot::Device& device,
                    const Heartbeat* heartbeat, int64_t now) {
  ListedDevice listed;
  listed.set_device(device.device);
  listed.set_key(device.key);
  listed.set_state(StateOf(device.state));
  listed.set_seconds_in_state(Seconds(now - device.since_nanos));
  if (device.lease) listed.set_holder(device.lease->user);
  listed.set_reason(device.quarantine);
  if (heartbeat == nullptr) return listed;
  if (heartbeat->has_health()) *listed.mutable_health() = heartbeat->health();
  if (heartbeat->has_state()) {
    *listed.mutable_device_state() = heartbeat->state();
  }
  return listed;
}

ListedRequest Listed(const tracker::BookSnapshot::Waiting& waiting,
                     int64_t asked, int64_t now) {
  ListedRequest listed;
  listed.set_key(waiting.request.key);
  listed.set_user(waiting.request.user);
  listed.set_priority(static_cast<int32_t>(waiting.request.priority));
  listed.set_waited_seconds(Seconds(now - asked));
  listed.set_wait_seconds(waiting.expected_wait_nanos < 0
                              ? -1
                              : Seconds(waiting.expected_wait_nanos));
  return listed;
}

}  // namespace

ListAnswer MakeListAnswer(const tracker::BookSnapshot& snapshot,
                          const ListDetails& details, int64_t now,
                          size_t max_bytes) {
  ListAnswer answer;
  size_t bytes = kFieldBytes;
  // Returns true, and counts the message, if it fits.
  const auto fits = [&](const auto& message) {
    const size_t more = message.ByteSizeLong() + kFieldBytes;
    if (bytes + more > max_bytes) return false;
    bytes += more;
    return true;
  };
  int64_t omitted = 0;
  for (const auto& device : snapshot.devices) {
    ListedDevice listed = Listed(device, details.heartbeat(device.device), now);
    if (fits(listed)) {
      *answer.add_devices() = std::move(listed);
    } else {
      ++omitted;
    }
  }
  for (const auto& waiting : snapshot.queue) {
    // Nobody waits for a detached request.
    if (waiting.place == 0) continue;
    ListedRequest listed =
        Listed(waiting, details.asked_nanos(waiting.request.ticket), now);
    if (fits(listed)) {
      *answer.add_queue() = std::move(listed);
    } else {
      ++omitted;
    }
  }
  for (ListedDevice& device : *answer.mutable_devices()) {
    const DeviceFacts* facts = details.facts(device.device());
    if (facts != nullptr && fits(*facts)) *device.mutable_facts() = *facts;
  }
  answer.set_omitted(omitted);
  return answer;
}

}  // namespace assay::rpc
