#include "suites/tune/programs/tuning_rack.h"

#include <utility>

#include "devices/device.pb.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "runtime/process/runfiles.h"
#include "suites/devices/local_devices.h"
#include "suites/devices/place.h"

namespace assay::suites {
namespace {

// The time limit of an answer of the process that runs the trials. The longest
// answer is the first, which loads all weights.
constexpr double kTrialLimitS = 20;

// Opens this machine for trials, and its emulators as for suites.
class TrialDevices : public LocalDevices {
 public:
  using LocalDevices::LocalDevices;
  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& device, BlockLog* blocks) override {
    if (device.has_in_process()) return OpenForTrials(kTrialLimitS);
    return LocalDevices::Open(device, blocks);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<TuningRack>> TuningRack::Open(
    const RackOptions& options, const std::string& program,
    Progress* progress) {
  auto rack = std::make_unique<TuningRack>();
  ASSAY_ASSIGN_OR_RETURN(const std::string folder,
                         runtime::FindRunfile(program, "assay/devices"));
  TrialDevices local(program);
  DeviceSource* source = &local;
  if (options.farm.has_tracker()) {
    source = &rack->farm_.emplace(
        options.farm,
        [progress](const std::string& text) { progress->Say(text); });
  }
  std::vector<int> threads;
  if (options.threads > 0) threads.push_back(options.threads);
  for (int i = 0; i < options.farm.parallel; ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        DeviceSlot slot, OpenSlot(options.device, threads, {folder, *source}));
    ASSAY_RETURN_IF_ERROR(rack->Add(std::move(slot), options.accepts));
  }
  return rack;
}

absl::Status TuningRack::Add(DeviceSlot slot, bool accepts) {
  ASSAY_ASSIGN_OR_RETURN(
      const Place place,
      ResolvePlace(slot.device, slot.facts.fingerprint, slot.threads[0]));
  TuningDevice tuning = {place.target, place.threads};
  tuning.trials = slot.runner.get();
  const bool emulated = slot.facts.emulated;
  slots_.push_back(std::move(slot));
  if (accepts && is_here()) {
    tuning.judge = &in_process_;
  } else if (accepts && !emulated) {
    tuning.judge = tuning.trials;
  }
  tuning.overlap = !is_here();
  tuning_.push_back(std::move(tuning));
  return absl::OkStatus();
}

}  // namespace assay::suites
