// //suites:tune: finds fast implementations and configurations for the kernels
// of a model by measuring them (compiler/docs/tuning.md).
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "compiler/tune/search/tuners.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/tasks.h"
#include "reports/stats/false_discovery.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/measure/device_facts.h"
#include "runtime/process/runfiles.h"
#include "runtime/text/pattern.h"
#include "suites/correctness/onnx_model.h"
#include "suites/harness/compiler/catalog_source.h"
#include "suites/harness/flags/farm_flags.h"
#include "suites/harness/flags/flag_group.h"
#include "suites/harness/flags/model_flags.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/progress.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/kernels/peak/machine_peak.h"
#include "suites/kernels/peak/measure_peak.h"
#include "suites/kernels/roofline.h"
#include "suites/models/catalog.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/network/accept_network.h"
#include "suites/tune/network/network_judge.h"
#include "suites/tune/page/tuning_page.h"
#include "suites/tune/programs/tuning_rack.h"
#include "suites/tune/progress/tuning_progress.h"
#include "suites/tune/replay/log_spaces.h"
#include "suites/tune/search/tune_task.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Measures implementations and configurations of the kernels of a model on "
    "a device, and\nwrites every trial to a log. `--tuning=LOG` of the suites "
    "compiles with the log. On\nthis machine, rates are shown as shares of its "
    "peak (//suites:peak): the peak is that of\nwhat the kernel computes with: "
    "float32 vectors, a third of bfloat16 tile products for\nbf16x3, or "
    "products of bytes.\n";
constexpr char kFooter[] =
    "\nA line of the log is on disk before the next trial starts. After a "
    "kill, the same command\nwith --resume continues, and repeats no trial. "
    "Logs are merged by concatenation\n(//suites:tune_log).\n\nA point "
    "replaces the default only after a side-by-side comparison of both. When "
    "all tasks\nare "
    "tuned, the network compiled with the log is compared with the untuned "
    "one. If it is\nslower, points are dropped, and it is compared again, at "
    "most five times, so that\n`--tuning=LOG` does not make it slower. The "
    "result is the last line:\n\n"
    "  resnet18, 2 threads: 0.97 [0.96, 0.98] of the untuned time, improved; 7 "
    "points kept, 3 dropped\n\nTimes of an emulated device mean nothing, so "
    "nothing is compared there.\n\nExit codes: 0 tuned; 2 usage; 5 the device "
    "or the log failed.";

struct Flags {
  std::string suite;
  std::string variant;
  std::string model;
  std::vector<std::string> dims;
  std::string device = "host";
  int threads = 0;
  std::string tasks = ".";  // all
  size_t most_tasks = std::numeric_limits<size_t>::max();
  std::string layouts = "all";
  double network_s = 20;
  std::optional<int> cooldown_ms;
  std::string seed = "0";
  std::string log;
  bool resume = false;
  std::string page;
  std::string hints;
  std::vector<std::string> transfer;
  std::string command;  // this command line
  FarmOptions farm;
  TuningOptions options;  // those that do not depend on the model
};

absl::StatusOr<Model> LoadModel(const Flags& flags) {
  if (flags.suite.empty() == flags.model.empty()) {
    return absl::InvalidArgumentError("give either `--suite` or `--model`");
  }
  Options options;
  if (!flags.model.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const auto dims, ParseDims(flags.dims));
    return LoadOnnxFile(flags.model, dims, options.compile.max_memory);
  }
  std::string variants;
  for (const CatalogEntry& entry : Catalog()) {
    if (flags.suite != entry.suite) continue;
    if (flags.variant.empty() || flags.variant == entry.variant) {
      return FromCatalog(entry, options).load();
    }
    absl::StrAppend(&variants, variants.empty() ? "" : ", ", entry.variant);
  }
  return absl::InvalidArgumentError(
      variants.empty()
          ? absl::StrCat("`--suite`: there is no suite `", flags.suite, "`")
          : absl::StrCat("`--variant` is `", flags.variant, "`; there are ",
                         variants));
}

int64_t WeightsBytes(const graph::Graph& graph) {
  int64_t bytes = 0;
  for (const graph::Node* node : graph.Nodes()) {
    if (node->kind() != graph::OpKind::kConstant) continue;
    bytes += static_cast<int64_t>(
        node->attrs_as<graph::ConstantAttrs>().value.num_bytes());
  }
  return bytes;
}

// Returns the planned tasks of the model that --tasks selects. Adds the numbers
// of calls of all tasks, by key, to `calls`.
absl::StatusOr<std::vector<PlannedTask>> Tasks(
    const Flags& flags, const Model& model, const target::Target& target,
    std::map<std::string, int64_t>* calls) {
  ASSAY_ASSIGN_OR_RETURN(
      std::vector<tune::Task> tasks,
      tune::ExtractTasks(*model.graph, target, {},
                         flags.layouts == "all"
                             ? tune::LayoutChoices::kAll
                             : tune::LayoutChoices::kDefault));
  for (const tune::Task& task : tasks) (*calls)[task.key] = task.calls;
  const auto pattern = runtime::Pattern::Parse(flags.tasks);
  if (!pattern.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--tasks`: ", pattern.status().message()));
  }
  tasks.erase(std::remove_if(tasks.begin(), tasks.end(),
                             [&](const tune::Task& task) {
                               return !pattern->Matches(task.workload) &&
                                      !pattern->Matches(task.key);
                             }),
              tasks.end());
  std::vector<PlannedTask> planned = PlanTasks(std::move(tasks), target);
  if (flags.most_tasks < planned.size()) {
    planned.erase(planned.begin() + static_cast<ptrdiff_t>(flags.most_tasks),
                  planned.end());
  }
  if (planned.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--tasks`: the model has no task `", flags.tasks, "`"));
  }
  return planned;
}

// Returns an error if the log has trials of this run and --resume is missing.
absl::Status CheckResume(const Flags& flags, uint64_t seed, const Log& log) {
  if (flags.resume) return absl::OkStatus();
  int64_t count = 0;
  for (const TuningRecord& record : log.records) {
    count += record.tuner == flags.options.tuner &&
             record.seed == static_cast<int64_t>(seed);
  }
  if (count == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "`", flags.log, "` has ", count, " trials of a run with `--tuner=",
      flags.options.tuner, "` and `--seed=", seed,
      "`: continue it with `--resume`, or choose another seed"));
}

// Returns the peak rates by the number of threads. They are measured once for
// each machine, and then read from the user's cache folder.
absl::StatusOr<std::map<int, PeakRates>> PeaksOfThisMachine(
    int threads, Progress* progress) {
  const MachinePeak known = StoredPeak();
  if (known.gflops.count(threads) > 0) return known.Rates();
  progress->Say("measuring the peak of this machine");
  ASSAY_ASSIGN_OR_RETURN(const MachinePeak peak, MeasurePeak(threads));
  ASSAY_RETURN_IF_ERROR(StorePeak(peak).status());
  return peak.Rates();
}

// Writes the page of all records of the log.
absl::Status WritePage(const Flags& flags, const std::string& model,
                       std::map<std::string, int64_t> calls,
                       const std::map<int, PeakRates>& peaks) {
  if (flags.page.empty()) return absl::OkStatus();
  TuningPageInputs inputs;
  ASSAY_ASSIGN_OR_RETURN(Log log, ReadLog(flags.log));
  inputs.records = std::move(log.records);
  inputs.networks = std::move(log.networks);
  inputs.calls = std::move(calls);
  if (!inputs.records.empty()) {
    inputs.peaks[inputs.records[0].device] = peaks;
  }
  inputs.title = model;
  inputs.command = flags.command;
  return WriteFileAtomic(flags.page, RenderTuningPage(inputs));
}

// Returns the trials of other tasks and devices that --transfer selects.
absl::StatusOr<OtherExamples> ReadOthers(const Flags& flags) {
  std::vector<LogSpace> spaces;
  for (const std::string& path : flags.transfer) {
    ASSAY_ASSIGN_OR_RETURN(const Log log, ReadLog(FromCallersFolder(path)));
    for (LogSpace& space : SpacesOf(log.records)) {
      spaces.push_back(std::move(space));
    }
  }
  return OtherExamples(spaces);
}

// Compares the network compiled with the log with the untuned one, drops points
// if it is slower, and prints the result.
absl::Status CompareNetwork(const Flags& flags, const Model& model,
                            const TuningDevice& device, uint64_t seed,
                            LogFile* file, Progress* progress) {
  if (flags.network_s == 0 || device.judge == nullptr) return absl::OkStatus();
  progress->Say("comparing the tuned network with the untuned one");
  const runtime::DeviceFacts facts = device.trials->facts();
  NetworkRecord header;
  header.network = model.name;
  header.model = model.digest;
  header.target = device.target.ToString();
  header.device = facts.fingerprint;
  header.board = facts.board;
  header.threads = device.threads;
  AcceptanceOptions options;
  options.budget_s = flags.network_s;
  options.seed = seed;
  NetworkJudge judge(model, device.judge, device.threads, options);
  NetworkTools tools;
  tools.compare = [&](const auto& untuned, const auto& tuned) {
    return judge.Compare(untuned, tuned);
  };
  tools.append = [&](const NetworkRecord& record) {
    return file->Append(record);
  };
  ASSAY_ASSIGN_OR_RETURN(const Log log, ReadLog(flags.log));
  ASSAY_ASSIGN_OR_RETURN(
      const AcceptedNetwork accepted,
      AcceptNetwork(model, device.target, header, log, tools));
  progress->Clear();
  std::cout << Describe(header, accepted) << "\n";
  return absl::OkStatus();
}

// Makes the paths independent of the working directory.
absl::Status CompletePaths(Flags* flags) {
  if (flags->log.empty()) {
    return absl::InvalidArgumentError("`--log` is missing");
  }
  for (std::string* path :
       {&flags->log, &flags->model, &flags->page, &flags->hints}) {
    if (!path->empty()) *path = FromCallersFolder(*path);
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(Flags flags, const std::string& program) {
  uint64_t seed = 0;
  ASSAY_RETURN_IF_ERROR(ParseSeed("--seed", flags.seed, &seed));
  ASSAY_RETURN_IF_ERROR(CompletePaths(&flags));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string builder,
      runtime::FindRunfile(program, "assay/suites/tune/build/point_builder"));
  ASSAY_ASSIGN_OR_RETURN(LogFile file, LogFile::Open(flags.log));
  ASSAY_ASSIGN_OR_RETURN(const Log log, ReadLog(flags.log));
  ASSAY_RETURN_IF_ERROR(CheckResume(flags, seed, log));
  ASSAY_ASSIGN_OR_RETURN(const Model model, LoadModel(flags));
  Progress progress = Progress::OnStandardError();
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<TuningRack> rack,
      TuningRack::Open({flags.device, flags.threads,
                        flags.options.acceptance.budget_s > 0, flags.farm},
                       program, &progress));
  std::map<std::string, int64_t> calls;
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<PlannedTask> tasks,
      Tasks(flags, model, rack->devices()[0].target, &calls));

  TuningOptions options = flags.options;
  options.seed = seed;
  options.weights_bytes = WeightsBytes(*model.graph);
  options.trial.cooldown_nanos =
      int64_t{1'000'000} * flags.cooldown_ms.value_or(rack->cooldown_ms());
  options.acceptance.test.log_e_alarm = stats::LogEValueForOneOf(
      static_cast<int64_t>(tasks.size()), /*fdr=*/0.05);
  ASSAY_ASSIGN_OR_RETURN(options.others, ReadOthers(flags));
  if (!flags.hints.empty()) {
    ASSAY_ASSIGN_OR_RETURN(options.hints, ReadHints(flags.hints));
  }
  TuningLog tuning_log;
  tuning_log.earlier = &log.records;
  tuning_log.append = [&](const TuningRecord& record) {
    return file.Append(record);
  };
  std::map<int, PeakRates> peaks;
  const int threads = rack->devices()[0].threads;
  if (rack->is_here()) {
    ASSAY_ASSIGN_OR_RETURN(peaks, PeaksOfThisMachine(threads, &progress));
  }
  TuningProgress::Run shown = {static_cast<int>(tasks.size())};
  if (peaks.count(threads) > 0) shown.peaks = peaks[threads];
  TuningProgress tuning_progress(shown, &std::cout, &progress,
                                 Clock::Monotonic());
  BuildPool builders({{builder}, runtime::UsableCpuCount()});
  const int64_t start = MonotonicNanos();
  absl::Status status = TuneTasks(tasks, rack->devices(), options, &builders,
                                  tuning_log, &tuning_progress);
  progress.Clear();
  const double seconds = static_cast<double>(MonotonicNanos() - start) * 1e-9;
  const int64_t records = tuning_progress.num_records();
  std::cout << absl::StrFormat("%d records in %.0f s, %.1f per second\n",
                               records, seconds,
                               static_cast<double>(records) / seconds);
  if (status.ok()) {
    status = CompareNetwork(flags, model, rack->devices()[0], seed, &file,
                            &progress);
  }
  ASSAY_RETURN_IF_ERROR(WritePage(flags, model.name, calls, peaks));
  ASSAY_RETURN_IF_ERROR(status);
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  flags.options.limits.trials = 200;
  flags.options.acceptance.budget_s = 5;
  CLI::App app(assay::suites::kDescription, "./bazelw run //suites:tune --");
  app.footer(assay::suites::kFooter);
  app.add_option("--suite", flags.suite,
                 "tune a model of this suite, such as resnet18");
  app.add_option("--variant", flags.variant, "of the suite; default its first");
  app.add_option("--model", flags.model, "tune the model in this ONNX file")
      ->type_name("FILE");
  app.add_option("--dim", flags.dims, "extent of a dimension of the model")
      ->type_name("NAME=EXTENT");
  app.add_option("--device", flags.device, "default host");
  app.add_option("--threads", flags.threads,
                 "threads of a kernel; default that of the device")
      ->check(CLI::Range(0, 1024));
  app.add_option("--tasks", flags.tasks,
                 "tune only tasks whose workload or key matches this regular "
                 "expression");
  app.add_option("--most_tasks", flags.most_tasks,
                 "tune only the tasks that take most of the time")
      ->check(CLI::Range(size_t{1}, size_t{1'000'000}))
      ->default_str("all");
  app.add_option("--layouts", flags.layouts,
                 "all: also layouts and algorithms that the cost model does "
                 "not choose; chosen: only those that it chooses")
      ->check(CLI::IsMember({"all", "chosen"}));
  app.add_option("--tuner", flags.options.tuner,
                 "how points are chosen; default xgb")
      ->check(CLI::IsMember(assay::tune::TunerNames()));
  app.add_option("--trials", flags.options.limits.trials,
                 "per task, at most; default 200")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}));
  app.add_option("--plateau", flags.options.limits.plateau,
                 "end a task after so many trials without a gain of 1 %; "
                 "default 0: never")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}));
  app.add_option("--time", flags.options.seconds,
                 "seconds for all searches together; default 0: no limit")
      ->check(CLI::Range(0.0, 1e7));
  app.add_option("--accept_time", flags.options.acceptance.budget_s,
                 "seconds for which a point is measured next to the default "
                 "point to decide if it replaces it, at most 3 times per task; "
                 "half as many are spent once per task to choose among the "
                 "fastest points; default 5; 0: compare nothing, so that no "
                 "point is accepted")
      ->check(CLI::Range(0.0, 3600.0));
  app.add_option("--network_time", flags.network_s,
                 "seconds for each comparison of the tuned with the untuned "
                 "network; default 20; 0: compare none")
      ->check(CLI::Range(0.0, 3600.0));
  app.add_option("--cooldown_ms", flags.cooldown_ms,
                 "pause before each sample; default that of the device")
      ->check(CLI::Range(0, 60'000));
  app.add_option("--seed", flags.seed, "of the tuner; default 0");
  app.add_option("--log", flags.log, "the log to which trials are appended")
      ->type_name("FILE");
  app.add_flag("--resume", flags.resume,
               "continue the run with the same tuner and seed in the log");
  app.add_option("--transfer", flags.transfer,
                 "let the tuner xgb learn from the trials of other tasks and "
                 "devices in these logs, which must be the same after --resume")
      ->type_name("FILE");
  app.add_option("--hints", flags.hints,
                 "try the points of this log of AutoTVM first, where they "
                 "correspond to points here")
      ->type_name("FILE");
  app.add_option("--page", flags.page,
                 "write an HTML page with the curve of each task")
      ->type_name("FILE");
  flags.command = "./bazelw run //suites:tune --";
  for (int i = 1; i < argc; ++i) absl::StrAppend(&flags.command, " ", argv[i]);
  const assay::suites::FinishFlags finish =
      assay::suites::AddFarmFlags(app, &flags.farm);
  return assay::RunCommand(
      app, argc, argv, [&]() -> absl::StatusOr<assay::ExitCode> {
        ASSAY_RETURN_IF_ERROR(finish(assay::CallersFolder()));
        return assay::suites::Run(std::move(flags), argv[0]);
      });
}
