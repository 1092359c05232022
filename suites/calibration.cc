// //suites:calibration: measures the reliability of verdicts on this machine.
#include "suites/comparison/calibration.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
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
#include "runtime/measure/device_facts.h"
#include "runtime/measure/in_process.h"
#include "suites/comparison/background_load.h"
#include "suites/comparison/known_kernel.h"
#include "suites/harness/progress.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compares kernels with copies of themselves that do a known share of extra "
    "work, as two\nprograms are compared, on the idle machine and under a "
    "background load that keeps every\nprocessor busy for a quarter of the "
    "time, and prints the rate of right verdicts and the\ntime to a verdict.\n";
constexpr char kFooter[] =
    "\nEvery trial is appended to FOLDER/trials.csv as it ends; report.txt is "
    "the table. A run\nthat was stopped continues with the same flags: trials "
    "in trials.csv are not repeated.\n\nExit codes: 0 measured; 2 usage; 5 the "
    "machine failed.";

constexpr double kLoadDuty = 0.25;

// The file of trials. It contains those of an earlier run, to which each
// finished trial of this run is appended.
class TrialFile {
 public:
  // If `folder` is empty, nothing is stored.
  absl::Status Open(const std::string& folder) {
    if (folder.empty()) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
    const std::string path = JoinPath(folder, "trials.csv");
    absl::StatusOr<std::string> text = ReadFile(path);
    if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
    std::string kept = text.ok() ? *std::move(text) : TrialHeader();
    // An incomplete last line is ignored.
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
  const BackgroundLoad load(regime == "noisy" ? kLoadDuty : 0,
                            flags.options.seed);
  runtime::InProcessRunner runner;
  for (Trial& trial : PlanTrials(flags.options, regime, names)) {
    progress->NextRow(absl::StrFormat("%s, %s +%.1f %%", regime, trial.kernel,
                                      100 * trial.share));
    if (file->Has(trial)) continue;
    const KnownKernel& kernel = *std::find_if(
        kernels.begin(), kernels.end(),
        [&](const KnownKernel& k) { return k.name == trial.kernel; });
    const KnownPair pair = PairOf(kernel);
    ASSAY_RETURN_IF_ERROR(
        RunTrial(LoaderOf(pair, trial.share, runner, /*threads=*/1),
                 flags.options, Clock::Monotonic(), &trial));
    ASSAY_RETURN_IF_ERROR(file->Append(trial));
  }
  if (load.count() > 0) {
    progress->Clear();
    std::cout << absl::StrFormat(
        "background threads: %d, busy %.0f %% of the time\n", load.count(),
        100 * load.MeasuredDuty());
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(Flags flags) {
  flags.out = FromCallersFolder(flags.out);
  for (int64_t& count : flags.options.trials) {
    count = std::max<int64_t>(
        1, static_cast<int64_t>(static_cast<double>(count) * flags.scale));
  }
  const runtime::DeviceFacts machine = runtime::DescribeHost();
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
