// Tunes on a farm of this machine whose devices sleep most of the time, and
// prints how much faster several devices are than one:
//
//   ./bazelw run //tests/tuning:farm -- --devices=8
//   ./bazelw run //tests/tuning:farm -- --devices=8 --kills=10
//
// The devices compute and check real kernels, but pause before each sample
// (`--cooldown_ms` of the tuner), so that two processors can serve eight of
// them. With --kills, servers of devices are killed and started again while
// they measure. Then the log must show that each kill cost at most the trial
// that it interrupted: the trial is recorded as `device_lost` and has started
// again, and all other points have one trial.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "rpc/farm/local_farm.h"
#include "runtime/base/clock.h"
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
  int devices = 8;
  int trials = 6;
  int tasks = 2;  // per device
  int cooldown_ms = 250;
  int kills = 0;
};

// Regular expressions that select tasks of ResNet-18; each selects several.
constexpr char kTasks[] = "conv2d";

std::string NameOf(int device) { return absl::StrCat("sleeper-", device); }

absl::StatusOr<std::unique_ptr<rpc::LocalFarm>> StartFarm(
    const Flags& flags, const std::string& program, const std::string& folder) {
  rpc::LocalFarmOptions options;
  options.folder = folder;
  ASSAY_ASSIGN_OR_RETURN(
      options.tracker_program,
      runtime::FindRunfile(program, "assay/rpc/tracker/service/tracker"));
  ASSAY_ASSIGN_OR_RETURN(
      options.server_program,
      runtime::FindRunfile(program, "assay/rpc/server/program/server"));
  ASSAY_ASSIGN_OR_RETURN(const std::string worker,
                         runtime::FindRunfile(program,
                                              "assay/suites/devices/"
                                              "bench_artifact_this_machine"));
  for (int i = 0; i < flags.devices; ++i) {
    options.devices.push_back({NameOf(i), "host", {worker}});
  }
  return rpc::LocalFarm::Start(options);
}

// Records of trials that ended, and how long the tuner took.
struct Tuned {
  std::vector<TuningRecord> records;
  double seconds = 0;
  double PerSecond() const {
    return static_cast<double>(records.size()) / seconds;
  }
};

absl::StatusOr<Tuned> Tune(const Flags& flags, const std::string& program,
                           const std::string& tracker,
                           const std::string& folder, int devices) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string tune,
      runtime::FindRunfile(program, "assay/suites/tune/programs/tune"));
  const std::string log =
      JoinPath(folder, absl::StrCat("log", devices, ".jsonl"));
  runtime::ProcessOptions options;
  options.timeout_s = 3600;
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(
      const runtime::ProcessResult result,
      runtime::RunProcess(
          {tune, "--suite=resnet18", absl::StrCat("--tasks=", kTasks),
           "--layouts=all", "--accept_time=0", "--tuner=random", "--threads=1",
           "--seed=1", absl::StrCat("--most_tasks=", flags.tasks * devices),
           absl::StrCat("--trials=", flags.trials),
           absl::StrCat("--cooldown_ms=", flags.cooldown_ms),
           absl::StrCat("--parallel=", devices), "--tracker=" + tracker,
           "--log=" + log},
          options));
  const double seconds = static_cast<double>(MonotonicNanos() - start) * 1e-9;
  if (!result.ok()) {
    return absl::InternalError(absl::StrCat("//suites:tune ended with ",
                                            result.exit_code, ": ", result.err,
                                            result.out));
  }
  ASSAY_ASSIGN_OR_RETURN(suites::Log read, suites::ReadLog(log));
  for (const TuningRecord& record : read.records) {
    if (record.status == suites::TrialStatus::kOk ||
        record.status == suites::TrialStatus::kDeviceLost) {
      continue;
    }
    return absl::InternalError(absl::StrCat(
        "a trial ended with `", suites::TrialStatusName(record.status),
        "`: ", record.error));
  }
  return Tuned{std::move(read.records), seconds};
}

// Kills and restarts servers until it is told to stop.
class Killer {
 public:
  Killer(rpc::LocalFarm* farm, const Flags& flags)
      : thread_([this, farm, flags] {
          Rng rng(7);
          for (; kills_ < flags.kills && !stopped_; ++kills_) {
            Clock::Monotonic()->SleepNanos(rng.UniformInt(1, 5) *
                                           1'000'000'000);
            const std::string name =
                NameOf(static_cast<int>(rng.UniformInt(0, flags.devices - 1)));
            if (stopped_ || farm->server_program(name) == nullptr) break;
            farm->KillServer(name);
            status_.Update(farm->StartServer(name));
          }
        }) {}
  // Returns the number of kills.
  absl::StatusOr<int> Stop() {
    stopped_ = true;
    thread_.join();
    if (!status_.ok()) return status_;
    return kills_;
  }

 private:
  std::atomic<bool> stopped_ = false;
  int kills_ = 0;
  absl::Status status_;
  std::thread thread_;  // last: it uses the members before
};

// Checks that each point has one trial of the search or of the second
// measurement of the best points. Returns the number of lost trials.
absl::StatusOr<int> CheckLog(const std::vector<TuningRecord>& records) {
  std::map<std::string, int> trials;  // by task and point
  int lost = 0;
  for (const TuningRecord& record : records) {
    if (record.status == suites::TrialStatus::kDeviceLost) {
      ++lost;
      continue;
    }
    const int count =
        ++trials[absl::StrCat(record.task, " ", record.implementation, " ",
                              record.config.ToString())];
    if (count > 2) {
      return absl::DataLossError(
          absl::StrCat("a point of task ", record.task, " has three trials"));
    }
  }
  return lost;
}

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(const TempDir folder, TempDir::Create("assay_farm"));
  ASSAY_ASSIGN_OR_RETURN(const auto farm,
                         StartFarm(flags, program, folder.path()));
  setenv("ASSAY_TLS", JoinPath(folder.path(), "tls").c_str(), 1);
  setenv("ASSAY_TOKEN_FILE", JoinPath(folder.path(), "user.token").c_str(), 1);
  setenv("ASSAY_SIGNING_KEY", JoinPath(folder.path(), "client.key").c_str(), 1);
  ASSAY_ASSIGN_OR_RETURN(
      const Tuned one, Tune(flags, program, farm->tracker(), folder.path(), 1));
  std::cout << absl::StrFormat("1 device: %d records in %.1f s, %.2f/s\n",
                               one.records.size(), one.seconds, one.PerSecond())
            << std::flush;
  Killer killer(farm.get(), flags);
  const auto all =
      Tune(flags, program, farm->tracker(), folder.path(), flags.devices);
  ASSAY_ASSIGN_OR_RETURN(const int kills, killer.Stop());
  ASSAY_RETURN_IF_ERROR(all.status());
  ASSAY_ASSIGN_OR_RETURN(const int lost, CheckLog(all->records));
  std::cout << absl::StrFormat(
      "%d devices: %d records in %.1f s, %.2f/s, %.1f times as many\n",
      flags.devices, all->records.size(), all->seconds, all->PerSecond(),
      all->PerSecond() / one.PerSecond());
  std::cout << absl::StrFormat(
      "%d kills of servers, %d trials were interrupted and started again\n",
      kills, lost);
  if (lost > kills) {
    return absl::DataLossError(
        "a kill cost more than the trial it interrupted");
  }
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  assay::Flags flags;
  CLI::App app("Tunes on a farm of devices that sleep most of the time.",
               "./bazelw run //tests/tuning:farm --");
  app.add_option("--devices", flags.devices, "default 8")
      ->check(CLI::Range(1, 64));
  app.add_option("--trials", flags.trials, "per task; default 6")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--tasks", flags.tasks, "per device; default 2")
      ->check(CLI::Range(1, 100));
  app.add_option("--cooldown_ms", flags.cooldown_ms,
                 "pause before each sample; default 250")
      ->check(CLI::Range(0, 10'000));
  app.add_option("--kills", flags.kills,
                 "servers that are killed meanwhile; default 0")
      ->check(CLI::Range(0, 1000));
  return assay::RunCommand(app, argc, argv,
                           [&]() { return assay::Run(flags, argv[0]); });
}
