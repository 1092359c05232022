#include "runtime/measure/in_process.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/base/large/large_bytes.h"
#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"
#include "runtime/executor/executor.h"
#include "runtime/measure/loop_session.h"

namespace assay::runtime {
namespace {

class InProcessSession : public LoopSession {
 public:
  InProcessSession(Clock* clock, std::shared_ptr<Device> device,
                   uint64_t placement_seed, int64_t load_nanos,
                   std::vector<std::unique_ptr<Executor>> executors)
      : LoopSession(clock),
        device_(std::move(device)),
        placement_seed_(placement_seed),
        load_nanos_(load_nanos),
        executors_(std::move(executors)) {}

  int threads() const override { return device_->num_threads(); }

  absl::Status SetInputs(const NamedTensors& inputs) override {
    for (const auto& executor : executors_) {
      ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
    }
    return absl::OkStatus();
  }

  absl::Status Replace(const Artifact& artifact) override {
    if (executors_.size() != 2) return Session::Replace(artifact);
    Executor::Options options;
    options.placement_seed = placement_seed_;
    options.beside = executors_[0].get();
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Executor> executor,
                           Executor::Create(artifact, device_.get(), options));
    if (!executor->SharesMemoryWith(*executors_[0])) {
      return absl::UnimplementedError(
          "the program has other inputs or outputs than the session, or needs "
          "more memory");
    }
    executors_[1] = std::move(executor);
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> LoadNanos() override { return load_nanos_; }

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool poison_outputs) override {
    Executor& executor = At(program);
    const auto run = [&executor] { return executor.Run(); };
    if (!poison_outputs) return TimeLoop(number, run);
    return TimeLoop(number, run,
                    [&executor] { return executor.PoisonOutputs(); });
  }

  absl::StatusOr<int64_t> TimeRunByCall(
      int program, bool poison_outputs,
      std::vector<int64_t>* call_nanos) override {
    Executor& executor = At(program);
    if (poison_outputs) ASSAY_RETURN_IF_ERROR(executor.PoisonOutputs());
    return TimeLoop(1, [&] { return executor.RunTimed(call_nanos); });
  }

  absl::StatusOr<NamedTensors> Outputs(int program) override {
    return At(program).GetOutputs();
  }

  absl::Status FlushCaches(int64_t bytes) override {
    return device_->FlushCaches(bytes);
  }

  Executor& At(int program) const {
    CHECK(program >= 0 && static_cast<size_t>(program) < executors_.size());
    return *executors_[static_cast<size_t>(program)];
  }

  // Destroyed in reverse order: executors need their device.
  const std::shared_ptr<Device> device_;
  const uint64_t placement_seed_;
  const int64_t load_nanos_;
  std::vector<std::unique_ptr<Executor>> executors_;
};

absl::StatusOr<std::unique_ptr<Executor>> CreateFromBytes(
    LargeBytes bytes, Device* device, const Executor::Options& options) {
  ASSAY_ASSIGN_OR_RETURN(Artifact artifact, ParseInPlace(std::move(bytes)));
  return Executor::Create(std::move(artifact), device, options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> InProcessRunner::Load(
    absl::Span<const Artifact* const> artifacts, const LoadOptions& options) {
  CHECK(artifacts.size() == 1 || artifacts.size() == 2);
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<Device> device,
                         DeviceFor(*artifacts[0], options.threads));
  Executor::Options placement;
  placement.placement_seed = options.placement_seed;
  for (const Artifact* artifact : artifacts) {
    placement.arena_bytes =
        std::max(placement.arena_bytes, artifact->arena_bytes);
  }
  const bool from_bytes = options.from_bytes && artifacts.size() == 1;
  LargeBytes bytes;
  if (from_bytes) bytes = Serialize(*artifacts[0]);
  int64_t load_nanos = 0;
  std::vector<std::unique_ptr<Executor>> executors;
  for (const Artifact* artifact : artifacts) {
    const int64_t start = clock_->NowNanos();
    ASSAY_ASSIGN_OR_RETURN(
        std::unique_ptr<Executor> executor,
        from_bytes ? CreateFromBytes(std::move(bytes), device.get(), placement)
                   : Executor::Create(*artifact, device.get(), placement));
    if (executors.empty()) load_nanos = clock_->NowNanos() - start;
    executors.push_back(std::move(executor));
    placement.beside = executors[0].get();
    placement.beside_artifact = artifacts[0];
  }
  return std::make_unique<InProcessSession>(
      clock_, device, options.placement_seed, load_nanos, std::move(executors));
}

absl::StatusOr<std::unique_ptr<Session>> InProcessRunner::LoadAndTake(
    Artifact* artifact, const LoadOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<Device> device,
                         DeviceFor(*artifact, options.threads));
  Executor::Options placement;
  placement.placement_seed = options.placement_seed;
  const int64_t start = clock_->NowNanos();
  std::vector<std::unique_ptr<Executor>> executors(1);
  ASSAY_ASSIGN_OR_RETURN(
      executors[0],
      Executor::Create(std::move(*artifact), device.get(), placement));
  const int64_t load_nanos = clock_->NowNanos() - start;
  // The executor has copied them if there is a seed.
  LargeBytes().swap(artifact->params);
  return std::make_unique<InProcessSession>(
      clock_, device, options.placement_seed, load_nanos, std::move(executors));
}

absl::StatusOr<std::shared_ptr<Device>> InProcessRunner::DeviceFor(
    const Artifact& artifact, int threads) {
  std::shared_ptr<Device>& device = devices_[{artifact.code_kind, threads}];
  if (device == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(device, CreateDevice(artifact.code_kind, threads));
  }
  return device;
}

}  // namespace assay::runtime
