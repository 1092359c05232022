// //suites:calibration: measures how reliable verdicts on this machine are.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "devices/device.h"
#include "devices/device.pb.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "runtime/measure/device_facts.h"
#include "runtime/measure/in_process.h"
#include "runtime/measure/session.h"
#include "runtime/process/runfiles.h"
#include "suites/comparison/run_to_verdict.h"
#include "suites/comparison/subject.h"
#include "suites/devices/farm.h"
#include "suites/devices/local_devices.h"
#include "suites/harness/flags/farm_flags.h"
#include "suites/harness/flags/flag_group.h"
#include "suites/harness/progress.h"
#include "suites/machine/source_commit.h"
#include "suites/trials/background_load.h"
#include "suites/trials/bench.h"
#include "suites/trials/record.h"
#include "suites/trials/trial.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compares kernels and networks with twins, as the gate compares two "
    "commits: with builds that\ndiffer without being slower, and with programs "
    "that do more work. Prints the rates of the\nverdicts and the time to a "
    "verdict, on the idle machine and with neighbours that disturb.\n";
constexpr char kFooter[] =
    "\nEvery trial is appended to FOLDER/trials.csv as it ends, every regime "
    "to\nFOLDER/batches.csv; report.txt has the tables. A run that was stopped "
    "continues with the\nsame flags: trials in trials.csv are not repeated. "
    "With all regimes and both numbers of\nprocesses it takes several "
    "hours. With --tracker, a leased device is measured.\n\nExit codes: 0 "
    "measured; 2 usage; 5 the machine failed, or an output was wrong.";

constexpr char kHost[] = "host";
// How often a trial is repeated because its device was lost.
constexpr int kMaxAttempts = 3;

struct Flags {
  CalibrationOptions options;
  FarmOptions farm;
  std::string device = kHost;
  std::vector<std::string> regimes = {"idle", "bursts"};
  std::vector<std::string> subjects = CalibrationSubjects();
  std::vector<int> threads = {1, 2};
  std::vector<int> processes = {1, 2};
  double scale = 1;
  std::string out;
};

// Returns an entry of the state of a device, or an empty text.
std::string StateOf(const runtime::DeviceFacts& facts, const char* name) {
  const auto found = facts.state.find(name);
  return found == facts.state.end() ? "" : found->second;
}

// The calibration of this machine, or of a leased device.
class Calibration {
 public:
  explicit Calibration(const Flags& flags) : flags_(flags) {}

  // Loads the runners and the record. `program` is the path of this program.
  absl::Status Open(const std::string& program) {
    ASSAY_RETURN_IF_ERROR(OpenRunners(program));
    ASSAY_ASSIGN_OR_RETURN(
        record_,
        CalibrationRecord::Open(flags_.out, MethodDigest(flags_.options.test)));
    return absl::OkStatus();
  }

  // Runs the trials that are not in the record, and returns the report.
  absl::StatusOr<std::string> Run() {
    CalibrationBench bench(one_process_.get(), two_processes_.get(), target_);
    size_t rows = 0;
    for (const std::string& regime : flags_.regimes) {
      for (const int processes : flags_.processes) {
        rows += Plan(regime, processes).size();
      }
    }
    progress_.Start(static_cast<int>(rows));
    for (const std::string& regime : flags_.regimes) {
      for (const int processes : flags_.processes) {
        ASSAY_RETURN_IF_ERROR(RunBatch(regime, processes, &bench));
      }
    }
    progress_.Clear();
    return record_.WriteReport(one_process_->facts());
  }

 private:
  absl::Status OpenRunners(const std::string& program) {
    if (!flags_.farm.has_tracker()) {
      one_process_ = std::make_unique<runtime::InProcessRunner>();
      ASSAY_ASSIGN_OR_RETURN(two_processes_,
                             LocalDevices(program).OpenProcess(/*path=*/""));
      return absl::OkStatus();
    }
    ASSAY_ASSIGN_OR_RETURN(const std::string folder,
                           runtime::FindRunfile(program, "assay/devices"));
    ASSAY_ASSIGN_OR_RETURN(const devices::Device device,
                           devices::LoadDevice(flags_.device, folder));
    target_ = device.target();
    farm_.emplace(flags_.farm,
                  [this](const std::string& text) { progress_.Say(text); });
    ASSAY_ASSIGN_OR_RETURN(one_process_, farm_->Open(device, nullptr));
    return absl::OkStatus();
  }

  std::vector<Trial> Plan(const std::string& regime, int processes) const {
    std::vector<Combination> combinations;
    for (const std::string& subject : flags_.subjects) {
      for (const int threads : flags_.threads) {
        combinations.push_back({subject, threads});
      }
    }
    std::vector<Trial> missing;
    for (Trial& trial :
         PlanTrials(flags_.options, regime, processes, combinations)) {
      if (!record_.trials.Has(trial)) missing.push_back(std::move(trial));
    }
    return missing;
  }

  // Runs the missing trials of a regime.
  absl::Status RunBatch(const std::string& regime, int processes,
                        CalibrationBench* bench) {
    std::vector<Trial> plan = Plan(regime, processes);
    if (plan.empty()) return absl::OkStatus();
    Batch batch;
    batch.date = UtcNow();
    batch.commit = SourceCommit(WorkspaceFolder());
    batch.method = MethodDigest(flags_.options.test);
    batch.regime = regime;
    batch.processes = processes;
    batch.budget_s = flags_.options.budget_s;
    const runtime::DeviceFacts before = one_process_->facts();
    const BackgroundLoad load(regime, flags_.options.seed);
    for (Trial& trial : plan) {
      progress_.NextRow(absl::StrFormat(
          "%s, %s, threads %d, processes %d, +%.0f %%", regime, trial.subject,
          trial.threads, processes, 100 * trial.share));
      ASSAY_RETURN_IF_ERROR(RunTrial(bench, &trial));
      ASSAY_RETURN_IF_ERROR(record_.trials.Append(trial));
      ++batch.trials;
    }
    batch.duty = load.MeasuredDuty();
    const runtime::DeviceFacts after = one_process_->facts();
    batch.load_before = StateOf(before, "load");
    batch.load_after = StateOf(after, "load");
    batch.steal_before = StateOf(before, "steal_percent");
    batch.steal_after = StateOf(after, "steal_percent");
    return record_.batches.Append(batch);
  }

  // If the device is lost, the trial starts again on another one.
  absl::Status RunTrial(CalibrationBench* bench, Trial* trial) {
    for (int attempt = 1;; ++attempt) {
      Trial tried = *trial;
      const absl::Status status = bench->Run(flags_.options, &tried);
      if (status.ok()) *trial = std::move(tried);
      if (!absl::IsAborted(status) || attempt == kMaxAttempts) return status;
      progress_.Say(absl::StrCat("again, because ", status.message()));
    }
  }

  const Flags& flags_;
  Progress progress_ = Progress::OnStandardError();
  std::optional<Farm> farm_;  // outlives the runners
  std::string target_ = kHostTarget;
  std::unique_ptr<runtime::Runner> one_process_;
  std::unique_ptr<runtime::Runner> two_processes_;  // null for a leased device
  CalibrationRecord record_;
};

// What disturbs a machine runs on it, and the two programs of a leased device
// are in one process: its worker.
absl::Status CheckMachine(const Flags& flags) {
  if (!flags.farm.has_tracker()) {
    if (flags.device == kHost) return absl::OkStatus();
    return absl::InvalidArgumentError("`--device` needs `--tracker`");
  }
  if (flags.regimes != std::vector<std::string>{"idle"}) {
    return absl::InvalidArgumentError(
        "with `--tracker`, the only `--regime` is idle");
  }
  if (flags.processes != std::vector<int>{1}) {
    return absl::InvalidArgumentError("with `--tracker`, `--processes` is 1");
  }
  return absl::OkStatus();
}

// Sets the numbers of trials to those of --trials, if there are any.
absl::Status ReadCounts(const std::vector<std::string>& counts, Flags* flags) {
  if (counts.empty()) return absl::OkStatus();
  flags->options.counts.clear();
  for (const std::string& text : counts) {
    const std::vector<std::string> parts = absl::StrSplit(text, '=');
    TrialCount count;
    if (parts.size() != 2 || !absl::SimpleAtod(parts[0], &count.share) ||
        !absl::SimpleAtoi(parts[1], &count.trials) || count.share < 0 ||
        count.share > 1 || count.trials < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--trials` has `", text,
                       "`; it must be a share and a number, such as 0.02=10"));
    }
    flags->options.counts.push_back(count);
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(Flags flags, const std::string& program) {
  ASSAY_RETURN_IF_ERROR(CheckMachine(flags));
  flags.out = FromCallersFolder(flags.out);
  for (TrialCount& count : flags.options.counts) {
    count.trials = std::max<int64_t>(
        1,
        static_cast<int64_t>(static_cast<double>(count.trials) * flags.scale));
  }
  Calibration calibration(flags);
  ASSAY_RETURN_IF_ERROR(calibration.Open(program));
  ASSAY_ASSIGN_OR_RETURN(const std::string report, calibration.Run());
  std::cout << report;
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  CLI::App app(assay::suites::kDescription,
               "./bazelw run //suites:calibration --");
  app.footer(assay::suites::kFooter);
  const CLI::Option* const regimes =
      app.add_option("--regime", flags.regimes,
                     "idle, steady, bursts, one_core; default idle,bursts")
          ->delimiter(',')
          ->check(CLI::IsMember(assay::suites::BackgroundLoadNames()));
  app.add_option("--subject", flags.subjects, "default all")
      ->delimiter(',')
      ->check(CLI::IsMember(assay::suites::CalibrationSubjects()));
  app.add_option("--threads", flags.threads, "default 1,2")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  const CLI::Option* const processes =
      app.add_option("--processes", flags.processes,
                     "2: each program in a process of its own; default 1,2")
          ->delimiter(',')
          ->check(CLI::Range(1, 2));
  app.add_option("--scale", flags.scale,
                 "times the default numbers of trials; default 1")
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--budget", flags.options.budget_s,
                 "seconds that a trial may measure; default 30")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--max_budget", flags.options.max_budget_s,
                 "seconds for a trial that is undecided after --budget, if "
                 "this machine likely needs\nno more; default --budget")
      ->check(CLI::Range(0.0, 86400.0));
  std::vector<std::string> counts;
  app.add_option("--trials", counts,
                 "numbers of trials by share of extra work, such as "
                 "0=10,0.02=10; default\n0=200,0.02=60,0.05=40")
      ->delimiter(',');
  app.add_option("--margin", flags.options.test.margin,
                 "the largest change that does not matter; default 0.01")
      ->check(CLI::Range(0.0005, 0.5));
  app.add_option("--seed", flags.options.seed, "of the trials; default 0");
  app.add_option("--out", flags.out, "folder for the results")
      ->type_name("FOLDER");
  app.add_option("--device", flags.device,
                 "the device that is leased with --tracker; default host");
  const assay::suites::FinishFlags finish =
      assay::suites::AddFarmFlags(app, &flags.farm);
  return assay::RunCommand(
      app, argc, argv, [&]() -> absl::StatusOr<assay::ExitCode> {
        ASSAY_RETURN_IF_ERROR(finish(assay::CallersFolder()));
        ASSAY_RETURN_IF_ERROR(assay::suites::ReadCounts(counts, &flags));
        // These are all that a leased device has.
        if (flags.farm.has_tracker()) {
          if (regimes->count() == 0) flags.regimes = {"idle"};
          if (processes->count() == 0) flags.processes = {1};
        }
        return assay::suites::Run(std::move(flags), argv[0]);
      });
}
