#include "suites/serve/served_model.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "reports/stats/summary.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_affinity.h"
#include "runtime/device/device.h"
#include "runtime/devices/devices.h"
#include "runtime/executor/executor.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/checked_session.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {
namespace {

constexpr int kExamples = 2;
constexpr int64_t kWarmUpRuns = 10;  // of each instance

// Limits the calling thread, and the threads that it creates, to some
// processors while the object exists.
class ScopedCpus {
 public:
  explicit ScopedCpus(const std::vector<int>& cpus)
      : before_(runtime::AllowedCpus()) {
    (void)runtime::SetAllowedCpusOf(/*tid=*/0, cpus);
  }
  ~ScopedCpus() { (void)runtime::SetAllowedCpusOf(/*tid=*/0, before_); }
  ScopedCpus(const ScopedCpus&) = delete;
  ScopedCpus& operator=(const ScopedCpus&) = delete;

 private:
  const std::vector<int> before_;
};

// Returns neighbouring processors for an instance; all if there are fewer
// processors than instances.
std::vector<int> CpusOf(int instance, int instances) {
  const std::vector<int> all = runtime::AllowedCpus();
  const size_t each = all.size() / static_cast<size_t>(instances);
  if (each == 0) return all;
  const auto begin = all.begin() + static_cast<ptrdiff_t>(each) *
                                       static_cast<ptrdiff_t>(instance);
  return {begin, instance + 1 == instances
                     ? all.end()
                     : begin + static_cast<ptrdiff_t>(each)};
}

}  // namespace

struct ServedModel::Instance {
  std::vector<int> cpus;
  // Destroyed in reverse order: the executor needs its device.
  std::unique_ptr<runtime::Device> device;
  std::unique_ptr<runtime::Executor> executor;
  Rng rng{0};               // draws the runs that are checked
  bool has_thread = false;  // its thread has the processors
  bool checks_next = true;  // the outputs are poisoned
  int64_t checked = 0;
  std::vector<double> warm_up_s;
};

ServedModel::ServedModel(const ServedModelOptions& options)
    : options_(options) {}

ServedModel::~ServedModel() = default;

int64_t ServedModel::checked() const {
  int64_t checked = 0;
  for (const auto& instance : instances_) checked += instance->checked;
  return checked;
}

absl::StatusOr<std::unique_ptr<ServedModel>> ServedModel::Create(
    const Model& model, const ServedModelOptions& options, Oracle& oracle,
    const std::function<void(absl::string_view)>& step) {
  std::unique_ptr<ServedModel> served(new ServedModel(options));
  step("compiling and checking");
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
                         served->Check(model, oracle));
  step("starting the instances");
  ASSAY_RETURN_IF_ERROR(served->StartInstances(artifact));
  ASSAY_RETURN_IF_ERROR(served->WarmUp());
  return served;
}

absl::StatusOr<runtime::Artifact> ServedModel::Check(const Model& model,
                                                     Oracle& oracle) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  ASSAY_ASSIGN_OR_RETURN(
      runtime::Artifact artifact,
      driver::Compile(*model.graph, target.WithCores(options_.threads),
                      driver::CompileOptions()));
  std::vector<Example> examples;
  for (uint64_t i = 0; i < kExamples; ++i) {
    Example example;
    example.inputs = SeededInputs(*model.graph, options_.seed + i);
    ASSAY_ASSIGN_OR_RETURN(example.answer,
                           oracle.Reference(model, example.inputs));
    example.sensitivity = std::make_shared<RoundingSensitivity>(
        model.computed(),
        [&oracle, &model, inputs = example.inputs](uint64_t seed) {
          return oracle.Outputs(model, inputs, seed);
        });
    inputs_.push_back(example.inputs);
    examples.push_back(std::move(example));
  }
  runtime::InProcessRunner runner;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         runner.Load({&artifact}, {options_.threads}));
  CheckedSession checked(std::move(session), examples, InterpreterRule(model));
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, checked.Examine());
  if (!accuracy.correct) {
    return absl::DataLossError(
        absl::StrCat(model.name, ": ", accuracy.problem));
  }
  outputs_ = checked.record()->outputs;
  return artifact;
}

absl::Status ServedModel::StartInstances(const runtime::Artifact& artifact) {
  for (int i = 0; i < options_.instances; ++i) {
    auto instance = std::make_unique<Instance>();
    instance->cpus = CpusOf(i, options_.instances);
    instance->rng = Rng(SeedFor(options_.seed, absl::StrCat("checks ", i)));
    // The workers of the device run on the processors of this thread.
    const ScopedCpus cpus(instance->cpus);
    ASSAY_ASSIGN_OR_RETURN(
        instance->device,
        runtime::CreateDevice(artifact.code_kind, options_.threads));
    ASSAY_ASSIGN_OR_RETURN(
        instance->executor,
        runtime::Executor::Create(artifact, instance->device.get()));
    ASSAY_RETURN_IF_ERROR(instance->executor->PoisonOutputs());
    instances_.push_back(std::move(instance));
  }
  servers_ = std::make_unique<ThreadServers>(
      options_.instances, options_.batch,
      [this](int instance, int64_t sample, int64_t* end_nanos) {
        return Run(instance, sample, end_nanos);
      });
  return absl::OkStatus();
}

absl::Status ServedModel::Run(int index, int64_t sample, int64_t* end_nanos) {
  Instance& instance = *instances_[static_cast<size_t>(index)];
  if (!instance.has_thread && options_.instances > 1) {
    (void)runtime::SetAllowedCpusOf(/*tid=*/0, instance.cpus);
  }
  instance.has_thread = true;
  const auto example = static_cast<size_t>(sample % kExamples);
  const int64_t begin = MonotonicNanos();
  ASSAY_RETURN_IF_ERROR(instance.executor->SetInputs(inputs_[example]));
  ASSAY_RETURN_IF_ERROR(instance.executor->Run());
  *end_nanos = MonotonicNanos();
  if (instance.warm_up_s.size() < kWarmUpRuns) {
    instance.warm_up_s.push_back(static_cast<double>(*end_nanos - begin) *
                                 1e-9);
  }
  if (instance.checks_next) {
    ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors outputs,
                           instance.executor->GetOutputs());
    if (!SameBits(outputs, outputs_[example])) {
      return absl::DataLossError(
          absl::StrCat("the outputs of query ", sample,
                       " differ from those of the checked program"));
    }
    ++instance.checked;
  }
  instance.checks_next = instance.rng.UniformFloat(0, 1) < options_.check_share;
  return instance.checks_next ? instance.executor->PoisonOutputs()
                              : absl::OkStatus();
}

absl::Status ServedModel::WarmUp() {
  const std::vector<int64_t> arrivals(
      static_cast<size_t>(kWarmUpRuns * options_.instances * options_.batch),
      0);
  ASSAY_RETURN_IF_ERROR(servers_->Serve(arrivals, LateLimit()).status());
  std::vector<double> times;
  for (const auto& instance : instances_) {
    times.insert(times.end(), instance->warm_up_s.begin(),
                 instance->warm_up_s.end());
    instance->checked = 0;
  }
  if (times.empty()) return absl::InternalError("no instance has run");
  batch_s_ = stats::Median(times);
  return absl::OkStatus();
}

}  // namespace assay::suites
