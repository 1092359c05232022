#include "suites/harness/runners/onnxruntime_session.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/timing_loop.h"
#include "suites/harness/runners/in_process_runner.h"

namespace assay::suites {
namespace {

class OnnxRuntimeSession : public Session {
 public:
  OnnxRuntimeSession(std::unique_ptr<PreparedModel> model, int threads)
      : model_(std::move(model)), threads_(threads) {}

  int threads() const override { return threads_; }

  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    ASSAY_RETURN_IF_ERROR(model_->Run());
    return model_->Outputs();
  }

  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    runtime::TimingLoopHooks hooks;
    hooks.run = [this] { return model_->Run(); };
    ASSAY_ASSIGN_OR_RETURN(
        const runtime::TimingSamples samples,
        runtime::RunTimingLoop(hooks, ToMeasureOptions(timing),
                               Clock::Monotonic()));
    Measurement measurement;
    for (const double nanos : samples.samples_ns) {
      measurement.samples_ms.push_back(nanos * 1e-6);
    }
    ASSAY_ASSIGN_OR_RETURN(measurement.outputs, model_->Outputs());
    return measurement;
  }

 private:
  const std::unique_ptr<PreparedModel> model_;
  const int threads_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> LoadOnnxRuntimeSession(
    OnnxRuntime* onnxruntime, const Model& model,
    const runtime::NamedTensors& inputs, int threads) {
  if (model.onnx == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("model `", model.name,
                     "` has its weights in files beside it, which are not "
                     "handed to ONNX Runtime"));
  }
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<PreparedModel> prepared,
      onnxruntime->PrepareModel(*model.onnx, inputs, threads));
  return std::make_unique<OnnxRuntimeSession>(std::move(prepared), threads);
}

}  // namespace assay::suites
