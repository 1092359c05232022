// The first stage of a run: opens the devices, and reads what the cells of the
// matrix are compared with (cell.h).
#ifndef ASSAY_SUITES_HARNESS_PLAN_H_
#define ASSAY_SUITES_HARNESS_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/baseline/baseline.h"
#include "reports/result/run_result.h"
#include "reports/store/newest_builds.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/flags/options.h"

namespace assay::suites {

struct Plan {
  std::vector<ModelSource> models;  // in the order of measurement
  // The devices of --device, and the variants that are measured on each, in the
  // order of the rows.
  std::vector<DeviceSlot> devices;
  std::vector<std::vector<reports::Variant>> variants;
  // Environment of the first device that is not emulated. If all devices of the
  // matrix are emulated, this is the environment of the first device.
  reports::Environment environment;
  // Folder of the baselines; empty if there are none and none can be stored.
  std::string baseline_folder;
  std::map<std::string, reports::Baseline> baselines;  // by suite
  // Results of the run that --against specifies. Without --against, there are
  // no rows.
  reports::RunResult against;
  // The programs of earlier nights and the folder of their artifacts. Without
  // --follow, there are none.
  reports::NewestBuilds earlier;
  std::string earlier_artifacts;
  // Number of cells of the matrix of all models, including the cells that
  // --cells excludes.
  int64_t cells = 0;
  std::string notes;  // lines about the whole run

  // The file of the baseline of `suite` on this machine.
  std::string BaselinePath(const std::string& suite) const {
    return reports::BaselinePath(baseline_folder, suite,
                                 environment.fingerprint);
  }
};

// Plans a run of `models`, of which there is at least one. `baseline_folder` is
// the folder of the baselines unless --baseline is given. Errors of the user
// are found here, before any slow step. Returns the error of Compiler::CanTune
// if --tuning requires tuned rows.
absl::StatusOr<Plan> MakePlan(const Options& options,
                              std::vector<ModelSource> models,
                              const std::string& baseline_folder,
                              const DeviceFiles& files,
                              const Compiler& compiler);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_PLAN_H_
