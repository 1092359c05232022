#include "tests/farm/attack/hostile_run.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "grpcpp/client_context.h"
#include "rpc/names/metadata.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/attack/attack_mix.h"
#include "tests/farm/attack/attacked_farm.h"
#include "tests/farm/attack/documented_statuses.h"
#include "tests/farm/attack/flood.h"
#include "tests/farm/attack/honest_client.h"
#include "tests/farm/attack/hostile_bytes.h"
#include "tests/farm/attack/hostile_messages.h"
#include "tests/farm/attack/process_usage.h"

namespace assay {
namespace {

constexpr char kDeviceService[] = "assay.rpc.Device";
constexpr size_t kMaxProblems = 20;
constexpr size_t kMaxStale = 20;
// Half-open handshakes of a connection that are kept.
constexpr size_t kKeptOpen = 12;
constexpr double kHonestSeconds = 10;
// More than the limit of memory.
constexpr size_t kUnpackedBytes = size_t{300} << 20;

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
    ASSAY_ASSIGN_OR_RETURN(farm_, AttackedFarm::Start(options_));
    ASSAY_ASSIGN_OR_RETURN(
        honest_, HonestClient::Create(farm_->client(), farm_->signing_key()));
    ASSAY_RETURN_IF_ERROR(MakeAttacker());
    ASSAY_RETURN_IF_ERROR(honest_->Measure(kDirect));
    ASSAY_RETURN_IF_ERROR(honest_->Measure(kProxied));
    for (const auto& [program, child] : farm_->Programs()) {
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
    for (const char* program : {kTracker, kServer, kProxy}) Flood(program);
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

  // Adds a user and a device to the farm.
  absl::Status MakeAttacker() {
    ASSAY_ASSIGN_OR_RETURN(user_token_, rpc::NewToken());
    ASSAY_ASSIGN_OR_RETURN(device_token_, rpc::NewToken());
    ASSAY_RETURN_IF_ERROR(farm_->AddCallers(user_token_, device_token_));
    absl::StatusOr<TakenLease> lease;
    const bool known = WaitFor(10, [&] {
      lease = Take(kDirect);
      return lease.ok();
    });
    if (!known) return lease.status();
    return honest_->Release(lease->name, user_token_);
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
    Attack(kTracker, farm_->AddressOf(kTracker), messages, LootOf("", ""));
    for (const bool through_proxy : {false, true}) {
      const TakenLease& mine = through_proxy ? *proxied : *direct;
      const TakenLease& other = through_proxy ? *direct : *proxied;
      const char* const program = through_proxy ? kProxy : kServer;
      const rpc::Address address = farm_->AddressOf(program);
      Loot loot = LootOf(mine.bytes, other.bytes);
      const absl::StatusOr<std::string> session =
          OpenSession(address, mine.bytes,
                      honest_->uploaded(through_proxy ? kProxied : kDirect));
      Report(session.status(), "the attacker gets no session");
      Expect(!session.ok() || farm_->CountWorkers() > 0,
             "a session has no worker");
      loot.session = session.value_or("");
      Attack(program, address, messages, loot);
    }
    for (const auto* lease : {&*direct, &*proxied}) {
      Report(honest_->Release(lease->name, user_token_), "release");
      stale_.push_back(*lease);
    }
    while (stale_.size() > kMaxStale) stale_.erase(stale_.begin());
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
    ASSAY_ASSIGN_OR_RETURN(
        const auto channel,
        rpc::OpenChannel(farm_->client().transport, address));
    grpc::ClientContext context;
    rpc::PrepareContext(address, std::chrono::seconds(10), &context);
    context.AddMetadata(rpc::kLeaseMetadata, lease);
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
    const auto channel = rpc::OpenChannel(farm_->client().transport, address);
    Report(channel.status(), program);
    if (!channel.ok()) return;
    HostileTarget target;
    target.channel = *channel;
    target.device = address.device;
    target.calls = program == kTracker ? TrackerCalls() : DeviceCalls();
    HostileMessages calls(target, loot,
                          program == kProxy ? &proxied_statuses_ : &statuses_);
    std::map<std::string, HostileTally> tallies;
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

  // Attacks without a token.
  void Flood(const std::string& program) {
    const rpc::Address address = farm_->AddressOf(program);
    {
      const auto idle =
          IdleConnections::Open(PortOf(address), options_.flood_connections);
      Report(idle.status(), "a flood of connections");
      CheckHonest();
      Expect(!idle.ok() || options_.file_limit == 0 ||
                 idle->CountOpen() < options_.file_limit,
             absl::StrCat("too many connections are open at the ", program));
    }
    CheckHonest();
    const auto channel =
        OpenForeignChannel(farm_->client().transport, address.endpoint);
    Report(channel.status(), program);
    if (!channel.ok()) return;
    const absl::Status compressed =
        SendCompressed(*channel,
                       program == kTracker ? "/assay.rpc.Tracker/List"
                                           : "/assay.rpc.Device/FindBlobs",
                       address.device, kUnpackedBytes);
    if (!absl::IsUnimplemented(compressed)) {
      Report(absl::InternalError(compressed.ToString()),
             absl::StrCat("a compressed message to the ", program));
    }
    for (const char* method :
         {"/grpc.health.v1.Health/Watch",
          "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
      const OpenStreams streams(*channel, method, options_.flood_streams);
      CheckUsage();
      CheckHonest();
    }
    CheckUsage();
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
    for (const auto& [program, child] : farm_->Programs()) {
      const absl::StatusOr<ProcessUsage> usage = ReadProcessUsage(child->pid());
      Report(usage.status(), program);
      if (!usage.ok()) continue;
      ProcessUsage& most = report_.most[program];
      most.memory_bytes = std::max(most.memory_bytes, usage->peak_bytes);
      most.files = std::max(most.files, usage->files);
      most.threads = std::max(most.threads, usage->threads);
      most.children = std::max(most.children, usage->children);
      if (usage->peak_bytes > options_.max_memory_bytes ||
          usage->files > options_.max_files ||
          usage->threads > options_.max_threads) {
        Report(absl::ResourceExhaustedError(absl::StrCat(
                   usage->peak_bytes, " bytes of memory, ", usage->files,
                   " open files, ", usage->threads, " threads")),
               absl::StrCat("too much is used by the ", program));
      }
    }
  }

  void CheckEnd() {
    for (const std::string device : {"direct-1", "proxied-1"}) {
      Expect(WaitFor(5,
                     [&] {
                       return CountFiles(farm_->StateOf(device, "workers")) ==
                              0;
                     }),
             absl::StrCat("files of sessions are left on ", device));
      Expect(WaitFor(5 + 3 * options_.upload_seconds,
                     [&] {
                       return CountFiles(farm_->StateOf(device, "blobs"),
                                         ".part") == 0;
                     }),
             absl::StrCat("unfinished uploads are left on ", device));
    }
    for (const auto& [program, child] : farm_->Programs()) {
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
    Expect(WaitFor(5, [this] { return farm_->Stop() == 0; }),
           "a process is left");
  }

  const HostileOptions options_;
  Rng rng_;
  std::unique_ptr<AttackedFarm> farm_;
  std::unique_ptr<HonestClient> honest_;
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
