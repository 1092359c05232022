#include "suites/harness/lane.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/device_facts.h"
#include "suites/harness/block_log.h"
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
void CompileForThreadsOf(DevicePlan* plan) {
  if (plan->threads != std::vector<int>{0}) return;
  if (absl::StrContains(plan->device.target(), "-num-cores=")) return;
  const int processors = UsableProcessors(plan->facts);
  if (processors == 0) return;
  absl::StrAppend(plan->device.mutable_target(), " -num-cores=", processors);
}

// Makes the device of a plan that has leased it as the lease says.
void AdoptLease(DevicePlan* plan) {
  if (devices::IsEmulated(plan->device) != plan->facts.emulated) {
    if (plan->facts.emulated) plan->device.mutable_emulator();
    if (!plan->facts.emulated) plan->device.mutable_in_process();
  }
  if (!plan->facts.emulated) {
    *plan->device.mutable_timing() = plan->device.board_timing();
    CompileForThreadsOf(plan);
  }
}

// Threads that share a processor wait for each other, so that a run with many
// of them would hardly end.
absl::Status CheckThreads(const DevicePlan& plan) {
  constexpr int kMaxThreadsPerProcessor = 4;
  const int processors = UsableProcessors(plan.facts);
  const int most = processors * kMaxThreadsPerProcessor;
  for (const int threads : plan.threads) {
    if (processors == 0 || threads <= most) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--threads=", threads, ": programs may use ", processors,
                     processors == 1 ? " processor" : " processors", " of `",
                     plan.device.name(), "`, on which at most ", most,
                     " threads can be measured"));
  }
  return absl::OkStatus();
}

// Returns the variants that --fusion and --tuning select.
absl::StatusOr<std::vector<reports::Variant>> VariantsFor(
    const MatrixOptions& matrix, const Compiler* compiler,
    const DevicePlan& plan) {
  absl::Status can_tune;
  if (matrix.tuning != TuningRows::kNone) {
    for (const int threads : plan.threads) {
      can_tune.Update(
          compiler->CanTune({plan.device, plan.facts.fingerprint, threads}));
    }
  }
  const bool optional =
      matrix.tuning == TuningRows::kAuto && absl::IsNotFound(can_tune);
  if (!optional) ASSAY_RETURN_IF_ERROR(can_tune);
  std::vector<reports::Variant> variants;
  for (const bool fusion : matrix.fusion) {
    if (matrix.tuning != TuningRows::kTuned) variants.push_back({fusion});
    if (matrix.tuning != TuningRows::kNone && !optional) {
      variants.push_back({fusion, /*tuned=*/true});
    }
  }
  return variants;
}

}  // namespace

absl::StatusOr<Lane> MakeLane(const Options& options, const Services& services,
                              const std::string& flag) {
  Lane lane;
  DevicePlan& plan = lane.plan;
  plan.flag = flag;
  ASSAY_ASSIGN_OR_RETURN(plan.device,
                         devices::LoadDevice(flag, services.folders.devices));
  plan.blocks = std::make_shared<BlockLog>();
  ASSAY_ASSIGN_OR_RETURN(
      plan.runner, services.tools.make_runner(
                       plan.device, [log = plan.blocks](const auto& block) {
                         log->Add(block);
                       }));
  plan.threads = options.matrix.threads;
  if (plan.threads.empty()) {
    plan.threads.push_back(plan.device.default_threads());
  }
  plan.facts = plan.runner->facts();
  if (plan.leased()) AdoptLease(&plan);
  ASSAY_RETURN_IF_ERROR(CheckThreads(plan));
  ASSAY_ASSIGN_OR_RETURN(
      plan.variants,
      VariantsFor(options.matrix, services.tools.compiler, plan));
  return lane;
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
