#include "suites/harness/plan.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/result/run_folder.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/devices/place.h"
#include "suites/machine/environment.h"

namespace assay::suites {
namespace {

// Returns OK if models can be tuned for all numbers of threads of the device.
absl::Status CanTune(const Compiler& compiler, const DeviceSlot& slot) {
  for (const int threads : slot.threads) {
    ASSAY_ASSIGN_OR_RETURN(
        const Place place,
        ResolvePlace(slot.device, slot.facts.fingerprint, threads));
    ASSAY_RETURN_IF_ERROR(compiler.CanTune(place));
  }
  return absl::OkStatus();
}

// Returns the variants that --fusion and --tuning select.
absl::StatusOr<std::vector<reports::Variant>> VariantsFor(
    const MatrixOptions& matrix, const Compiler& compiler,
    const DeviceSlot& slot) {
  absl::Status can_tune;
  if (matrix.tuning != TuningRows::kNone) can_tune = CanTune(compiler, slot);
  const bool optional =
      matrix.tuning == TuningRows::kAuto && absl::IsNotFound(can_tune);
  if (!optional) ASSAY_RETURN_IF_ERROR(can_tune);
  std::vector<bool> tuned;
  if (matrix.tuning != TuningRows::kTuned) tuned.push_back(false);
  if (matrix.tuning != TuningRows::kNone && !optional) tuned.push_back(true);
  std::vector<reports::Variant> variants;
  for (const reports::Precision precision : matrix.precision) {
    for (const bool fusion : matrix.fusion) {
      for (const bool is_tuned : tuned) {
        variants.push_back({fusion, is_tuned, precision});
      }
    }
  }
  return variants;
}

absl::Status OpenDevices(const Options& options, const DeviceFiles& files,
                         const Compiler& compiler, Plan* plan) {
  bool any_real = false;
  for (const std::string& flag : options.matrix.devices) {
    ASSAY_ASSIGN_OR_RETURN(DeviceSlot slot,
                           OpenSlot(flag, options.matrix.threads, files));
    ASSAY_ASSIGN_OR_RETURN(std::vector<reports::Variant> variants,
                           VariantsFor(options.matrix, compiler, slot));
    const reports::Environment environment = EnvironmentOf(slot.facts);
    const bool real = !slot.facts.emulated;
    if (plan->devices.empty() || (!any_real && real)) {
      plan->environment = environment;
    }
    any_real |= real;
    const std::string remark = ProcessorRemark(environment);
    if (!remark.empty()) absl::StrAppend(&plan->notes, remark, "\n");
    plan->cells += static_cast<int64_t>(slot.threads.size() * variants.size() *
                                        plan->models.size());
    plan->devices.push_back(std::move(slot));
    plan->variants.push_back(std::move(variants));
  }
  if (options.comparison.blessing() && !any_real) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--bless` with nothing but the emulated device `",
                     plan->devices[0].device.name(),
                     "`: an emulator's times are no baseline"));
  }
  return absl::OkStatus();
}

absl::Status ReadBaselines(bool blessing, Plan* plan) {
  if (plan->baseline_folder.empty() && blessing) {
    return absl::InvalidArgumentError(
        "`--bless` does not know the workspace's folder; start the suite with "
        "`bazel run`, or give `--baseline`");
  }
  for (const ModelSource& model : plan->models) {
    const auto [baseline, is_new] = plan->baselines.try_emplace(model.suite);
    if (!is_new || plan->baseline_folder.empty()) continue;
    ASSAY_ASSIGN_OR_RETURN(
        baseline->second,
        reports::ReadBaseline(plan->BaselinePath(model.suite)));
  }
  return absl::OkStatus();
}

absl::Status ReadAgainst(const std::string& folder, Plan* plan) {
  ASSAY_ASSIGN_OR_RETURN(plan->against, reports::ReadRunFolder(folder));
  const reports::Environment& then = plan->against.environment;
  const reports::Environment& now = plan->environment;
  if (then.fingerprint != now.fingerprint) {
    absl::StrAppend(&plan->notes, "`", folder, "` is of another machine, ",
                    then.fingerprint, "; both are measured on this one\n");
  } else if (ComparableState(then) != ComparableState(now)) {
    absl::StrAppend(&plan->notes, "this machine changed since `", folder, "`: ",
                    StateChanges(ComparableState(then), ComparableState(now)),
                    "; both are measured now\n");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Plan> MakePlan(const Options& options,
                              std::vector<ModelSource> models,
                              const std::string& baseline_folder,
                              const DeviceFiles& files,
                              const Compiler& compiler) {
  CHECK(!models.empty());
  Plan plan;
  plan.models = std::move(models);
  ASSAY_RETURN_IF_ERROR(OpenDevices(options, files, compiler, &plan));
  const ComparisonOptions& comparison = options.comparison;
  plan.baseline_folder =
      comparison.baseline.empty() ? baseline_folder : comparison.baseline;
  ASSAY_RETURN_IF_ERROR(ReadBaselines(comparison.blessing(), &plan));
  if (!comparison.against.empty()) {
    ASSAY_RETURN_IF_ERROR(ReadAgainst(comparison.against, &plan));
  }
  return plan;
}

}  // namespace assay::suites
