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
#include "compiler/graph/pipeline/pipeline.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "runtime/process/runfiles.h"
#include "suites/correctness/oracle.h"
#include "suites/devices/farm.h"
#include "suites/devices/local_devices.h"
#include "suites/harness/compiler/catalog_source.h"
#include "suites/harness/compiler/driver_compiler.h"
#include "suites/harness/compiler/row_tuning.h"
#include "suites/harness/compiler/stored_artifacts.h"
#include "suites/harness/host.h"
#include "suites/harness/progress.h"
#include "suites/harness/run.h"
#include "suites/machine/source_commit.h"
#include "suites/references/model_reference.h"
#include "suites/trace/trace_file.h"

namespace assay::suites {
namespace {

using Models =
    std::function<absl::StatusOr<std::vector<ModelSource>>(const Options&)>;

// The reference runtime with which outputs are compared without --reference.
constexpr char kDefaultReference[] = "onnxruntime";

// Returns the path of a folder in the user's cache; empty if there is no cache.
std::string CacheFolder(const std::string& name) {
  const absl::StatusOr<std::string> cache = UserCacheDir();
  return cache.ok() ? JoinPath(*cache, name) : "";
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
// is no terminal, as a line from time to time. Thread-safe.
class FarmLog {
 public:
  explicit FarmLog(Progress& progress) : progress_(progress) {}

  void Say(const std::string& text) {
    progress_.Say(text);
    const absl::MutexLock lock(&mutex_);
    const int64_t now = MonotonicNanos();
    if (isatty(STDERR_FILENO) != 0 || now < next_) return;
    std::cerr << text << "\n";
    next_ = now + kIntervalNanos;
  }

 private:
  static constexpr int64_t kIntervalNanos = 30'000'000'000;

  Progress& progress_;
  absl::Mutex mutex_;
  int64_t next_ = 0;
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

// Returns the compiler, or, with --artifacts, what an earlier run compiled.
absl::StatusOr<std::unique_ptr<Compiler>> MakeCompiler(
    const Options& options, const std::string& devices_folder) {
  if (!options.comparison.artifacts.empty()) {
    ASSAY_ASSIGN_OR_RETURN(StoredArtifacts stored,
                           StoredArtifacts::Open(options.comparison.artifacts));
    return std::make_unique<StoredArtifacts>(std::move(stored));
  }
  driver::CompileOptions compile = options.compile;
  compile.reproducer_dir = ReproducerFolder(options);
  ASSAY_ASSIGN_OR_RETURN(std::optional<RowTuning> tuning,
                         ReadTuning(options.matrix, devices_folder));
  return std::make_unique<DriverCompiler>(compile, std::move(tuning));
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
  ASSAY_ASSIGN_OR_RETURN(const std::string devices_folder,
                         runtime::FindRunfile(program, "assay/devices"));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler,
                         MakeCompiler(options, devices_folder));
  ASSAY_ASSIGN_OR_RETURN(const std::string version, ProgramDigest());
  Progress progress = Progress::OnStandardError();
  InterpreterOracle oracle(
      CacheFolder("oracle"), version, [&progress](int percent) {
        progress.Step(absl::StrCat("interpreting, for the right answer (",
                                   percent, " %)"));
      });
  FarmLog farm_log(progress);
  LocalDevices local(program);
  ThisMachine host(program, local);
  std::optional<Farm> farm;
  if (options.farm.has_tracker()) {
    farm.emplace(options.farm,
                 [&](const std::string& text) { farm_log.Say(text); });
  }
  const std::string& wanted = options.comparison.reference;
  const absl::StatusOr<std::unique_ptr<Reference>> reference =
      LoadModelReference(program, wanted.empty() ? kDefaultReference : wanted);
  std::optional<TraceFile> trace;
  if (!options.output.trace.empty()) trace.emplace(options.output.trace);

  SuiteRig rig = {*compiler,
                  oracle,
                  farm.has_value() ? static_cast<DeviceSource&>(*farm) : local,
                  host,
                  progress,
                  std::cout,
                  absl::NotFoundError("")};
  if (reference.ok()) {
    rig.reference = reference->get();
  } else {
    rig.reference = reference.status();
  }
  if (trace.has_value()) rig.trace = &*trace;
  rig.identity.program_digest = version;
  rig.identity.started_at = UtcNow();
  rig.identity.commit = SourceCommit(WorkspaceFolder());
  rig.identity.command = CommandDigest(suite, arguments, version);
  rig.folders = {devices_folder, CacheFolder("artifacts"), BaselineFolder()};
  ASSAY_ASSIGN_OR_RETURN(std::vector<ModelSource> sources, models(options));
  ASSAY_ASSIGN_OR_RETURN(const Outcome outcome,
                         RunSuite(options, std::move(sources), rig));
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
