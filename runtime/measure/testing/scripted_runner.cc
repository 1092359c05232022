#include "runtime/measure/testing/scripted_runner.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {

class ScriptedRunner::ScriptedSession : public Session {
 public:
  ScriptedSession(ScriptedRunner* runner,
                  absl::Span<const Artifact* const> artifacts,
                  LoadOptions options, Rng rng)
      : runner_(*runner),
        artifacts_(artifacts.begin(), artifacts.end()),
        options_(std::move(options)),
        rng_(rng),
        factor_(std::exp(runner_.script_.load_spread *
                         static_cast<double>(rng_.NormalFloat(0, 1)))) {
    options_.deferred = false;
  }

  DeviceFacts facts() const override { return runner_.facts(); }
  int threads() const override { return std::max(options_.threads, 1); }
  absl::Status SetInputs(const NamedTensors& inputs) override {
    inputs_ = inputs;
    digest_ = TensorsDigest(inputs);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) override {
    std::vector<Sample> samples;
    for (const SampleSpec& spec : block.samples) {
      const std::vector<int64_t> calls = Draw(spec.program);
      int64_t run = 0;
      for (const int64_t nanos : calls) run += nanos;
      run = std::max<int64_t>(run, 1);
      Sample& sample = samples.emplace_back();
      sample.number =
          std::max(spec.number, (block.min_sample_nanos + run - 1) / run);
      sample.nanos = run * sample.number;
      if (block.time_calls && sample.number == 1) sample.call_nanos = calls;
      if (block.read_outputs) {
        ASSAY_ASSIGN_OR_RETURN(sample.outputs, Outputs(spec.program));
      }
      Advance(sample.nanos);
    }
    return samples;
  }

 private:
  const Artifact* At(int program) const {
    return artifacts_.at(static_cast<size_t>(program));
  }

  std::vector<int64_t> Draw(int program) {
    const MachineScript& script = runner_.script_;
    std::vector<int64_t> nanos;
    for (const KernelCall& call : At(program)->calls) {
      const double longer = static_cast<double>(rng_.UniformFloat(0, 1));
      nanos.push_back(
          std::llround(factor_ * script.call_nanos(*At(program), call) *
                       (1 + script.scatter * longer)));
    }
    return nanos;
  }

  absl::StatusOr<NamedTensors> Outputs(int program) {
    NamedTensors& outputs = runner_.outputs_[{At(program), digest_}];
    if (!outputs.empty()) return outputs;
    if (real_ == nullptr) {
      ASSAY_ASSIGN_OR_RETURN(real_, runner_.real_.Load(artifacts_, options_));
    }
    ASSAY_RETURN_IF_ERROR(real_->SetInputs(inputs_));
    ASSAY_ASSIGN_OR_RETURN(Sample sample, RunOnce(*real_, program));
    outputs = std::move(sample.outputs);
    return outputs;
  }

  void Advance(int64_t nanos) {
    if (runner_.clock_ != nullptr) runner_.clock_->Advance(nanos);
  }

  ScriptedRunner& runner_;
  const std::vector<const Artifact*> artifacts_;
  LoadOptions options_;
  Rng rng_;
  const double factor_;
  NamedTensors inputs_;
  std::string digest_;
  std::unique_ptr<Session> real_;  // null until it is needed
};

double NanosByFlops(const KernelCall& call) {
  return 1000 + static_cast<double>(call.flops) / 100;
}

absl::StatusOr<std::unique_ptr<Session>> ScriptedRunner::Load(
    absl::Span<const Artifact* const> artifacts, const LoadOptions& options) {
  if (script_.one_artifact && artifacts.size() > 1) {
    return absl::UnimplementedError("the script has one artifact per session");
  }
  // A process that loads once draws from its placement.
  const Rng rng(SeedFor(script_.seed, absl::StrCat("load ", loads_++, " ",
                                                   options.placement_seed)));
  if (clock_ != nullptr) clock_->Advance(script_.load_nanos);
  return std::make_unique<ScriptedSession>(this, artifacts, options, rng);
}

}  // namespace assay::runtime
