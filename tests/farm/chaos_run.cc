#include "tests/farm/chaos_run.h"

#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "grpcpp/client_context.h"
#include "nlohmann/json.hpp"
#include "rpc/farm/child.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/client_options.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

// A lease that nobody renews ends after its duration and a margin.
constexpr int64_t kSettleNanos = 20'000'000'000;

struct Killer {
  std::string name;
  int left = 0;
};

// Returns the children of all threads of a process.
std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator(
           absl::StrCat("/proc/", pid, "/task"), error)) {
    const absl::StatusOr<std::string> text =
        ReadFile(thread.path().string() + "/children");
    if (!text.ok()) continue;
    for (const auto& word : absl::StrSplit(*text, ' ', absl::SkipEmpty())) {
      int child = 0;
      if (absl::SimpleAtoi(word, &child)) children.push_back(child);
    }
  }
  return children;
}

class Chaos {
 public:
  explicit Chaos(const ChaosOptions& options)
      : options_(options), rng_(options.seed) {}

  absl::StatusOr<ChaosReport> Run() {
    ASSAY_RETURN_IF_ERROR(StartFarm());
    for (int i = 0; i < options_.clients; ++i) {
      ASSAY_RETURN_IF_ERROR(StartClient(i));
    }
    killers_ = {{"tracker", options_.tracker_kills},
                {"server", options_.server_kills},
                {"worker", options_.worker_kills},
                {"client", options_.client_kills}};
    const int64_t start = MonotonicNanos();
    Sleep(5);  // all devices are registered and used
    while (Left() > 0) {
      Sleep(options_.pause_s * 2 * rng_.UniformFloat(0, 1));
      ASSAY_RETURN_IF_ERROR(KillOne());
      CheckClients();
      if (options_.progress) {
        std::cerr << "\r" << Left() << " kills left, "
                  << (MonotonicNanos() - start) / 1'000'000'000 << " s  "
                  << std::flush;
      }
    }
    Sleep(12);  // the last ones recover
    CheckClients();
    clients_.clear();
    ASSAY_RETURN_IF_ERROR(CountStuckLeases());
    ReadLogs();
    if (options_.progress) std::cerr << "\n";
    return report_;
  }

 private:
  static void Sleep(double seconds) {
    Clock::Monotonic()->SleepNanos(static_cast<int64_t>(seconds * 1e9));
  }

  int Left() const {
    int left = 0;
    for (const Killer& killer : killers_) left += killer.left;
    return left;
  }

  absl::Status StartFarm() {
    rpc::LocalFarmOptions farm;
    farm.folder = JoinPath(options_.folder, "farm");
    farm.tracker_program = options_.tracker_program;
    farm.server_program = options_.server_program;
    for (int i = 1; i <= options_.devices; ++i) {
      rpc::LocalDevice device;
      device.name = absl::StrCat("d", i);
      device.key = "sleeper";
      device.worker = {options_.worker_program};
      // One device is twice as slow, and one throttles by 30 %.
      if (i == 1) device.worker.push_back("--slowdown=2");
      if (i == 2) device.worker.push_back("--throttle=1.3");
      farm.devices.push_back(std::move(device));
    }
    ASSAY_ASSIGN_OR_RETURN(farm_, rpc::LocalFarm::Start(farm));
    setenv("ASSAY_TRACKER", farm_->tracker().c_str(), 1);
    setenv("ASSAY_TLS", JoinPath(farm.folder, "tls").c_str(), 1);
    setenv("ASSAY_TOKEN_FILE", JoinPath(farm.folder, "user.token").c_str(), 1);
    setenv("ASSAY_SIGNING_KEY", JoinPath(farm.folder, "client.key").c_str(), 1);
    return absl::OkStatus();
  }

  std::string LogOf(int client) const {
    return JoinPath(options_.folder, absl::StrCat("client", client, ".jsonl"));
  }

  absl::Status StartClient(int i) {
    if (i == static_cast<int>(clients_.size())) clients_.emplace_back();
    ASSAY_ASSIGN_OR_RETURN(
        clients_[i],
        rpc::Child::Start(
            absl::StrCat("client", i),
            {options_.client_program, absl::StrCat("--log=", LogOf(i)),
             absl::StrCat("--seed=", rng_.UniformInt(1, 1 << 30))},
            JoinPath(options_.folder, absl::StrCat("client", i, ".log"))));
    return absl::OkStatus();
  }

  void CheckClients() {
    for (int i = 0; i < static_cast<int>(clients_.size()); ++i) {
      if (clients_[i] == nullptr) continue;
      const absl::Status status = clients_[i]->Check();
      if (status.ok()) continue;
      ++report_.failed_clients;
      if (report_.first_failure.empty()) {
        report_.first_failure = std::string(status.message());
      }
      clients_[i].reset();
    }
  }

  absl::Status KillOne() {
    int64_t which = rng_.UniformInt(0, Left() - 1);
    for (Killer& killer : killers_) {
      if (which < killer.left) {
        --killer.left;
        ++report_.kills[killer.name];
        return Kill(killer.name);
      }
      which -= killer.left;
    }
    return absl::OkStatus();
  }

  absl::Status Kill(const std::string& name) {
    if (name == "tracker") {
      farm_->KillTracker();
      Sleep(rng_.UniformFloat(0, 1));
      return farm_->StartTracker();
    }
    if (name == "client") {
      const int i = static_cast<int>(rng_.UniformInt(0, options_.clients - 1));
      clients_[i].reset();
      return StartClient(i);
    }
    const std::string device =
        absl::StrCat("d", rng_.UniformInt(1, options_.devices));
    if (name == "server") {
      farm_->KillServer(device);
      Sleep(rng_.UniformFloat(0, 1));
      return farm_->StartServer(device);
    }
    for (const pid_t pid : ChildrenOf(farm_->server_program(device)->pid())) {
      kill(pid, SIGKILL);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<rpc::ListAnswer> List() {
    ASSAY_ASSIGN_OR_RETURN(const rpc::ClientOptions client,
                           rpc::ReadClientOptions({}));
    ASSAY_ASSIGN_OR_RETURN(const auto channel,
                           rpc::OpenChannel(client.transport, client.tracker));
    grpc::ClientContext context;
    rpc::PrepareContext(client.tracker, std::chrono::seconds(5), &context);
    rpc::AddToken(client.token, &context);
    rpc::ListAnswer answer;
    ASSAY_RETURN_IF_ERROR(rpc::FromGrpc(
        rpc::Tracker::NewStub(channel)->List(&context, {}, &answer)));
    return answer;
  }

  absl::Status CountStuckLeases() {
    const int64_t end = MonotonicNanos() + kSettleNanos;
    while (true) {
      ASSAY_ASSIGN_OR_RETURN(const rpc::ListAnswer list, List());
      report_.stuck_leases = 0;
      for (const rpc::ListedDevice& device : list.devices()) {
        if (device.state() == rpc::ListedDevice::LEASED) ++report_.stuck_leases;
      }
      const bool done = report_.stuck_leases == 0 && list.queue_size() == 0;
      if (done || MonotonicNanos() > end) return absl::OkStatus();
      Sleep(0.2);
    }
  }

  void ReadLogs() {
    for (int i = 0; i < options_.clients; ++i) {
      const absl::StatusOr<std::string> text = ReadFile(LogOf(i));
      if (!text.ok()) continue;
      for (const auto& line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
        ReadRecord(std::string(line));
      }
    }
  }

  void ReadRecord(const std::string& text) {
    const auto line = nlohmann::json::parse(text, nullptr, false);
    if (line.is_discarded() || !line.contains("waited")) {
      ++report_.broken_lines;
      return;
    }
    const std::string truth = line["truth"];
    const std::string verdict = line["verdict"];
    ++report_.comparisons;
    ++report_.verdicts[absl::StrCat(truth, " -> ", verdict)];
    const bool right =
        verdict == "inconclusive" ||
        verdict == (truth == "slower" ? "regressed" : "equivalent");
    if (!right) ++report_.false_verdicts;
    report_.restarts += line["restarts"].get<int64_t>();
    report_.longest_wait_s =
        std::max(report_.longest_wait_s, line["waited"].get<double>());
  }

  const ChaosOptions options_;
  Rng rng_;
  std::unique_ptr<rpc::LocalFarm> farm_;
  std::vector<std::unique_ptr<rpc::Child>> clients_;
  std::vector<Killer> killers_;
  ChaosReport report_;
};

}  // namespace

std::string ChaosReport::Text() const {
  std::string text = absl::StrCat(comparisons, " comparisons:\n");
  for (const auto& [name, count] : verdicts) {
    absl::StrAppend(&text, "  ", name, ": ", count, "\n");
  }
  absl::StrAppend(&text, "kills:");
  for (const auto& [name, count] : kills) {
    absl::StrAppend(&text, " ", name, " ", count);
  }
  absl::StrAppend(&text, "\nfalse verdicts: ", false_verdicts,
                  "\nbroken records: ", broken_lines,
                  "\ncomparisons that began again: ", restarts,
                  "\nlongest wait for another device: ", longest_wait_s,
                  " s\nstuck leases: ", stuck_leases,
                  "\nclients that gave up: ", failed_clients,
                  first_failure.empty() ? "" : ", the first one because ",
                  first_failure, "\n");
  return text;
}

absl::StatusOr<ChaosReport> RunChaos(const ChaosOptions& options) {
  return Chaos(options).Run();
}

}  // namespace assay
