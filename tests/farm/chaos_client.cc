// A user of a farm, for chaos tests: compares two programs on leased devices
// again and again, until it is killed.
//
//   chaos_client --key=sleeper --log=FILE --seed=7
//
// ASSAY_TRACKER and the other variables of the farm select the tracker. Each
// comparison is between a program and either its equal or one that takes 8 %
// longer. When it has a verdict, one line is appended to FILE and on the disk
// before the next comparison starts:
//
//   {"truth":"slower","verdict":"regressed","device":"d3","seconds":1.2,
//    "restarts":1,"waited":0.3}                                 (on one line)
//
// `restarts` counts the lost leases during the comparison, and `waited` is the
// longest time from a loss until another device was leased, in seconds.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
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
#include "suites/comparison/paired_loads.h"
#include "suites/comparison/program_pair.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay {
namespace {

constexpr int64_t kBaseNanos = 400'000;
constexpr int64_t kSlowerNanos = 432'000;

struct Flags {
  std::string key = "sleeper";
  std::string log;
  uint64_t seed = 1;
  double budget_s = 20;
};

// A program for the sleeping worker. The code never runs.
runtime::Artifact Sleeper(int64_t nanos) {
  runtime::Artifact artifact;
  artifact.metadata["sleeping.nanos"] = absl::StrCat(nanos);
  artifact.tensors = {
      {"x", DType::Float32(), {1}, runtime::Location::kInput, 0},
      {"y", DType::Int64(), {1}, runtime::Location::kOutput, 0}};
  artifact.calls = {{"sleep", {0}, {1}, {"sleep"}, "sleep", 1, 4, ""}};
  artifact.code_kind = "sleep";
  artifact.code = "none";
  return artifact;
}

double SecondsSince(int64_t start) {
  return static_cast<double>(MonotonicNanos() - start) * 1e-9;
}

class User {
 public:
  User(const Flags& flags, rpc::RemoteOptions options)
      : flags_(flags), options_(std::move(options)), rng_(flags.seed) {}

  // Returns only if the farm fails.
  absl::Status Work() {
    while (true) ASSAY_RETURN_IF_ERROR(CompareOnce());
  }

 private:
  absl::Status CompareOnce() {
    const bool slower = rng_.UniformInt(0, 1) == 1;
    const runtime::Artifact base = Sleeper(kBaseNanos);
    runtime::Artifact run = Sleeper(slower ? kSlowerNanos : kBaseNanos);
    // Equal programs are different files.
    run.metadata["model"] = "run";
    const int64_t start = MonotonicNanos();
    int64_t restarts = 0;
    double waited = 0;
    while (true) {
      if (runner_ == nullptr) ASSAY_RETURN_IF_ERROR(Connect());
      const auto outcome = Compare(base, run);
      if (outcome.ok()) {
        return Record(slower, *outcome, SecondsSince(start), restarts, waited);
      }
      // The worker died, or its device is lost: the samples are void.
      if (!absl::IsAborted(outcome.status()) &&
          !absl::IsInternal(outcome.status()) &&
          !absl::IsDeadlineExceeded(outcome.status())) {
        return outcome.status();
      }
      ++restarts;
      const int64_t lost = MonotonicNanos();
      runner_.reset();
      ASSAY_RETURN_IF_ERROR(Connect());
      waited = std::max(waited, SecondsSince(lost));
    }
  }

  absl::Status Connect() {
    ASSAY_ASSIGN_OR_RETURN(runner_, rpc::RemoteRunner::Create(options_));
    return runner_->Connect();
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
      return programs;
    };
    suites::SamplingOptions sampling;
    sampling.seed = rng_.NextU64();
    suites::PairedLoads loads(load, sampling, Clock::Monotonic());
    return suites::RunToVerdict(loads, {}, {flags_.budget_s});
  }

  absl::Status Record(bool slower, const stats::PairedOutcome& outcome,
                      double seconds, int64_t restarts, double waited) {
    nlohmann::ordered_json line;
    line["truth"] = slower ? "slower" : "equal";
    line["verdict"] = stats::VerdictName(outcome.verdict.verdict);
    line["device"] = runner_->facts().board;
    line["seconds"] = seconds;
    line["restarts"] = restarts;
    line["waited"] = waited;
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
};

absl::StatusOr<ExitCode> Serve(const Flags& flags) {
  rpc::RemoteOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.tracker, rpc::ReadClientOptions({}));
  options.wish.key = flags.key;
  options.call_seconds = 20;
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
  return RunCommand(app, argc, argv, [&] { return Serve(flags); });
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
