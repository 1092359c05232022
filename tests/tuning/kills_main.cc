// Kills //suites:tune again and again while it tunes, and checks that nothing
// is lost and nothing is repeated:
//
//   ./bazelw run //tests/tuning:kills -- --kills=100
//
// Each time, the program and its worker are killed after a random time, and
// continued with --resume. At the end:
//   - Each record that was in the log stays there as it was.
//   - No point has two trials of the search. A kill costs at most the trial
//     that it cut off.
//   - The log is that of an undisturbed run that measured the same samples: a
//     new tuner that is told the results of the log, one after the other, asks
//     for exactly the points in the log, and has the same best one.
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/target/target.h"
#include "compiler/tune/search/tuner.h"
#include "compiler/tune/search/tuners.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/current_task.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"
#include "suites/tune/log/log_file.h"

namespace assay {
namespace {

using suites::TuningRecord;

struct Flags {
  int kills = 100;
  double most_seconds = 12;
  std::string suite = "resnet18";
  std::string tasks = "conv2d";
  std::string tuner = "genetic";
  int64_t trials = 100;
  int64_t seed = 1;
};

absl::Status Broken(const std::string& what) {
  return absl::Status(absl::StatusCode::kDataLoss, what);
}

class KilledRun {
 public:
  KilledRun(const Flags& flags, std::string program, std::string log)
      : flags_(flags), log_(std::move(log)), rng_(flags.seed) {
    command_ = {std::move(program),
                "--suite=" + flags.suite,
                "--tasks=" + flags.tasks,
                "--layouts=chosen",
                "--threads=1",
                "--accept_time=0.5",
                "--network_time=2",
                "--tuner=" + flags.tuner,
                absl::StrCat("--trials=", flags.trials),
                absl::StrCat("--seed=", flags.seed),
                "--log=" + log_,
                "--resume"};
  }

  // Runs the program until it ends or is killed. Returns true if it ended.
  absl::StatusOr<bool> Run(double seconds) {
    runtime::ProcessOptions options;
    options.timeout_s = seconds;
    const auto result = runtime::RunProcess(command_, options);
    if (absl::IsDeadlineExceeded(result.status())) return false;
    if (!result.ok()) return result.status();
    if (!result->ok()) {
      return Broken(absl::StrCat("//suites:tune ended with ", result->exit_code,
                                 ": ", result->err));
    }
    return true;
  }

  // Kills the program `flags.kills` times. Returns how often it was killed; it
  // can end before.
  absl::StatusOr<int> KillAgainAndAgain() {
    for (int kills = 0; kills < flags_.kills; ++kills) {
      const double seconds =
          rng_.UniformFloat(0.1f, static_cast<float>(flags_.most_seconds));
      ASSAY_ASSIGN_OR_RETURN(const bool ended, Run(seconds));
      ASSAY_RETURN_IF_ERROR(CheckKept());
      if (ended) return kills;
      std::cout << absl::StrFormat("killed after %.1f s, %d records\n", seconds,
                                   lines_.size())
                << std::flush;
    }
    return flags_.kills;
  }

  // Checks that the lines of the log before are still there, and reads it.
  absl::Status CheckKept() {
    if (!FileExists(log_)) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const suites::Log log, suites::ReadLog(log_));
    std::vector<std::string> lines;
    for (const TuningRecord& record : log.records) {
      lines.push_back(record.ToJson());
    }
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (i >= lines.size() || lines[i] != lines_[i]) {
        return Broken(absl::StrCat("record ", i + 1, " was lost or changed"));
      }
    }
    lines_ = std::move(lines);
    records_ = log.records;
    damaged_ = log.damaged.size();
    return absl::OkStatus();
  }

  const std::vector<TuningRecord>& records() const { return records_; }
  size_t damaged() const { return damaged_; }

 private:
  const Flags& flags_;
  const std::string log_;
  Rng rng_;
  std::vector<std::string> command_;
  std::vector<std::string> lines_;
  std::vector<TuningRecord> records_;
  size_t damaged_ = 0;
};

// The records of one task, in the order of the log.
using ByTask = std::map<std::string, std::vector<TuningRecord>>;

// Tells a new tuner what the log says, and checks that it is the log of an
// undisturbed run. Returns the number of trials.
absl::StatusOr<int64_t> CheckSearch(const Flags& flags,
                                    const std::vector<TuningRecord>& records) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(records[0].target));
  ASSAY_ASSIGN_OR_RETURN(const auto kernel,
                         tune::KernelOfWorkload(records[0].workload));
  ASSAY_ASSIGN_OR_RETURN(const tune::SearchSpace space,
                         tune::SpaceOfKernel(*kernel, target, /*exact=*/false));
  std::map<int64_t, std::vector<const TuningRecord*>> trials;
  for (const TuningRecord& record : records) {
    if (record.verdict.has_value()) continue;
    ASSAY_ASSIGN_OR_RETURN(const int64_t point,
                           space.IndexOf(record.implementation, record.config));
    trials[point].push_back(&record);
  }
  const auto tuner = tune::MakeTuner(flags.tuner, space, flags.seed);
  const auto count = static_cast<int64_t>(trials.size());
  int64_t repeated = 0;
  while (tuner->num_results() < count) {
    const std::vector<int64_t> next = tuner->Next(1);
    if (next.empty()) return Broken("the tuner has no next point");
    const auto found = trials.find(next[0]);
    if (found == trials.end()) {
      return Broken(absl::StrCat("an undisturbed run measures point ", next[0],
                                 " of task ", records[0].task,
                                 ", which is not in the log"));
    }
    const TuningRecord& first = *found->second[0];
    std::optional<double> relative;
    if (first.status == suites::TrialStatus::kOk) {
      relative = suites::RelativeTime(first);
    }
    tuner->Update({next[0], relative});
    // The best points are measured once more after the search.
    if (found->second.size() > 2) return Broken("a point has three trials");
    repeated += found->second.size() == 2;
  }
  if (repeated > 16) {
    return Broken(absl::StrCat(repeated, " points of task ", records[0].task,
                               " have two trials"));
  }
  return count;
}

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(
      std::string tune,
      runtime::FindRunfile(program, "assay/suites/tune/programs/tune"));
  ASSAY_ASSIGN_OR_RETURN(const TempDir folder, TempDir::Create("assay_kills"));
  KilledRun run(flags, std::move(tune), JoinPath(folder.path(), "log.jsonl"));
  ASSAY_ASSIGN_OR_RETURN(const int kills, run.KillAgainAndAgain());
  std::cout << "killed " << kills << " times; now to the end\n" << std::flush;
  ASSAY_ASSIGN_OR_RETURN(const bool ended, run.Run(/*seconds=*/7200));
  if (!ended) return Broken("the last run took more than two hours");
  ASSAY_RETURN_IF_ERROR(run.CheckKept());
  ByTask tasks;
  for (const TuningRecord& record : run.records()) {
    tasks[record.task].push_back(record);
  }
  int64_t trials = 0;
  for (const auto& [key, records] : tasks) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t count, CheckSearch(flags, records));
    trials += count;
  }
  std::cout << absl::StrFormat(
      "%d kills, %d tasks, %d points, %d records, %d damaged lines: no record "
      "was lost, no trial was repeated, and an undisturbed run measures the "
      "same points\n",
      kills, tasks.size(), trials, run.records().size(), run.damaged());
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  assay::Flags flags;
  CLI::App app("Kills the tuner again and again, and checks its log.",
               "./bazelw run //tests/tuning:kills --");
  app.add_option("--kills", flags.kills, "default 100")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--most_seconds", flags.most_seconds,
                 "longest time until a kill; default 12")
      ->check(CLI::Range(0.2, 600.0));
  app.add_option("--suite", flags.suite, "default resnet18");
  app.add_option("--tasks", flags.tasks, "default conv2d");
  app.add_option("--tuner", flags.tuner, "default genetic")
      ->check(CLI::IsMember(assay::tune::TunerNames()));
  app.add_option("--trials", flags.trials, "per task; default 100")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000}));
  app.add_option("--seed", flags.seed, "default 1")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 31));
  return assay::RunCommand(app, argc, argv,
                           [&]() { return assay::Run(flags, argv[0]); });
}
