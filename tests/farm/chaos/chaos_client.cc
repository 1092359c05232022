// A user of a farm, for chaos tests: compares two programs on leased devices
// again and again, until it is killed.
//
//   chaos_client --key=sleeper --log=FILE --seed=7
//
// ASSAY_TRACKER and the other variables of the farm select the tracker. Each
// comparison is between a program and either its equal or one that takes 8 %
// longer. What happens is appended to FILE, one line each (user_log.h):
//
//   {"event":"measuring","at":81,"device":"d3"}
//   {"event":"broke","at":82,"why":"ABORTED: the lease of d3 was lost: …"}
//   {"event":"measuring","at":83,"device":"d4"}
//   {"event":"verdict","at":84,"device":"d4","number":17,"truth":"slower",
//    "verdict":"regressed","restarts":1}                        (on one line)
//
// `at` is in nanoseconds of CLOCK_MONOTONIC, and `number` counts the verdicts
// in FILE. When a verdict is on the disk, `recorded 17` is written to standard
// output, and the next comparison starts.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "reports/stats/paired_verdict.h"
#include "rpc/client/remote_runner.h"
#include "rpc/security/signature.h"
#include "rpc/transport/client_options.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/load_in_order.h"
#include "suites/comparison/paired_loads.h"
#include "suites/comparison/run_to_verdict.h"
#include "tests/farm/chaos/tools/sleeper_artifact.h"

namespace assay {
namespace {

constexpr int64_t kBaseNanos = 400'000;
constexpr int64_t kSlowerNanos = 432'000;

struct Flags {
  std::string key = "sleeper";
  std::string log;
  uint64_t seed = 1;
  double budget_s = 20;
  double call_seconds = 4;
};

class User {
 public:
  User(const Flags& flags, rpc::RemoteOptions options)
      : flags_(flags), options_(std::move(options)), rng_(flags.seed) {}

  // Returns only if the farm fails.
  absl::Status Work() {
    ASSAY_RETURN_IF_ERROR(Continue());
    ASSAY_ASSIGN_OR_RETURN(runner_, rpc::RemoteRunner::Create(options_));
    ASSAY_RETURN_IF_ERROR(runner_->Connect());
    while (true) ASSAY_RETURN_IF_ERROR(CompareOnce());
  }

 private:
  absl::Status CompareOnce() {
    const bool slower = rng_.UniformInt(0, 1) == 1;
    const runtime::Artifact base = SleeperArtifact(kBaseNanos);
    runtime::Artifact run = SleeperArtifact(slower ? kSlowerNanos : kBaseNanos);
    // Equal programs are different files.
    run.metadata["model"] = "run";
    for (int64_t restarts = 0;; ++restarts) {
      const auto outcome = Compare(base, run);
      if (outcome.ok()) return Record(slower, *outcome, restarts);
      // The worker died, or its device is lost: the samples are void.
      if (!absl::IsAborted(outcome.status()) &&
          !absl::IsInternal(outcome.status()) &&
          !absl::IsDeadlineExceeded(outcome.status())) {
        return outcome.status();
      }
      measuring_ = false;
      ASSAY_RETURN_IF_ERROR(
          Append("broke", {{"why", outcome.status().ToString()}}));
    }
  }

  absl::StatusOr<stats::PairedOutcome> Compare(const runtime::Artifact& base,
                                               const runtime::Artifact& run) {
    const auto load = [&](const suites::PairPlacement& placement)
        -> absl::StatusOr<suites::ProgramPair> {
      runtime::LoadOptions options;
      options.placement_seed = placement.seed;
      bool together = true;
      ASSAY_ASSIGN_OR_RETURN(
          auto pair,
          suites::LoadInOrder<runtime::Session>(
              &base, &run, placement, &together,
              [&](absl::Span<const runtime::Artifact* const> artifacts, bool) {
                return runner_->Load(artifacts, options);
              }));
      suites::ProgramPair programs;
      programs.base = {"base", pair.base.get(), pair.base_program};
      programs.run = {"run", pair.run.get(), pair.run_program};
      programs.owner = pair.base;
      if (!std::exchange(measuring_, true)) {
        ASSAY_RETURN_IF_ERROR(
            Append("measuring", {{"device", runner_->facts().board}}));
      }
      return programs;
    };
    suites::SamplingOptions sampling;
    sampling.seed = rng_.NextU64();
    suites::PairedLoads loads(load, sampling, Clock::Monotonic());
    return suites::RunToVerdict(loads, {}, {flags_.budget_s});
  }

  // Continues to count where an earlier user has stopped, who may have been
  // killed while it wrote the last line.
  absl::Status Continue() {
    if (!FileExists(flags_.log)) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(flags_.log));
    for (const auto& line : absl::StrSplit(text, '\n')) {
      if (absl::StrContains(line, "\"verdict\":")) ++verdicts_;
    }
    if (text.empty() || text.back() == '\n') return absl::OkStatus();
    return absl::DataLossError(
        absl::StrCat("`", flags_.log, "` ends within a line"));
  }

  absl::Status Record(bool slower, const stats::PairedOutcome& outcome,
                      int64_t restarts) {
    const int64_t number = verdicts_++;
    ASSAY_RETURN_IF_ERROR(Append(
        "verdict", {{"device", runner_->facts().board},
                    {"number", number},
                    {"truth", slower ? "slower" : "equal"},
                    {"verdict", stats::VerdictName(outcome.verdict.verdict)},
                    {"restarts", restarts}}));
    std::cout << "recorded " << number << std::endl;
    return absl::OkStatus();
  }

  absl::Status Append(const std::string& event,
                      const nlohmann::ordered_json& fields) {
    nlohmann::ordered_json line = {{"event", event}, {"at", MonotonicNanos()}};
    line.update(fields);
    const std::string text = line.dump() + "\n";
    const int fd = open(flags_.log.c_str(),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return ErrnoError("open", flags_.log);
    const bool ok = write(fd, text.data(), text.size()) ==
                        static_cast<ssize_t>(text.size()) &&
                    fsync(fd) == 0;
    close(fd);
    return ok ? absl::OkStatus() : ErrnoError("write", flags_.log);
  }

  const Flags flags_;
  const rpc::RemoteOptions options_;
  Rng rng_;
  std::unique_ptr<rpc::RemoteRunner> runner_;
  bool measuring_ = false;  // since the last line `measuring`
  int64_t verdicts_ = 0;    // in the file
};

absl::StatusOr<ExitCode> Serve(const Flags& flags) {
  rpc::RemoteOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.tracker, rpc::ReadClientOptions({}));
  options.wish.key = flags.key;
  options.call_seconds = flags.call_seconds;
  const char* key = getenv("ASSAY_SIGNING_KEY");
  ASSAY_ASSIGN_OR_RETURN(options.signing_key,
                         rpc::SigningKey::Read(key == nullptr ? "" : key));
  options.remark = options.notify = [](absl::string_view text) {
    std::cerr << text << std::endl;
  };
  User user(flags, std::move(options));
  ASSAY_RETURN_IF_ERROR(user.Work());
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app{"Compares programs on the devices of a farm, for chaos tests."};
  Flags flags;
  app.add_option("--key", flags.key, "the key of the devices");
  app.add_option("--log", flags.log, "where verdicts are appended")->required();
  app.add_option("--seed", flags.seed, "the seed of everything that is drawn");
  app.add_option("--budget", flags.budget_s, "seconds for each comparison");
  app.add_option("--call_seconds", flags.call_seconds,
                 "the limit of a call at a device");
  return RunCommand(app, argc, argv, [&] { return Serve(flags); });
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
