#include "suites/devices/device_slot.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/device_facts.h"
#include "suites/machine/environment.h"

namespace assay::suites {
namespace {

// Returns the number of processors that programs may use; 0 if it is unknown.
int UsableProcessors(const runtime::DeviceFacts& facts) {
  const auto usable = facts.state.find(runtime::kStateUsableProcessors);
  int processors = 0;
  if (usable == facts.state.end() ||
      !absl::SimpleAtoi(usable->second, &processors)) {
    return 0;
  }
  return std::max(0, processors);
}

// Without --threads, programs may use all processors of the device, of which
// this machine may have another number.
void CompileForThreadsOf(DeviceSlot* slot) {
  if (slot->threads != std::vector<int>{0}) return;
  if (absl::StrContains(slot->device.target(), "-num-cores=")) return;
  const int processors = UsableProcessors(slot->facts);
  if (processors == 0) return;
  absl::StrAppend(slot->device.mutable_target(), " -num-cores=", processors);
}

// Makes the device of a slot that has leased it as the lease says.
void AdoptLease(DeviceSlot* slot) {
  if (devices::IsEmulated(slot->device) != slot->facts.emulated) {
    if (slot->facts.emulated) slot->device.mutable_emulator();
    if (!slot->facts.emulated) slot->device.mutable_in_process();
  }
  if (!slot->facts.emulated) {
    *slot->device.mutable_timing() = slot->device.board_timing();
    CompileForThreadsOf(slot);
  }
}

// Threads that share a processor wait for each other, so that a run with many
// of them would hardly end.
absl::Status CheckThreads(const DeviceSlot& slot) {
  constexpr int kMaxThreadsPerProcessor = 4;
  const int processors = UsableProcessors(slot.facts);
  const int most = processors * kMaxThreadsPerProcessor;
  for (const int threads : slot.threads) {
    if (processors == 0 || threads <= most) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--threads=", threads, ": programs may use ", processors,
                     processors == 1 ? " processor" : " processors", " of `",
                     slot.device.name(), "`, on which at most ", most,
                     " threads can be measured"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceSlot> OpenSlot(const std::string& flag,
                                    const std::vector<int>& threads,
                                    const DeviceFiles& files) {
  DeviceSlot slot;
  slot.flag = flag;
  ASSAY_ASSIGN_OR_RETURN(slot.device, devices::LoadDevice(flag, files.folder));
  slot.blocks = std::make_unique<BlockLog>();
  ASSAY_ASSIGN_OR_RETURN(slot.runner,
                         files.source.Open(slot.device, slot.blocks.get()));
  slot.threads = threads;
  if (threads.empty()) slot.threads.push_back(slot.device.default_threads());
  slot.facts = slot.runner->facts();
  if (slot.leased()) {
    AdoptLease(&slot);
  } else {
    slot.runtime_digest = files.source.RuntimeDigest(slot.device);
  }
  ASSAY_RETURN_IF_ERROR(CheckThreads(slot));
  return slot;
}

std::string WhyNotTogether(const runtime::DeviceFacts& first,
                           const runtime::DeviceFacts& other) {
  if (other.fingerprint != first.fingerprint) {
    return absl::StrCat("is a machine of another kind than ", first.board, ", ",
                        other.fingerprint);
  }
  const std::string before = ComparableState(EnvironmentOf(first));
  const std::string now = ComparableState(EnvironmentOf(other));
  if (first.emulated || before == now) return "";
  return absl::StrCat("is in another state than ", first.board, " (",
                      StateChanges(before, now), ")");
}

}  // namespace assay::suites
