// Measures a tracker with many clients and devices over loopback:
//
//   bazel run //rpc/tracker/service:tracker_benchmark
//
// The tracker is the program //rpc:tracker, with its state on the disk. The
// devices only send heartbeats, and the clients hold their leases for a fixed
// time: what is measured is the tracker. Three runs:
//   load        clients that ask so often that the rate of leases is about that
//               of --rate, and devices are free: the latency of Acquire
//   saturation  clients that ask again at once: the highest rate of leases
//   shares      three users with different numbers of clients, and durations of
//               leases, for few devices: the device-seconds of each
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "grpcpp/client_context.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/spawn.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1000 * kMillisecond;

struct Flags {
  int clients = 200;
  int devices = 64;
  double rate = 1000;
  double hold_ms = 20;
  double seconds = 10;
  std::string state;
};

std::string TokenOf(const std::string& caller) {
  return absl::StrCat(caller, "-", std::string(40, 'x'));
}

std::string DeviceName(int number) { return absl::StrCat("device-", number); }

// The program, and the time for which it used processors.
class Program {
 public:
  static absl::StatusOr<std::unique_ptr<Program>> Start(const char* self,
                                                        const Flags& flags) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::string path,
        runtime::FindRunfile(self, "assay/rpc/tracker/service/tracker"));
    ASSAY_ASSIGN_OR_RETURN(TempDir dir, TempDir::Create());
    auto program = std::unique_ptr<Program>(new Program(std::move(dir)));
    std::string tokens;
    for (const char* user : {"load", "ann", "ben", "eve"}) {
      ASSAY_ASSIGN_OR_RETURN(const std::string line,
                             TokenLine(Role::kUser, user, TokenOf(user)));
      tokens += line;
    }
    for (int i = 0; i < flags.devices; ++i) {
      const std::string name = DeviceName(i);
      ASSAY_ASSIGN_OR_RETURN(const std::string line,
                             TokenLine(Role::kDevice, name, TokenOf(name)));
      tokens += line;
    }
    const std::string tokens_path = JoinPath(program->dir_.path(), "tokens");
    const std::string port_path = JoinPath(program->dir_.path(), "port");
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(tokens_path, tokens));
    const std::string state = flags.state.empty()
                                  ? JoinPath(program->dir_.path(), "state")
                                  : FromCallersFolder(flags.state);
    ASSAY_ASSIGN_OR_RETURN(
        program->pid_,
        runtime::Spawn({path, "--listen=127.0.0.1:0", "--plain_text",
                        absl::StrCat("--tokens=", tokens_path),
                        absl::StrCat("--state=", state),
                        absl::StrCat("--port_file=", port_path)},
                       runtime::Streams()));
    const int64_t end = MonotonicNanos() + 20 * kSecond;
    while (!FileExists(port_path)) {
      if (MonotonicNanos() > end) {
        return absl::DeadlineExceededError("the tracker does not start");
      }
      Clock::Monotonic()->SleepNanos(kMillisecond);
    }
    ASSAY_ASSIGN_OR_RETURN(const std::string port, ReadFile(port_path));
    if (!absl::SimpleAtoi(port, &program->port_)) {
      return absl::InternalError("the tracker has written no port");
    }
    return program;
  }
  ~Program() {
    if (pid_ > 0) runtime::KillSpawned(pid_);
  }

  int port() const { return port_; }

  double CpuSeconds() const {
    const auto stat = ReadFile(absl::StrCat("/proc/", pid_, "/stat"));
    if (!stat.ok()) return 0;
    const std::vector<std::string> words = absl::StrSplit(*stat, ' ');
    double user = 0, system = 0;
    if (words.size() < 15 || !absl::SimpleAtod(words[13], &user) ||
        !absl::SimpleAtod(words[14], &system)) {
      return 0;
    }
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  explicit Program(TempDir dir) : dir_(std::move(dir)) {}

  TempDir dir_;
  pid_t pid_ = -1;
  int port_ = 0;
};

std::unique_ptr<Tracker::Stub> Connect(int port) {
  return Tracker::NewStub(*OpenChannel({"", /*plain_text=*/true},
                                       {absl::StrCat("127.0.0.1:", port), ""}));
}

void Prepare(const std::string& caller, grpc::ClientContext* context) {
  PrepareContext(Address(), std::chrono::minutes(2), context);
  AddToken(TokenOf(caller), context);
}

// Devices that are registered, and send heartbeats from one thread.
class Devices {
 public:
  Devices(int port, int count, const std::string& key) {
    for (int i = 0; i < count; ++i) {
      auto device = std::make_unique<Device>();
      device->stub = Connect(port);
      Prepare(DeviceName(i), &device->context);
      device->stream = device->stub->Register(&device->context);
      FromDevice message;
      message.mutable_hello()->set_device(DeviceName(i));
      message.mutable_hello()->set_key(key);
      message.mutable_hello()->set_address("127.0.0.1:9");
      message.mutable_hello()->mutable_facts()->set_fingerprint("sleeper");
      message.mutable_hello()->mutable_facts()->set_board(DeviceName(i));
      device->stream->Write(message);
      ToDevice answer;
      device->stream->Read(&answer);
      Device* const raw = device.get();
      device->reads = std::thread([raw] {
        ToDevice ended;
        while (raw->stream->Read(&ended)) {
        }
      });
      devices_.push_back(std::move(device));
    }
    beats_ = std::thread([this] {
      while (!stopping_) {
        FromDevice message;
        message.mutable_heartbeat()->mutable_health();
        for (const auto& device : devices_) device->stream->Write(message);
        Clock::Monotonic()->SleepNanos(kSecond);
      }
    });
  }
  ~Devices() {
    stopping_ = true;
    beats_.join();
    for (const auto& device : devices_) {
      device->context.TryCancel();
      device->reads.join();
      device->stream->Finish();
    }
  }

 private:
  struct Device {
    std::unique_ptr<Tracker::Stub> stub;
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReaderWriter<FromDevice, ToDevice>> stream;
    std::thread reads;
  };

  std::vector<std::unique_ptr<Device>> devices_;
  std::atomic<bool> stopping_{false};
  std::thread beats_;
};

struct ClientSpec {
  std::string user = "load";
  int64_t hold_nanos = 0;
  int64_t think_nanos = 0;  // the mean; the time is distributed exponentially
};

struct Result {
  std::vector<int64_t> acquire_nanos;
  std::map<std::string, double> held_seconds;  // by user
  std::vector<std::string> errors;
};

// Runs clients that acquire and release leases until the time is over.
Result RunClients(int port, const std::string& key,
                  const std::vector<ClientSpec>& specs, double seconds) {
  std::mutex mutex;
  Result result;
  const int64_t start = MonotonicNanos() + kSecond;
  const int64_t end = start + static_cast<int64_t>(seconds * 1e9);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < specs.size(); ++i) {
    threads.emplace_back([&, i] {
      const ClientSpec& spec = specs[i];
      std::mt19937_64 rng(i);
      std::exponential_distribution<double> think;
      const auto stub = Connect(port);
      Result mine;
      const auto error = [&](const char* what, const grpc::Status& status) {
        mine.errors.push_back(absl::StrCat(what, ": ", status.error_message()));
      };
      for (int64_t number = 0;; ++number) {
        Clock::Monotonic()->SleepNanos(static_cast<int64_t>(
            think(rng) * static_cast<double>(spec.think_nanos)));
        const int64_t asked = MonotonicNanos();
        if (asked >= end) break;
        grpc::ClientContext context;
        Prepare(spec.user, &context);
        AcquireRequest request;
        request.set_key(key);
        request.set_ticket(absl::StrCat(key, "-", i, "-", number));
        request.set_wait_seconds(60);
        const auto stream = stub->Acquire(&context, request);
        AcquireAnswer answer;
        Lease lease;
        while (stream->Read(&answer)) {
          if (answer.has_lease()) lease = answer.lease();
        }
        const grpc::Status status = stream->Finish();
        const int64_t granted = MonotonicNanos();
        LeaseTerms terms;
        if (!status.ok() || !terms.ParseFromString(lease.terms())) {
          error("Acquire", status);
          break;
        }
        Clock::Monotonic()->SleepNanos(spec.hold_nanos);
        grpc::ClientContext release_context;
        Prepare(spec.user, &release_context);
        LeaseName name;
        name.set_device(terms.device());
        name.set_token(terms.token());
        ReleaseAnswer released;
        const grpc::Status release =
            stub->Release(&release_context, name, &released);
        if (!release.ok()) {
          error("Release", release);
          break;
        }
        const int64_t from = std::max(granted, start);
        const int64_t until = std::min(MonotonicNanos(), end);
        if (until > from) {
          mine.held_seconds[spec.user] +=
              static_cast<double>(until - from) / 1e9;
        }
        if (asked >= start && granted < end) {
          mine.acquire_nanos.push_back(granted - asked);
        }
      }
      const std::lock_guard<std::mutex> lock(mutex);
      result.acquire_nanos.insert(result.acquire_nanos.end(),
                                  mine.acquire_nanos.begin(),
                                  mine.acquire_nanos.end());
      for (const auto& [user, held] : mine.held_seconds) {
        result.held_seconds[user] += held;
      }
      result.errors.insert(result.errors.end(), mine.errors.begin(),
                           mine.errors.end());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::sort(result.acquire_nanos.begin(), result.acquire_nanos.end());
  return result;
}

double Quantile(const std::vector<int64_t>& sorted, double q) {
  if (sorted.empty()) return 0;
  const auto index =
      static_cast<size_t>(q * static_cast<double>(sorted.size() - 1));
  return static_cast<double>(sorted[index]) / kMillisecond;
}

void PrintErrors(const Result& result) {
  if (result.errors.empty()) return;
  printf("  %zu errors; the first: %s\n", result.errors.size(),
         result.errors[0].c_str());
}

void PrintLatency(const char* name, const Program& program, double cpu_before,
                  const Result& result, double seconds) {
  const double leases = static_cast<double>(result.acquire_nanos.size());
  printf(
      "%-11s %6.0f leases/s   acquire p50 %6.2f ms   p99 %6.2f ms   "
      "max %6.2f ms   tracker %3.0f %% of a core\n",
      name, leases / seconds, Quantile(result.acquire_nanos, 0.5),
      Quantile(result.acquire_nanos, 0.99), Quantile(result.acquire_nanos, 1),
      100 * (program.CpuSeconds() - cpu_before) / (seconds + 1));
  PrintErrors(result);
}

absl::StatusOr<ExitCode> Run(const char* self, const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const auto program, Program::Start(self, flags));
  const int port = program->port();
  {
    const Devices devices(port, flags.devices, "load");
    ClientSpec spec;
    spec.hold_nanos = static_cast<int64_t>(flags.hold_ms * kMillisecond);
    spec.think_nanos = std::max<int64_t>(
        0, static_cast<int64_t>(flags.clients / flags.rate * 1e9) -
               spec.hold_nanos);
    double cpu = program->CpuSeconds();
    PrintLatency(
        "load", *program, cpu,
        RunClients(port, "load", std::vector<ClientSpec>(flags.clients, spec),
                   flags.seconds),
        flags.seconds);
    cpu = program->CpuSeconds();
    PrintLatency(
        "saturation", *program, cpu,
        RunClients(port, "load", std::vector<ClientSpec>(flags.clients),
                   flags.seconds),
        flags.seconds);
  }
  const Devices devices(port, 8, "shares");
  std::vector<ClientSpec> specs;
  const std::vector<std::tuple<std::string, int, int64_t>> users = {
      {"ann", 4, 20}, {"ben", 10, 50}, {"eve", 30, 35}};
  for (const auto& [user, count, hold] : users) {
    specs.insert(specs.end(), count, {user, hold * kMillisecond, 0});
  }
  Result result = RunClients(port, "shares", specs, flags.seconds);
  double total = 0;
  for (const auto& [user, held] : result.held_seconds) total += held;
  printf("shares     ");
  for (const auto& [user, count, hold] : users) {
    const double share = result.held_seconds[user] / total;
    printf("  %s %.1f %% (%+.1f %% of fair)", user.c_str(), 100 * share,
           100 * (3 * share - 1));
  }
  printf("   8 devices busy for %.0f %%\n", 100 * total / (8 * flags.seconds));
  PrintErrors(result);
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app{"Measures a tracker with many clients and devices."};
  Flags flags;
  app.add_option("--clients", flags.clients)->capture_default_str();
  app.add_option("--devices", flags.devices, "at least 8")
      ->capture_default_str()
      ->check(CLI::Range(8, 10'000));
  app.add_option("--rate", flags.rate, "wanted leases per second")
      ->capture_default_str();
  app.add_option("--hold_ms", flags.hold_ms, "duration of a lease")
      ->capture_default_str();
  app.add_option("--seconds", flags.seconds, "duration of each run")
      ->capture_default_str();
  app.add_option("--state", flags.state,
                 "the state folder, by default a temporary one");
  return RunCommand(app, argc, argv, [&] { return Run(argv[0], flags); });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
