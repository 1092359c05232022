#include "suites/harness/suite_main.h"

#include <unistd.h>

#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/passes/pipeline.h"
#include "devices/device.pb.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/process/runfiles.h"
#include "suites/comparison/canary.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/driver_compiler.h"
#include "suites/harness/progress.h"
#include "suites/harness/row_tuning.h"
#include "suites/harness/run.h"
#include "suites/harness/runners/device_runner.h"
#include "suites/harness/runners/farm.h"
#include "suites/harness/stored_artifacts.h"
#include "suites/machine/disturbance.h"
#include "suites/machine/source_commit.h"
#include "suites/references/model_reference.h"
#include "suites/sampling/idle_threads.h"
#include "suites/trace/trace_file.h"

namespace assay::suites {
namespace {

using Models =
    std::function<absl::StatusOr<std::vector<ModelSource>>(const Options&)>;

// The reference runtime with which outputs are compared without --reference.
constexpr char kDefaultReference[] = "onnxruntime";

// Loads the reference runtime `name`, which `owner` owns.
absl::StatusOr<ReferenceRuntime> LoadReference(
    const std::string& program, const std::string& name,
    std::unique_ptr<Reference>* owner) {
  ASSAY_ASSIGN_OR_RETURN(*owner, LoadModelReference(program, name));
  ReferenceRuntime reference;
  reference.name = absl::StrCat((*owner)->name(), " ", (*owner)->version());
  reference.load =
      [library = owner->get()](
          const Model& model, const runtime::NamedTensors& inputs, int threads,
          ByteProducts arithmetic) -> absl::StatusOr<PreparedReference> {
    CHECK(model.onnx != nullptr) << model.name;
    return library->LoadModel(
        {*model.onnx, model.file_with_external_data, arithmetic}, inputs,
        threads);
  };
  reference.settle = WaitForIdleThreads;
  return reference;
}

// Returns the cache folder of the oracle; empty if there is no user cache.
std::string OracleFolder() {
  const absl::StatusOr<std::string> cache = UserCacheDir();
  return cache.ok() ? JoinPath(*cache, "oracle") : "";
}

// Returns the cache folder of the artifacts of baselines; empty if there is no
// user cache.
std::string BaselineArtifactFolder() {
  const absl::StatusOr<std::string> cache = UserCacheDir();
  return cache.ok() ? JoinPath(*cache, "artifacts") : "";
}

// Returns the folder of the checked-in baselines. It is in the workspace, not
// in the runfiles, because --bless writes to it.
std::string BaselineFolder() {
  const std::string workspace = WorkspaceFolder();
  return workspace.empty() ? "" : JoinPath(workspace, "baselines");
}

// Returns a digest of the program, the suite and all flags except --resume, so
// that a run can be continued.
std::string CommandDigest(const SuiteFlags& suite,
                          const std::vector<std::string>& arguments,
                          const std::string& program_digest) {
  std::string text = absl::StrCat(program_digest, "\n", suite.name, "\n");
  for (const std::string& argument : arguments) {
    if (argument != "--resume") absl::StrAppend(&text, argument, "\n");
  }
  return Sha256Hex(text);
}

// Returns the folder for the reproducers of failures of the compiler.
std::string ReproducerFolder(const Options& options) {
  const std::string& dump_dir = options.compile.dump_dir;
  return dump_dir.empty() ? TempFolder() : dump_dir;
}

// Prints what happens in the farm: on the progress line, or, if standard error
// is no terminal, as a line from time to time.
class FarmLog {
 public:
  explicit FarmLog(Progress* progress) : progress_(*progress) {}

  FarmMessages Messages() {
    return {[this](const std::string& text) { Say(text); },
            [this](const std::string& text) { Remark(text); }};
  }
  std::string remarks() {
    const absl::MutexLock lock(&mutex_);
    return remarks_;
  }

 private:
  static constexpr int64_t kIntervalNanos = 30'000'000'000;

  void Say(const std::string& text) {
    progress_.Say(text);
    const absl::MutexLock lock(&mutex_);
    const int64_t now = MonotonicNanos();
    if (isatty(STDERR_FILENO) != 0 || now < next_) return;
    std::cerr << text << "\n";
    next_ = now + kIntervalNanos;
  }
  void Remark(const std::string& text) {
    const absl::MutexLock lock(&mutex_);
    absl::StrAppend(&remarks_, text, "\n");
  }

  Progress& progress_;
  absl::Mutex mutex_;
  int64_t next_ = 0;
  std::string remarks_;
};

// Reads the log for tuned rows, if there will be any.
absl::StatusOr<std::optional<RowTuning>> ReadTuning(
    const MatrixOptions& matrix, const std::string& devices_folder) {
  if (matrix.tuning == TuningRows::kNone) return std::nullopt;
  const std::string& log = matrix.tuning_log;
  return log.empty() ? RowTuning::Read(JoinPath(devices_folder, "tuning"),
                                       "devices/tuning")
                     : RowTuning::Read(log, log);
}

absl::StatusOr<ExitCode> Run(int argc, char** argv, const SuiteFlags& suite,
                             const Models& models) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  ASSAY_ASSIGN_OR_RETURN(const Options options,
                         ParseOptions(suite, arguments, CallersFolder()));
  if (options.help.has_value()) {
    std::cout << *options.help;
    return ExitCode::kPass;
  }
  const std::string program = argv[0];
  ASSAY_ASSIGN_OR_RETURN(
      const graph::SelectedPasses passes,
      graph::SelectPasses(graph::Pipeline(), options.compile.passes));
  if (!passes.bisected.empty()) std::cout << passes.bisected << "\n";
  driver::CompileOptions compile = options.compile;
  compile.reproducer_dir = ReproducerFolder(options);
  ASSAY_ASSIGN_OR_RETURN(const std::string devices_folder,
                         runtime::FindRunfile(program, "assay/devices"));
  std::unique_ptr<Compiler> compiler;
  if (options.comparison.artifacts.empty()) {
    ASSAY_ASSIGN_OR_RETURN(std::optional<RowTuning> tuning,
                           ReadTuning(options.matrix, devices_folder));
    compiler = std::make_unique<DriverCompiler>(compile, std::move(tuning));
  } else {
    ASSAY_ASSIGN_OR_RETURN(StoredArtifacts stored,
                           StoredArtifacts::Open(options.comparison.artifacts));
    compiler = std::make_unique<StoredArtifacts>(std::move(stored));
  }
  ASSAY_ASSIGN_OR_RETURN(std::string version, ProgramDigest());
  const std::string command = CommandDigest(suite, arguments, version);
  Progress progress(isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr,
                    Clock::Monotonic());
  InterpreterOracle oracle(OracleFolder(), version, [&progress](int percent) {
    progress.Step(
        absl::StrCat("interpreting, for the right answer (", percent, " %)"));
  });
  Services services;
  services.models = models;
  services.tools.compiler = compiler.get();
  services.tools.oracle = &oracle;
  FarmLog farm_log(&progress);
  std::optional<Farm> farm;
  if (options.farm.has_tracker()) {
    farm.emplace(options.farm, farm_log.Messages());
    services.tools.device_remarks = [&] { return farm_log.remarks(); };
    services.tools.stop_waiting = [&] { farm->StopWaiting(); };
  }
  services.tools.make_runner = [&](const devices::Device& device,
                                   const ObserveBlock& observe)
      -> absl::StatusOr<std::unique_ptr<runtime::Runner>> {
    if (farm.has_value()) return farm->MakeRunner(device, observe);
    return MakeDeviceRunner(device, program);
  };
  std::unique_ptr<Reference> reference;
  const std::string& wanted = options.comparison.reference;
  services.tools.reference = LoadReference(
      program, wanted.empty() ? kDefaultReference : wanted, &reference);
  services.tools.make_process_runner = [&](const std::string& path) {
    return MakeProcessRunner(path, program);
  };
  services.tools.canary = RunCanary;
  services.tools.observe_machine = [](int threads) {
    return [meter = std::make_shared<DisturbanceMeter>(
                threads, runtime::UsableCpuCount())] { return meter->Stop(); };
  };
  std::optional<TraceFile> trace;
  if (!options.output.trace.empty()) {
    services.trace = &trace.emplace(options.output.trace);
  }
  services.identity.program_digest = std::move(version);
  services.folders.devices = devices_folder;
  services.folders.baselines = BaselineFolder();
  services.folders.artifacts = BaselineArtifactFolder();
  services.identity.started_at = UtcNow();
  services.identity.commit = SourceCommit(WorkspaceFolder());
  services.identity.command = command;
  services.out = &std::cout;
  services.progress = &progress;
  ASSAY_ASSIGN_OR_RETURN(const Outcome outcome, RunSuite(options, services));
  return outcome.exit_code;
}

}  // namespace

int SuiteMain(int argc, char** argv, const SuiteFlags& suite,
              const Models& models) {
  return RunMain([&] { return Run(argc, argv, suite, models); });
}

int CatalogSuiteMain(int argc, char** argv, SuiteFlags suite) {
  suite.variants = VariantsOf(suite.name);
  return SuiteMain(argc, argv, suite, [&](const Options& options) {
    return ModelsOf(suite.name, options);
  });
}

}  // namespace assay::suites
