#include "suites/tune/programs/tuning_rack.h"

#include <utility>

#include "devices/device.pb.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "runtime/process/runfiles.h"
#include "suites/harness/driver_compiler.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/lane.h"
#include "suites/harness/run_services.h"
#include "suites/harness/runners/device_runner.h"

namespace assay::suites {
namespace {

// The time limit of an answer of the process that runs the trials. The longest
// answer is the first, which loads all weights.
constexpr double kTrialLimitS = 20;

}  // namespace

absl::StatusOr<std::unique_ptr<TuningRack>> TuningRack::Open(
    const RackOptions& options, const std::string& program,
    Progress* progress) {
  auto rack = std::make_unique<TuningRack>();
  Services services;
  ASSAY_ASSIGN_OR_RETURN(services.folders.devices,
                         runtime::FindRunfile(program, "assay/devices"));
  if (options.farm.has_tracker()) {
    const auto say = [progress](const std::string& text) {
      progress->Say(text);
    };
    rack->farm_.emplace(options.farm, FarmMessages{say, say});
  }
  services.tools.make_runner = [&](const devices::Device& device,
                                   const ObserveBlock&)
      -> absl::StatusOr<std::unique_ptr<runtime::Runner>> {
    if (rack->farm_.has_value()) return rack->farm_->MakeRunner(device);
    if (device.has_in_process()) return MakeTrialRunner(kTrialLimitS, program);
    return MakeDeviceRunner(device, program);
  };
  Options of_suite;
  if (options.threads > 0) of_suite.matrix.threads = {options.threads};
  for (int i = 0; i < options.farm.parallel; ++i) {
    ASSAY_ASSIGN_OR_RETURN(Lane lane,
                           MakeLane(of_suite, services, options.device));
    ASSAY_RETURN_IF_ERROR(rack->Add(std::move(lane.plan), options.accepts));
  }
  return rack;
}

absl::Status TuningRack::Add(DevicePlan plan, bool accepts) {
  ASSAY_ASSIGN_OR_RETURN(
      const TunedPlace place,
      ResolvePlace({plan.device, plan.facts.fingerprint, plan.threads[0]}));
  TuningDevice tuning = {place.target, place.threads};
  tuning.trials = plan.runner.get();
  const bool emulated = plan.facts.emulated;
  plans_.push_back(std::move(plan));
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
