#include "tests/farm/attack/hostile_run.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "grpcpp/client_context.h"
#include "rpc/farm/child.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/farm/local_farm.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/client_options.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/attack/attack_mix.h"
#include "tests/farm/attack/documented_statuses.h"
#include "tests/farm/attack/honest_client.h"
#include "tests/farm/attack/hostile_bytes.h"
#include "tests/farm/attack/hostile_messages.h"

namespace assay {
namespace {

// The keys of the devices; their names end with `-1`.
constexpr char kDirect[] = "direct";
constexpr char kProxied[] = "proxied";
constexpr char kDeviceService[] = "assay.rpc.Device";
constexpr size_t kMaxProblems = 20;
constexpr size_t kMaxStale = 20;
// Half-open handshakes of a connection that are kept.
constexpr size_t kKeptOpen = 12;
constexpr double kHonestSeconds = 10;

void Sleep(double seconds) {
  Clock::Monotonic()->SleepNanos(static_cast<int64_t>(seconds * 1e9));
}

double SecondsSince(int64_t start) {
  return static_cast<double>(MonotonicNanos() - start) * 1e-9;
}

// Returns true if the condition becomes true.
bool WaitFor(double seconds, const std::function<bool()>& condition) {
  const int64_t end = MonotonicNanos() + static_cast<int64_t>(seconds * 1e9);
  while (!condition()) {
    if (MonotonicNanos() > end) return false;
    Sleep(0.05);
  }
  return true;
}

// A lease as the attacker uses it.
struct TakenLease {
  rpc::LeaseName name;
  std::string bytes;
};

class Hostile {
 public:
  explicit Hostile(const HostileOptions& options)
      : options_(options), rng_(options.seed) {}

  absl::StatusOr<HostileReport> Run() {
    ASSAY_RETURN_IF_ERROR(ReadDocuments());
    ASSAY_RETURN_IF_ERROR(StartFarm());
    ASSAY_RETURN_IF_ERROR(MakeAttacker());
    ASSAY_RETURN_IF_ERROR(honest_->Measure(kDirect));
    ASSAY_RETURN_IF_ERROR(honest_->Measure(kProxied));
    for (const auto& [program, child] : Programs()) {
      ASSAY_ASSIGN_OR_RETURN(first_[program], ReadProcessUsage(child->pid()));
    }
    for (int64_t sent = 0; sent < options_.messages;) {
      const int64_t count = std::min(options_.round, options_.messages - sent);
      Round(count);
      CheckHonest();
      CheckUsage();
      sent += count;
      if (options_.progress) {
        std::cerr << "\r" << sent << " of " << options_.messages << "  "
                  << std::flush;
      }
    }
    if (options_.progress) std::cerr << "\n";
    CheckEnd();
    return std::move(report_);
  }

 private:
  absl::Status ReadDocuments() {
    std::string proxy;
    for (const char* name : {"tracker", "device", "proxy"}) {
      ASSAY_ASSIGN_OR_RETURN(
          const std::string text,
          ReadFile(JoinPath(options_.protos, absl::StrCat(name, ".proto"))));
      ASSAY_RETURN_IF_ERROR(statuses_.Read(text));
      proxied_statuses_.Read(text).IgnoreError();
      proxy = text;
    }
    proxied_statuses_.AddToService(proxy, kDeviceService);
    return absl::OkStatus();
  }

  absl::Status StartFarm() {
    // Workers inherit it.
    cookie_ = absl::StrCat("hostile-", getpid(), "-", MonotonicNanos());
    setenv("ASSAY_TEST_COOKIE", cookie_.c_str(), 1);
    rpc::LocalFarmOptions farm;
    farm.folder = JoinPath(options_.folder, "farm");
    farm.tracker_program = options_.tracker_program;
    farm.server_program = options_.server_program;
    farm.proxy_program = options_.proxy_program;
    for (const char* key : {kDirect, kProxied}) {
      rpc::LocalDevice device;
      device.name = absl::StrCat(key, "-1");
      device.key = key;
      device.worker = {options_.worker_program};
      device.server_flags = {
          absl::StrCat("--upload_seconds=", options_.upload_seconds)};
      device.behind_proxy = key == std::string(kProxied);
      farm.devices.push_back(std::move(device));
    }
    ASSAY_ASSIGN_OR_RETURN(farm_, rpc::LocalFarm::Start(farm));
    rpc::ClientFlags flags;
    flags.tracker = farm_->tracker();
    flags.tls = JoinPath(farm.folder, "tls");
    flags.token_file = JoinPath(farm.folder, "user.token");
    ASSAY_ASSIGN_OR_RETURN(client_, rpc::ReadClientOptions(flags));
    ASSAY_ASSIGN_OR_RETURN(
        honest_,
        HonestClient::Create(client_, JoinPath(farm.folder, "client.key")));
    ASSAY_ASSIGN_OR_RETURN(
        const std::string port,
        ReadFile(JoinPath(farm.folder, "logs/direct-1.port")));
    if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(port), &server_port_)) {
      return absl::InternalError("the server has written no port");
    }
    return absl::OkStatus();
  }

  // Adds a user and a device to the farm.
  absl::Status MakeAttacker() {
    const std::string path = JoinPath(options_.folder, "farm/tokens");
    ASSAY_ASSIGN_OR_RETURN(std::string lines, ReadFile(path));
    ASSAY_ASSIGN_OR_RETURN(user_token_, rpc::NewToken());
    ASSAY_ASSIGN_OR_RETURN(device_token_, rpc::NewToken());
    ASSAY_ASSIGN_OR_RETURN(
        const std::string user,
        rpc::TokenLine(rpc::Role::kUser, "eve", user_token_));
    ASSAY_ASSIGN_OR_RETURN(
        const std::string device,
        rpc::TokenLine(rpc::Role::kDevice, "hostile", device_token_));
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(path, absl::StrCat(lines, user, device)));
    // The programs look at the file every second.
    absl::StatusOr<TakenLease> lease;
    const bool known = WaitFor(10, [&] {
      lease = Take(kDirect);
      return lease.ok();
    });
    if (!known) return lease.status();
    return honest_->Release(lease->name, user_token_);
  }

  std::vector<std::pair<std::string, rpc::Child*>> Programs() {
    return {{kTracker, farm_->tracker_program()},
            {kServer, farm_->server_program("direct-1")},
            {"server behind proxy", farm_->server_program("proxied-1")},
            {kProxy, farm_->proxy_program()}};
  }

  absl::StatusOr<TakenLease> Take(const std::string& key) {
    ASSAY_ASSIGN_OR_RETURN(const rpc::Lease lease,
                           honest_->Acquire(key, user_token_));
    rpc::LeaseTerms terms;
    if (!terms.ParseFromString(lease.terms())) {
      return absl::InternalError("a lease has no terms");
    }
    TakenLease taken;
    taken.name.set_device(terms.device());
    taken.name.set_token(terms.token());
    rpc::Lease shown;
    shown.set_terms(lease.terms());
    shown.set_signature(lease.signature());
    taken.bytes = shown.SerializeAsString();
    return taken;
  }

  void Round(int64_t messages) {
    const absl::StatusOr<TakenLease> direct = Take(kDirect);
    Report(direct.status(), "the attacker gets no lease");
    const absl::StatusOr<TakenLease> proxied = Take(kProxied);
    Report(proxied.status(), "the attacker gets no lease");
    if (!direct.ok() || !proxied.ok()) return;
    Attack(kTracker, Transport(kTracker), messages, LootOf("", ""));
    for (const bool through_proxy : {false, true}) {
      const TakenLease& mine = through_proxy ? *proxied : *direct;
      const TakenLease& other = through_proxy ? *direct : *proxied;
      const char* const program = through_proxy ? kProxy : kServer;
      const rpc::Address address = Transport(program);
      Loot loot = LootOf(mine.bytes, other.bytes);
      const absl::StatusOr<std::string> session =
          OpenSession(address, mine.bytes,
                      honest_->uploaded(through_proxy ? kProxied : kDirect));
      Report(session.status(), "the attacker gets no session");
      loot.session = session.value_or("");
      Attack(program, address, messages, loot);
    }
    for (const auto* lease : {&*direct, &*proxied}) {
      Report(honest_->Release(lease->name, user_token_), "release");
      stale_.push_back(*lease);
    }
    while (stale_.size() > kMaxStale) stale_.erase(stale_.begin());
  }

  rpc::Address Transport(const std::string& program) const {
    if (program == kTracker) return {farm_->tracker(), ""};
    if (program == kProxy) return {farm_->proxy(), "proxied-1"};
    return {absl::StrCat("127.0.0.1:", server_port_), ""};
  }

  Loot LootOf(const std::string& lease, const std::string& other) const {
    Loot loot;
    loot.user_token = user_token_;
    loot.device_token = device_token_;
    loot.lease = lease;
    if (!other.empty()) loot.other_leases = {other};
    for (const TakenLease& taken : stale_) {
      loot.stale_leases.push_back(taken.bytes);
      loot.ended.push_back(taken.name);
    }
    return loot;
  }

  absl::StatusOr<std::string> OpenSession(
      const rpc::Address& address, const std::string& lease,
      const HonestClient::Uploaded& program) {
    ASSAY_ASSIGN_OR_RETURN(const auto channel,
                           rpc::OpenChannel(client_.transport, address));
    grpc::ClientContext context;
    rpc::PrepareContext(address, std::chrono::seconds(10), &context);
    context.AddMetadata("assay-lease-bin", lease);
    rpc::OpenRequest request;
    request.add_artifacts()->set_digest(program.digest);
    request.mutable_artifacts(0)->set_signature(program.signature);
    request.set_threads(1);
    rpc::OpenAnswer answer;
    ASSAY_RETURN_IF_ERROR(rpc::FromGrpc(
        rpc::Device::NewStub(channel)->Open(&context, request, &answer)));
    return answer.session();
  }

  // Sends the messages over all connections at the same time.
  void Attack(const std::string& program, const rpc::Address& address,
              int64_t messages, const Loot& loot) {
    std::vector<std::thread> threads;
    for (int i = 0; i < options_.connections; ++i) {
      const int64_t count = messages / options_.connections +
                            (i < messages % options_.connections ? 1 : 0);
      std::unique_ptr<HostileBytes>& bytes = bytes_[absl::StrCat(program, i)];
      if (bytes == nullptr) {
        bytes = std::make_unique<HostileBytes>(
            PortOf(address),
            program == kTracker ? "/assay.rpc.Tracker/List"
                                : "/assay.rpc.Device/FindBlobs",
            kKeptOpen);
      }
      threads.emplace_back([this, program, address, count, &loot,
                            bytes = bytes.get(), seed = rng_.NextU64()] {
        AttackOverOne(program, address, count, loot, *bytes, seed);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  static int PortOf(const rpc::Address& address) {
    int port = 0;
    const size_t colon = address.endpoint.rfind(':');
    (void)absl::SimpleAtoi(address.endpoint.substr(colon + 1), &port);
    return port;
  }

  void AttackOverOne(const std::string& program, const rpc::Address& address,
                     int64_t messages, const Loot& loot, HostileBytes& bytes,
                     uint64_t seed) {
    Rng rng(seed);
    const auto channel = rpc::OpenChannel(client_.transport, address);
    Report(channel.status(), program);
    if (!channel.ok()) return;
    HostileTarget target;
    target.channel = *channel;
    target.device = address.device;
    target.calls = program == kTracker ? TrackerCalls() : DeviceCalls();
    HostileMessages calls(target, loot,
                          program == kProxy ? &proxied_statuses_ : &statuses_);
    std::map<std::string, Tally> tallies;
    for (int64_t i = 0; i < messages; ++i) {
      const std::string kind = DrawKind(program, rng);
      const int64_t start = MonotonicNanos();
      absl::Status status;
      if (IsOfBytes(kind)) {
        const absl::StatusOr<std::string> answer = bytes.Send(kind, rng);
        if (answer.ok()) tallies[kind].Add(*answer, SecondsSince(start), "");
        status = answer.status();
      } else {
        status = calls.Send(kind, rng, &tallies[kind]);
      }
      Report(status, program);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [kind, tally] : tallies) {
      report_.tallies[program][kind].Add(tally);
    }
  }

  // Adds a problem if there is one.
  void Report(const absl::Status& status, absl::string_view where) {
    if (status.ok()) return;
    const std::string text =
        absl::StrCat(where, ": ", std::string(status.message()));
    const std::lock_guard<std::mutex> lock(mutex_);
    // Those with the same beginning have the same cause.
    const std::string begin = text.substr(0, 60);
    for (const std::string& problem : report_.problems) {
      if (absl::StartsWith(problem, begin)) return;
    }
    if (report_.problems.size() < kMaxProblems) {
      report_.problems.push_back(text);
    }
  }
  void Expect(bool condition, const std::string& problem) {
    if (!condition) Report(absl::InternalError(problem), "at the end");
  }

  void CheckHonest() {
    const auto timed = [this](const std::string& what,
                              const std::function<absl::Status()>& work) {
      const int64_t start = MonotonicNanos();
      Report(work(), absl::StrCat("an honest user, ", what));
      const double seconds = SecondsSince(start);
      report_.longest_answer_s = std::max(report_.longest_answer_s, seconds);
      if (seconds < kHonestSeconds) return;
      Report(absl::DeadlineExceededError(absl::StrCat(seconds, " s")),
             absl::StrCat("an honest user waited, ", what));
    };
    timed("list", [this] { return honest_->List().status(); });
    timed("direct", [this] { return honest_->Measure(kDirect); });
    timed("proxied", [this] { return honest_->Measure(kProxied); });
  }

  void CheckUsage() {
    Report(farm_->Check(), "a program has ended");
    for (const auto& [program, child] : Programs()) {
      const absl::StatusOr<ProcessUsage> usage = ReadProcessUsage(child->pid());
      Report(usage.status(), program);
      if (!usage.ok()) continue;
      ProcessUsage& most = report_.most[program];
      most.memory_bytes = std::max(most.memory_bytes, usage->memory_bytes);
      most.files = std::max(most.files, usage->files);
      most.threads = std::max(most.threads, usage->threads);
      most.children = std::max(most.children, usage->children);
      if (usage->memory_bytes > options_.max_memory_bytes ||
          usage->files > options_.max_files ||
          usage->threads > options_.max_threads) {
        Report(absl::ResourceExhaustedError(absl::StrCat(
                   usage->memory_bytes, " bytes of memory, ", usage->files,
                   " open files, ", usage->threads, " threads")),
               absl::StrCat("too much is used by the ", program));
      }
    }
  }

  void CheckEnd() {
    const auto state_of = [this](const std::string& device,
                                 const std::string& name) {
      return JoinPath(
          rpc::DeviceFolder(JoinPath(options_.folder, "farm"), device),
          absl::StrCat("state/", name));
    };
    for (const std::string device : {"direct-1", "proxied-1"}) {
      Expect(
          WaitFor(5,
                  [&] { return CountFiles(state_of(device, "workers")) == 0; }),
          absl::StrCat("files of sessions are left on ", device));
      Expect(WaitFor(5 + 3 * options_.upload_seconds,
                     [&] {
                       return CountFiles(state_of(device, "blobs"), ".part") ==
                              0;
                     }),
             absl::StrCat("unfinished uploads are left on ", device));
    }
    for (const auto& [program, child] : Programs()) {
      const int64_t children = first_[program].children;
      Expect(WaitFor(5,
                     [&, pid = child->pid()] {
                       const auto usage = ReadProcessUsage(pid);
                       return usage.ok() && usage->children == children;
                     }),
             absl::StrCat("a worker is left by the ", program));
    }
    const auto list = honest_->List();
    Report(list.status(), "list");
    const rpc::ListAnswer devices = list.value_or(rpc::ListAnswer());
    for (const rpc::ListedDevice& device : devices.devices()) {
      if (device.device() == "hostile") continue;
      Expect(device.state() == rpc::ListedDevice::FREE,
             absl::StrCat(device.device(),
                          " is not free: ", device.ShortDebugString()));
    }
    if (options_.wait_for_handshakes) {
      Expect(WaitFor(20,
                     [this] {
                       int open = 0;
                       for (const auto& [name, bytes] : bytes_) {
                         open += bytes->CountOpen();
                       }
                       return open == 0;
                     }),
             "half-open handshakes are left");
    }
    bytes_.clear();
    CheckUsage();
    farm_->Stop();
    Expect(WaitFor(5, [this] { return CountProcessesWith(cookie_) == 0; }),
           "a process is left");
  }

  const HostileOptions options_;
  Rng rng_;
  std::string cookie_;
  std::unique_ptr<rpc::LocalFarm> farm_;
  rpc::ClientOptions client_;
  std::unique_ptr<HonestClient> honest_;
  int server_port_ = 0;
  std::string user_token_;
  std::string device_token_;
  DocumentedStatuses statuses_;
  DocumentedStatuses proxied_statuses_;
  std::vector<TakenLease> stale_;
  std::map<std::string, ProcessUsage> first_;  // before the first message
  std::map<std::string, std::unique_ptr<HostileBytes>> bytes_;
  std::mutex mutex_;  // for the report
  HostileReport report_;
};

}  // namespace

absl::StatusOr<HostileReport> RunHostile(const HostileOptions& options) {
  return Hostile(options).Run();
}

}  // namespace assay
