// //suites:calibration: measures how reliable verdicts on this machine are.
#include <unistd.h>

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
#include "runtime/base/clock.h"
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
#include "suites/harness/flags/farm_flags.h"
#include "suites/harness/flags/flag_group.h"
#include "suites/harness/progress.h"
#include "suites/harness/runners/device_runner.h"
#include "suites/harness/runners/farm.h"
#include "suites/machine/source_commit.h"
#include "suites/trials/batch.h"
#include "suites/trials/bench.h"
#include "suites/trials/neighbours.h"
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

// The runners of the machine that is calibrated: this one, or a leased device.
class Machine {
 public:
  static absl::StatusOr<std::unique_ptr<Machine>> Open(
      const Flags& flags, const std::string& program, Progress* progress) {
    auto machine = std::make_unique<Machine>();
    if (!flags.farm.has_tracker()) {
      machine->one_process_ = std::make_unique<runtime::InProcessRunner>();
      ASSAY_ASSIGN_OR_RETURN(machine->two_processes_,
                             MakeProcessRunner(/*path=*/"", program));
      return machine;
    }
    ASSAY_ASSIGN_OR_RETURN(const std::string folder,
                           runtime::FindRunfile(program, "assay/devices"));
    ASSAY_ASSIGN_OR_RETURN(const devices::Device device,
                           devices::LoadDevice(flags.device, folder));
    const auto say = [progress](const std::string& text) {
      progress->Say(text);
    };
    machine->target_ = device.target();
    machine->farm_.emplace(flags.farm, FarmMessages{say, say});
    ASSAY_ASSIGN_OR_RETURN(machine->one_process_,
                           machine->farm_->MakeRunner(device));
    return machine;
  }

  CalibrationBench MakeBench() {
    return CalibrationBench(one_process_.get(), two_processes_.get(), target_);
  }
  runtime::DeviceFacts facts() const { return one_process_->facts(); }

 private:
  std::optional<Farm> farm_;  // outlives the runners
  std::string target_ = kHostTarget;
  std::unique_ptr<runtime::Runner> one_process_;
  std::unique_ptr<runtime::Runner> two_processes_;  // null for a leased device
};

// Returns an entry of the state of a device, or an empty text.
std::string StateOf(const runtime::DeviceFacts& facts, const char* name) {
  const auto found = facts.state.find(name);
  return found == facts.state.end() ? "" : found->second;
}

class Calibration {
 public:
  Calibration(const Flags& flags, const Machine* machine,
              CalibrationBench* bench, CalibrationRecord* record,
              Progress* progress)
      : flags_(flags),
        machine_(machine),
        bench_(bench),
        record_(record),
        progress_(progress) {}

  std::vector<Trial> Plan(const std::string& regime, int processes) const {
    std::vector<Combination> combinations;
    for (const std::string& subject : flags_.subjects) {
      for (const int threads : flags_.threads) {
        combinations.push_back({subject, threads});
      }
    }
    std::vector<Trial> plan =
        PlanTrials(flags_.options, regime, processes, combinations);
    plan.erase(std::remove_if(
                   plan.begin(), plan.end(),
                   [this](const Trial& trial) { return record_->Has(trial); }),
               plan.end());
    return plan;
  }

  // Runs the missing trials of a regime.
  absl::Status RunBatch(const std::string& regime, int processes) {
    std::vector<Trial> plan = Plan(regime, processes);
    if (plan.empty()) return absl::OkStatus();
    Batch batch;
    batch.date = UtcNow();
    batch.commit = SourceCommit(WorkspaceFolder());
    batch.method = MethodDigest(flags_.options.test);
    batch.regime = regime;
    batch.processes = processes;
    batch.budget_s = flags_.options.budget_s;
    const runtime::DeviceFacts before = machine_->facts();
    const Neighbours neighbours(ParseNeighbourKind(regime),
                                flags_.options.seed);
    for (Trial& trial : plan) {
      progress_->NextRow(absl::StrFormat(
          "%s, %s, threads %d, processes %d, +%.0f %%", regime, trial.subject,
          trial.threads, processes, 100 * trial.share));
      ASSAY_RETURN_IF_ERROR(RunTrial(&trial));
      ASSAY_RETURN_IF_ERROR(record_->Append(trial));
      ++batch.trials;
    }
    batch.duty = neighbours.MeasuredDuty();
    const runtime::DeviceFacts after = machine_->facts();
    batch.load_before = StateOf(before, "load");
    batch.load_after = StateOf(after, "load");
    batch.steal_before = StateOf(before, "steal_percent");
    batch.steal_after = StateOf(after, "steal_percent");
    return record_->Append(batch);
  }

 private:
  // If the device is lost, the trial starts again on another one.
  absl::Status RunTrial(Trial* trial) {
    for (int attempt = 1;; ++attempt) {
      Trial tried = *trial;
      const absl::Status status = bench_->Run(flags_.options, &tried);
      if (status.ok()) *trial = std::move(tried);
      if (!absl::IsAborted(status) || attempt == kMaxAttempts) return status;
      progress_->Say(absl::StrCat("again, because ", status.message()));
    }
  }

  const Flags& flags_;
  const Machine* const machine_;
  CalibrationBench* const bench_;
  CalibrationRecord* const record_;
  Progress* const progress_;
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
  Progress progress(isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr,
                    Clock::Monotonic());
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Machine> machine,
                         Machine::Open(flags, program, &progress));
  CalibrationBench bench = machine->MakeBench();
  ASSAY_ASSIGN_OR_RETURN(
      CalibrationRecord record,
      CalibrationRecord::Open(flags.out, MethodDigest(flags.options.test)));
  Calibration calibration(flags, machine.get(), &bench, &record, &progress);
  size_t rows = 0;
  for (const std::string& regime : flags.regimes) {
    for (const int processes : flags.processes) {
      rows += calibration.Plan(regime, processes).size();
    }
  }
  progress.Start(static_cast<int>(rows));
  for (const std::string& regime : flags.regimes) {
    for (const int processes : flags.processes) {
      ASSAY_RETURN_IF_ERROR(calibration.RunBatch(regime, processes));
    }
  }
  progress.Clear();
  ASSAY_ASSIGN_OR_RETURN(const std::string report,
                         record.WriteReport(machine->facts()));
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
          ->check(CLI::IsMember(assay::suites::NeighbourNames()));
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
