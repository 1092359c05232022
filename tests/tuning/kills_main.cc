// Kills //suites:tune again and again while it tunes, and checks that nothing
// is lost and nothing is repeated:
//
//   ./bazelw run //tests/tuning:kills -- --kills=100
//
// Each time, the program and its worker are killed after a random time, and
// continued with --resume. At the end:
//   - Each record that was in the log stays there as it was. A kill leaves at
//     most one damaged line, the one that it cut off.
//   - No point has two trials of the search, and no comparison with the default
//     point is repeated. No device was lost.
//   - The finalists of a task are measured in one run of the program. Only if
//     it was killed before all their records were in the log does another run
//     measure them again, all of them.
//   - The log is that of an undisturbed run that measured the same samples: a
//     new tuner that is told the results of the log, one after the other, asks
//     for exactly the points in the log, and has the same best one.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

// A record, and the number of the run of the program that wrote it.
struct RecordOfRun {
  TuningRecord record;
  int run = 0;
};

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
    for (size_t i = records_.size(); i < log.records.size(); ++i) {
      records_.push_back({log.records[i], runs_});
    }
    ++runs_;
    damaged_ = log.damaged.size();
    return absl::OkStatus();
  }

  const std::vector<RecordOfRun>& records() const { return records_; }
  size_t damaged() const { return damaged_; }

 private:
  const Flags& flags_;
  const std::string log_;
  Rng rng_;
  std::vector<std::string> command_;
  std::vector<std::string> lines_;
  int runs_ = 0;  // so far
  std::vector<RecordOfRun> records_;
  size_t damaged_ = 0;
};

// The records of one task, in the order of the log.
using ByTask = std::map<std::string, std::vector<RecordOfRun>>;

// What the log says of a task, by point of its search space.
struct TaskLog {
  std::map<int64_t, const TuningRecord*> trials;
  // The finalists that each run measured, in the order of the runs.
  std::map<int, std::set<int64_t>> finals;
  std::set<int64_t> compared;
};

// Sorts the records of a task. Returns an error if one of them repeats another.
absl::StatusOr<TaskLog> ReadTask(const std::vector<RecordOfRun>& records,
                                 const tune::SearchSpace& space) {
  TaskLog log;
  for (const auto& [record, run] : records) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t point,
                           space.IndexOf(record.implementation, record.config));
    const std::string name =
        absl::StrCat("point ", point, " of task ", record.task);
    if (record.status == suites::TrialStatus::kDeviceLost) {
      return Broken(absl::StrCat("the device was lost at ", name));
    }
    if (record.verdict.has_value()) {
      if (!log.compared.insert(point).second) {
        return Broken(name + " was compared twice");
      }
    } else if (record.loads > 0) {
      if (!log.finals[run].insert(point).second) {
        return Broken(name + " was a finalist twice in one run");
      }
    } else if (!log.trials.try_emplace(point, &record).second) {
      return Broken(
          absl::StrCat(name, " has two trials",
                       record.error.empty() ? "" : ", or fails as a finalist: ",
                       record.error));
    }
  }
  return log;
}

// Checks that finalists were measured again only because a run was killed
// before it had stored all of them.
absl::Status CheckFinals(const std::string& task, const TaskLog& log) {
  if (log.finals.empty()) {
    return log.compared.empty()
               ? absl::OkStatus()
               : Broken("a point of task " + task + " was no finalist");
  }
  const std::set<int64_t>& all = log.finals.rbegin()->second;
  for (const auto& [run, some] : log.finals) {
    const bool is_part =
        std::includes(all.begin(), all.end(), some.begin(), some.end());
    if (!is_part || (some.size() == all.size() && &some != &all)) {
      return Broken(absl::StrCat("run ", run, " had measured all finalists of ",
                                 "task ", task, ", or others"));
    }
  }
  for (const int64_t point : log.compared) {
    if (all.count(point) == 0 || log.trials.count(point) == 0) {
      return Broken(
          absl::StrCat("point ", point, " of task ", task, " was no finalist"));
    }
  }
  return absl::OkStatus();
}

// Tells a new tuner what the log says, and checks that it is the log of an
// undisturbed run. Returns the number of trials.
absl::StatusOr<int64_t> CheckSearch(const Flags& flags,
                                    const std::vector<RecordOfRun>& records) {
  const TuningRecord& any = records[0].record;
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(any.target));
  ASSAY_ASSIGN_OR_RETURN(const auto kernel,
                         tune::KernelOfWorkload(any.workload));
  ASSAY_ASSIGN_OR_RETURN(const tune::SearchSpace space,
                         tune::SpaceOfKernel(*kernel, target));
  ASSAY_ASSIGN_OR_RETURN(const TaskLog log, ReadTask(records, space));
  ASSAY_RETURN_IF_ERROR(CheckFinals(any.task, log));
  const auto tuner = tune::MakeTuner(flags.tuner, space, flags.seed);
  const auto count = static_cast<int64_t>(log.trials.size());
  const int64_t wanted = std::min(flags.trials, space.size());
  if (count != wanted) {
    return Broken(absl::StrCat("task ", any.task, " has ", count,
                               " trials instead of ", wanted));
  }
  while (tuner->num_results() < count) {
    const std::vector<int64_t> next = tuner->Next(1);
    if (next.empty()) return Broken("the tuner has no next point");
    const auto found = log.trials.find(next[0]);
    if (found == log.trials.end()) {
      return Broken(absl::StrCat("an undisturbed run measures point ", next[0],
                                 " of task ", any.task,
                                 ", which is not in the log"));
    }
    const TuningRecord& trial = *found->second;
    std::optional<double> relative;
    if (trial.status == suites::TrialStatus::kOk) {
      relative = suites::RelativeTime(trial);
    }
    tuner->Update({next[0], relative});
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
  for (const RecordOfRun& record : run.records()) {
    tasks[record.record.task].push_back(record);
  }
  if (tasks.empty()) return Broken("the log is empty");
  if (run.damaged() > static_cast<size_t>(kills)) {
    return Broken(
        absl::StrCat(run.damaged(), " damaged lines after ", kills, " kills"));
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
