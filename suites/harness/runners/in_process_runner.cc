#include "suites/harness/runners/in_process_runner.h"

#include <utility>
#include <vector>

#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"
#include "runtime/executor/executor.h"
#include "runtime/measure/local_measurer.h"

namespace assay::suites {
namespace {

class InProcessSession : public Session {
 public:
  InProcessSession(std::shared_ptr<runtime::Device> device,
                   std::unique_ptr<runtime::Executor> executor)
      : device_(std::move(device)), executor_(std::move(executor)) {}

  int threads() const override { return device_->num_threads(); }

  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    ASSAY_RETURN_IF_ERROR(executor_->Run());
    return executor_->GetOutputs();
  }

  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    ASSAY_ASSIGN_OR_RETURN(
        runtime::MeasureResult result,
        runtime::MeasureExecutor(executor_.get(), ToMeasureOptions(timing)));
    Measurement measurement;
    for (const double nanos : result.samples_ns) {
      measurement.samples_ms.push_back(nanos * 1e-6);
    }
    measurement.outputs = std::move(result.outputs);
    return measurement;
  }

  absl::StatusOr<std::unique_ptr<Session>> LoadSharingMemory(
      const runtime::Artifact& artifact,
      const runtime::NamedTensors& inputs) override {
    ASSAY_ASSIGN_OR_RETURN(
        std::unique_ptr<runtime::Executor> executor,
        runtime::Executor::Create(artifact, device_.get(), executor_.get()));
    ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
    return std::make_unique<InProcessSession>(device_, std::move(executor));
  }

  absl::Status SetInputs(const runtime::NamedTensors& inputs) override {
    return executor_->SetInputs(inputs);
  }

  absl::StatusOr<std::vector<int64_t>> TimeCalls() override {
    std::vector<int64_t> nanos;
    ASSAY_RETURN_IF_ERROR(executor_->RunTimed(&nanos));
    return nanos;
  }

 private:
  // Destroyed in reverse: the executor needs its device.
  const std::shared_ptr<runtime::Device> device_;
  const std::unique_ptr<runtime::Executor> executor_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> InProcessRunner::Load(
    const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
    int threads) {
  std::shared_ptr<runtime::Device>& device =
      devices_[{artifact.code_kind, threads}];
  if (device == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(device,
                           runtime::CreateDevice(artifact.code_kind, threads));
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Executor> executor,
                         runtime::Executor::Create(artifact, device.get()));
  ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
  return std::make_unique<InProcessSession>(device, std::move(executor));
}

runtime::MeasureOptions ToMeasureOptions(const devices::TimingPolicy& timing) {
  runtime::MeasureOptions options;
  options.warmup = timing.warmup();
  options.number = timing.number();
  options.repeat = timing.repeat();
  options.min_repeat_ms = timing.min_repeat_ms();
  options.cooldown_interval_ms = timing.cooldown_ms();
  return options;
}

}  // namespace assay::suites
