// //suites:calibration: can the verdicts of this machine be trusted?
#include "suites/comparison/calibration.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/host_facts.h"
#include "suites/comparison/background_load.h"
#include "suites/comparison/known_kernel.h"
#include "suites/harness/progress.h"
#include "suites/machine/environment.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compares kernels with copies of themselves that do a known share more "
    "work, as paired\nverdicts do, alone and beside neighbours that keep every "
    "processor busy for a quarter\nof the time, and prints how often the "
    "verdict was right and how long it took.\n";
constexpr char kFooter[] =
    "\nEvery trial is appended to FOLDER/trials.csv as it ends; report.txt is "
    "the table. A run\nthat was stopped goes on where it was, given the "
    "same flags: trials that\ntrials.csv holds are not made again.\n\nExit "
    "codes: 0 measured; 2 usage; "
    "5 the machine failed.";

constexpr double kNeighbourDuty = 0.25;

// Trials on disk: those of an earlier run, and each of this one as it ends.
class TrialFile {
 public:
  // Of no folder: keeps nothing.
  absl::Status Open(const std::string& folder) {
    if (folder.empty()) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
    const std::string path = JoinPath(folder, "trials.csv");
    absl::StatusOr<std::string> text = ReadFile(path);
    if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
    std::string kept = text.ok() ? *std::move(text) : TrialHeader();
    // A line cut short is a trial that was not kept.
    kept.resize(kept.rfind('\n') + 1);
    if (kept.empty()) kept = TrialHeader();
    absl::StatusOr<std::vector<Trial>> trials = ParseTrials(kept);
    if (!trials.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", path, "`: ", trials.status().message()));
    }
    trials_ = *std::move(trials);
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, kept));
    file_.open(path, std::ios::app);
    return absl::OkStatus();
  }

  absl::Status Append(const Trial& trial) {
    trials_.push_back(trial);
    if (!file_.is_open() || file_ << TrialLine(trial) << std::flush) {
      return absl::OkStatus();
    }
    return absl::UnavailableError("cannot write to trials.csv");
  }

  bool Has(const Trial& planned) const {
    return std::any_of(trials_.begin(), trials_.end(), [&](const Trial& t) {
      return t.seed == planned.seed && t.regime == planned.regime &&
             t.kernel == planned.kernel && t.share == planned.share;
    });
  }

  const std::vector<Trial>& trials() const { return trials_; }

 private:
  std::vector<Trial> trials_;
  std::ofstream file_;
};

struct Flags {
  CalibrationOptions options;
  std::vector<std::string> regimes = {"idle", "noisy"};
  double scale = 1;
  std::string out;
};

absl::Status RunRegime(const std::string& regime, const Flags& flags,
                       const std::vector<KnownKernel>& kernels,
                       Progress* progress, TrialFile* file) {
  std::vector<std::string> names;
  for (const KnownKernel& kernel : kernels) names.push_back(kernel.name);
  const BackgroundLoad load(regime == "noisy" ? kNeighbourDuty : 0,
                            flags.options.seed);
  for (Trial& trial : PlanTrials(flags.options, regime, names)) {
    progress->NextRow(absl::StrFormat("%s, %s +%.1f %%", regime, trial.kernel,
                                      100 * trial.share));
    if (file->Has(trial)) continue;
    const KnownKernel& kernel = *std::find_if(
        kernels.begin(), kernels.end(),
        [&](const KnownKernel& k) { return k.name == trial.kernel; });
    ASSAY_ASSIGN_OR_RETURN(KnownPair pair, LoadPair(kernel, trial.share));
    ASSAY_RETURN_IF_ERROR(RunTrial(std::move(pair.base),
                                   std::move(pair.changed), flags.options,
                                   Clock::Monotonic(), &trial));
    ASSAY_RETURN_IF_ERROR(file->Append(trial));
  }
  if (load.count() > 0) {
    progress->Clear();
    std::cout << absl::StrFormat("neighbours: %d, busy %.0f %% of the time\n",
                                 load.count(), 100 * load.MeasuredDuty());
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(Flags flags) {
  flags.out = FromCallersFolder(flags.out);
  for (int64_t& count : flags.options.trials) {
    count = std::max<int64_t>(
        1, static_cast<int64_t>(static_cast<double>(count) * flags.scale));
  }
  const reports::Environment machine =
      DescribeMachine(runtime::ReadHostFacts(), "");
  ASSAY_ASSIGN_OR_RETURN(const std::vector<KnownKernel> kernels,
                         CompileKnownKernels());
  TrialFile file;
  ASSAY_RETURN_IF_ERROR(file.Open(flags.out));
  int64_t rows = 0;
  for (const int64_t count : flags.options.trials) rows += count;
  Progress progress(isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr,
                    Clock::Monotonic());
  progress.Start(static_cast<int>(rows * flags.regimes.size()));
  for (const std::string& regime : flags.regimes) {
    ASSAY_RETURN_IF_ERROR(RunRegime(regime, flags, kernels, &progress, &file));
  }
  progress.Clear();
  std::string report = absl::StrCat("machine: ", machine.fingerprint, "\n");
  for (const auto& [key, value] : machine.identity) {
    absl::StrAppend(&report, "  ", key, ": ", value, "\n");
  }
  absl::StrAppend(&report, "\n", CalibrationReport(file.trials()));
  std::cout << report;
  if (!flags.out.empty()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(flags.out, "report.txt"), report));
  }
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  CLI::App app(assay::suites::kDescription,
               "./bazelw run //suites:calibration --");
  app.footer(assay::suites::kFooter);
  app.add_option("--regime", flags.regimes, "idle, noisy; default both")
      ->delimiter(',')
      ->check(CLI::IsMember({"idle", "noisy"}));
  app.add_option("--scale", flags.scale,
                 "times the default numbers of trials; default 1")
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--budget", flags.options.budget_s,
                 "seconds that a trial may measure; default 3")
      ->check(CLI::Range(0.1, 60.0));
  app.add_option("--margin", flags.options.test.margin,
                 "the largest change that does not matter; default 0.01")
      ->check(CLI::Range(0.0005, 0.5));
  app.add_option("--seed", flags.options.seed, "of the order; default 0");
  app.add_option("--out", flags.out, "folder for trials.csv and report.txt");
  return assay::RunCommand(
      app, argc, argv, [&] { return assay::suites::Run(std::move(flags)); });
}
