// Measures by how much the times of a leased device differ from local ones:
//
//   ./bazelw run //tests/farm:farm_bias
//
// A farm with one device runs on this machine. In each load, a network is
// loaded in this process, as a suite does without a tracker, and on the device,
// and runs of both alternate (suites/comparison/runtime_speed.h). A relay
// between this program and the device delays everything that they send to each
// other. The programs are the same, so the ratio should be 1.
#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "reports/stats/ratio.h"
#include "rpc/client/remote_runner.h"
#include "rpc/farm/local_farm.h"
#include "rpc/security/signature.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "runtime/process/runfiles.h"
#include "suites/comparison/runtime_speed.h"
#include "suites/comparison/subject.h"
#include "suites/correctness/checked_session.h"
#include "suites/models/catalog.h"
#include "suites/sampling/idle_threads.h"
#include "tests/farm/tcp_relay.h"

namespace assay {
namespace {

using suites::RuntimeSpeed;

constexpr char kDevice[] = "host-1";
constexpr char kKey[] = "host";
// A port of this machine on which nothing listens.
constexpr int kNoPort = 1;

struct Flags {
  std::string model = "resnet18";
  std::vector<int> threads = {1, 2};
  std::vector<int> delay_ms = {0, 50};
  int64_t loads = 30;
  double limit_percent = 1;
  uint64_t seed = 0;
};

// A farm whose only device is called through a relay.
class RelayedFarm {
 public:
  static absl::StatusOr<std::unique_ptr<RelayedFarm>> Start(
      const std::string& program) {
    ASSAY_ASSIGN_OR_RETURN(TempDir folder, TempDir::Create("assay_farm_bias"));
    auto farm = std::make_unique<RelayedFarm>(std::move(folder));
    ASSAY_ASSIGN_OR_RETURN(farm->relay_, TcpRelay::Start(kNoPort));
    rpc::LocalFarmOptions options;
    options.folder = farm->folder_.path();
    ASSAY_ASSIGN_OR_RETURN(
        options.tracker_program,
        runtime::FindRunfile(program, "assay/rpc/tracker/service/tracker"));
    ASSAY_ASSIGN_OR_RETURN(
        options.server_program,
        runtime::FindRunfile(program, "assay/rpc/server/program/server"));
    ASSAY_ASSIGN_OR_RETURN(
        const std::string worker,
        runtime::FindRunfile(program, "assay/runtime/tools/bench_artifact"));
    rpc::LocalDevice device;
    device.name = kDevice;
    device.key = kKey;
    device.worker = {worker};
    device.server_flags = {
        absl::StrCat("--advertise=127.0.0.1:", farm->relay_->port())};
    options.devices = {device};
    ASSAY_ASSIGN_OR_RETURN(farm->farm_, rpc::LocalFarm::Start(options));
    ASSAY_ASSIGN_OR_RETURN(
        const std::string port,
        ReadFile(
            JoinPath(options.folder, absl::StrCat("logs/", kDevice, ".port"))));
    int number = 0;
    if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(port), &number)) {
      return absl::InternalError("the server has written no port");
    }
    farm->relay_->SetTarget(number);
    return farm;
  }

  explicit RelayedFarm(TempDir folder) : folder_(std::move(folder)) {}

  // The time by which a call and its answer take longer together.
  void SetDelay(int64_t nanos) { relay_->SetDelay(nanos / 2); }

  absl::StatusOr<std::unique_ptr<rpc::RemoteRunner>> Lease() {
    rpc::ClientFlags flags;
    flags.tracker = farm_->tracker();
    flags.tls = JoinPath(folder_.path(), "tls");
    flags.token_file = JoinPath(folder_.path(), "user.token");
    rpc::RemoteOptions options;
    ASSAY_ASSIGN_OR_RETURN(options.tracker, rpc::ReadClientOptions(flags));
    ASSAY_ASSIGN_OR_RETURN(
        options.signing_key,
        rpc::SigningKey::Read(JoinPath(folder_.path(), "client.key")));
    options.wish.key = kKey;
    ASSAY_ASSIGN_OR_RETURN(auto runner,
                           rpc::RemoteRunner::Create(std::move(options)));
    ASSAY_RETURN_IF_ERROR(runner->Connect());
    return runner;
  }

 private:
  const TempDir folder_;
  std::unique_ptr<TcpRelay> relay_;
  std::unique_ptr<rpc::LocalFarm> farm_;
};

absl::StatusOr<RuntimeSpeed> Compare(const suites::Subject& subject,
                                     runtime::Runner& leased,
                                     const Flags& flags) {
  runtime::InProcessRunner local;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         local.Load({&subject.artifact}, {subject.threads}));
  suites::CheckedSession checked(std::move(session), subject.examples);
  ASSAY_ASSIGN_OR_RETURN(const suites::Accuracy accuracy, checked.Examine());
  if (!accuracy.correct) return absl::InternalError(accuracy.problem);
  suites::RuntimePair pair;
  pair.ours = suites::OurLoader(checked, subject.artifact, leased);
  pair.other = suites::OurLoader(checked, subject.artifact, local);
  pair.inputs = static_cast<int64_t>(subject.examples.size());
  suites::RuntimeSpeedOptions options;
  options.loads = flags.loads;
  options.budget_s = HUGE_VAL;
  options.seed = flags.seed;
  if (subject.threads > 1) options.settle = suites::WaitForIdleThreads;
  return CompareRuntimes(pair, options, Clock::Monotonic());
}

// Returns e.g. `+0.12 % [-0.05, +0.20]`: how much slower the device was.
std::string Bias(const stats::Ratio& ratio) {
  return absl::StrFormat("%+.2f %% [%+.2f, %+.2f]", 100 * (1 / ratio.value - 1),
                         100 * (1 / ratio.upper - 1),
                         100 * (1 / ratio.lower - 1));
}

bool IsWithin(const stats::Ratio& ratio, double limit_percent) {
  const double limit = std::log1p(limit_percent / 100);
  return std::abs(std::log(ratio.lower)) <= limit &&
         std::abs(std::log(ratio.upper)) <= limit;
}

absl::StatusOr<ExitCode> Measure(const Flags& flags,
                                 const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(const auto farm, RelayedFarm::Start(program));
  ASSAY_ASSIGN_OR_RETURN(const auto leased, farm->Lease());
  ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto proto,
                         suites::BuildFromCatalog(flags.model, {}));
  std::cout << absl::StrFormat("%-14s %7s %9s %6s  %-26s %-26s\n", "model",
                               "threads", "delay", "loads", "typical runs",
                               "fastest runs");
  bool all_within = true;
  for (const int threads : flags.threads) {
    ASSAY_ASSIGN_OR_RETURN(auto graph, frontend::ImportOnnxModel(proto));
    ASSAY_ASSIGN_OR_RETURN(
        const suites::Subject subject,
        suites::MakeSubject(flags.model, std::move(graph), threads));
    for (const int delay_ms : flags.delay_ms) {
      farm->SetDelay(int64_t{delay_ms} * 1'000'000);
      ASSAY_ASSIGN_OR_RETURN(const RuntimeSpeed speed,
                             Compare(subject, *leased, flags));
      const bool within = IsWithin(speed.typical, flags.limit_percent) &&
                          IsWithin(speed.fastest, flags.limit_percent);
      all_within = all_within && within;
      std::cout << absl::StrFormat("%-14s %7d %6d ms %6d  %-26s %-26s%s\n",
                                   flags.model, threads, delay_ms, speed.loads,
                                   Bias(speed.typical), Bias(speed.fastest),
                                   within ? "" : "  not within the limit")
                << std::flush;
    }
  }
  return all_within ? ExitCode::kPass : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Compares the times of a leased device of this machine with local ones. "
      "The ratio should\nbe 1; what is printed is the difference, with its 95 "
      "% interval.\n");
  app.footer(
      "\nExit codes: 0 all intervals lie within the limit; 1 one does not; 2 "
      "usage; 5 the farm failed.");
  Flags flags;
  app.add_option("--model", flags.model, "default resnet18")
      ->check(CLI::IsMember(suites::CatalogNames()));
  app.add_option("--threads", flags.threads, "default 1,2")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--delay_ms", flags.delay_ms,
                 "how much longer a call and its answer take together; default "
                 "0,50")
      ->delimiter(',')
      ->check(CLI::Range(0, 10000));
  app.add_option("--loads", flags.loads, "default 30")
      ->check(CLI::Range(int64_t{6}, int64_t{100000}));
  app.add_option("--limit", flags.limit_percent,
                 "percent within which each interval must lie; default 1")
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--seed", flags.seed, "default 0");
  return RunCommand(app, argc, argv, [&] { return Measure(flags, argv[0]); });
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
