#include "tests/farm/chaos/chaos_farm.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "grpcpp/client_context.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr int64_t kDiskBytes = 24 << 20;

std::string Loopback(int port) { return absl::StrCat("127.0.0.1:", port); }

// Returns the port of `HOST:PORT`.
int PortOf(absl::string_view address) {
  int port = 0;
  return absl::SimpleAtoi(address.substr(address.rfind(':') + 1), &port) ? port
                                                                         : 0;
}

}  // namespace

void SleepSeconds(double seconds) {
  Clock::Monotonic()->SleepNanos(static_cast<int64_t>(seconds * 1e9));
}

absl::StatusOr<std::unique_ptr<ChaosFarm>> ChaosFarm::Start(
    const ChaosFarmOptions& options) {
  auto farm = std::unique_ptr<ChaosFarm>(new ChaosFarm(options));
  ASSAY_RETURN_IF_ERROR(farm->StartAll());
  return farm;
}

// The programs end before the relays.
ChaosFarm::~ChaosFarm() { farm_ = nullptr; }

std::string ChaosFarm::PathOf(const std::string& name) const {
  return JoinPath(options_.folder, name);
}

std::vector<std::string> ChaosFarm::devices() const {
  std::vector<std::string> names;
  for (int i = 1; i <= options_.devices; ++i) {
    names.push_back(absl::StrCat("d", i));
  }
  return names;
}

absl::Status ChaosFarm::StartAll() {
  rpc::LocalFarmOptions farm;
  farm.folder = PathOf("farm");
  farm.tracker_program = options_.programs.tracker;
  farm.server_program = options_.programs.server;
  if (options_.small_disks) {
    ASSAY_ASSIGN_OR_RETURN(
        tracker_disk_,
        SmallDisk::Mount(JoinPath(farm.folder, "tracker"), kDiskBytes));
    ASSAY_ASSIGN_OR_RETURN(
        probe_disk_,
        SmallDisk::Mount(
            JoinPath(rpc::DeviceFolder(farm.folder, kProbe), "state"),
            kDiskBytes));
  }
  ASSAY_ASSIGN_OR_RETURN(
      wall_clock_,
      WallClock::Create(PathOf("wall_clock"), options_.programs.preload));
  // Nobody listens on port 1: the servers try again until the tracker is known.
  ASSAY_ASSIGN_OR_RETURN(tracker_relay_, TcpRelay::Start(1));
  std::vector<std::string> names = devices();
  names.emplace_back(kProbe);
  for (const std::string& name : names) {
    rpc::LocalDevice device;
    device.name = name;
    device.key = name == kProbe ? kProbeKey : kSleeperKey;
    device.worker = {options_.programs.worker};
    if (name == "d1") device.worker.emplace_back("--slowdown=2");
    if (name == "d2") device.worker.emplace_back("--throttle=1.3");
    if (name != devices().back()) {
      ASSAY_ASSIGN_OR_RETURN(device_relays_[name], TcpRelay::Start(1));
      device.server_flags.push_back(
          absl::StrCat("--advertise=", Loopback(device_relays_[name]->port())));
    }
    if (name != devices().back() && name != kProbe) {
      ASSAY_ASSIGN_OR_RETURN(heartbeat_relays_[name], TcpRelay::Start(1));
      device.tracker = Loopback(heartbeat_relays_[name]->port());
    }
    if (name == kProbe) {
      device.server_flags.emplace_back("--blob_space=16M");
    }
    farm.devices.push_back(std::move(device));
  }
  ASSAY_ASSIGN_OR_RETURN(farm_, rpc::LocalFarm::Start(farm));
  ASSAY_RETURN_IF_ERROR(AddUsers());
  const int port = PortOf(farm_->tracker());
  tracker_relay_->SetTarget(port);
  for (const auto& [name, relay] : heartbeat_relays_) relay->SetTarget(port);
  for (const auto& [name, relay] : device_relays_) {
    ASSAY_RETURN_IF_ERROR(Retarget(name));
  }
  setenv("ASSAY_TRACKER", Loopback(tracker_relay_->port()).c_str(), 1);
  setenv("ASSAY_TLS", JoinPath(farm.folder, "tls").c_str(), 1);
  setenv("ASSAY_TOKEN_FILE", JoinPath(farm.folder, "user.token").c_str(), 1);
  setenv("ASSAY_SIGNING_KEY", JoinPath(farm.folder, "client.key").c_str(), 1);
  return absl::OkStatus();
}

absl::Status ChaosFarm::AddUsers() const {
  ASSAY_ASSIGN_OR_RETURN(std::string lines, ReadFile(PathOf("farm/tokens")));
  for (const std::string& user : options_.users) {
    ASSAY_ASSIGN_OR_RETURN(const std::string token, rpc::NewToken());
    ASSAY_ASSIGN_OR_RETURN(const std::string line,
                           rpc::TokenLine(rpc::Role::kUser, user, token));
    lines += line;
    const std::string path = PathOf(absl::StrCat("farm/", user, ".token"));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, token));
    if (chmod(path.c_str(), 0600) != 0) return ErrnoError("protect", path);
  }
  return WriteFileAtomic(PathOf("farm/tokens"), lines);
}

absl::Status ChaosFarm::Retarget(const std::string& device) {
  TcpRelay* const relay = device_relay(device);
  if (relay == nullptr) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(
      const std::string text,
      ReadFile(PathOf(absl::StrCat("farm/logs/", device, ".port"))));
  int port = 0;
  if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(text), &port)) {
    return absl::InternalError(absl::StrCat("no port of ", device));
  }
  relay->SetTarget(port);
  return absl::OkStatus();
}

absl::Status ChaosFarm::StartServer(const std::string& device) {
  ASSAY_RETURN_IF_ERROR(farm_->StartServer(device));
  return Retarget(device);
}

std::vector<pid_t> ChaosFarm::WorkerPids(const std::string& device) {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator(
           absl::StrCat("/proc/", ServerPid(device), "/task"), error)) {
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

TcpRelay* ChaosFarm::device_relay(const std::string& device) {
  const auto found = device_relays_.find(device);
  return found == device_relays_.end() ? nullptr : found->second.get();
}

TcpRelay* ChaosFarm::heartbeat_relay(const std::string& device) {
  const auto found = heartbeat_relays_.find(device);
  return found == heartbeat_relays_.end() ? nullptr : found->second.get();
}

std::vector<TcpRelay*> ChaosFarm::UserRelays() {
  std::vector<TcpRelay*> relays = {tracker_relay_.get()};
  for (const auto& [name, relay] : device_relays_) {
    if (name != kProbe) relays.push_back(relay.get());
  }
  return relays;
}

absl::StatusOr<rpc::ClientOptions> ChaosFarm::ClientOf(
    const std::string& user) const {
  rpc::ClientFlags flags;
  flags.tracker = farm_->tracker();
  flags.tls = PathOf("farm/tls");
  flags.token_file = PathOf(
      absl::StrCat("farm/", user == "me" ? "user" : user.c_str(), ".token"));
  return rpc::ReadClientOptions(flags);
}

absl::StatusOr<rpc::ListAnswer> ChaosFarm::List() const {
  ASSAY_ASSIGN_OR_RETURN(const rpc::ClientOptions client, ClientOf("me"));
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

bool ChaosFarm::WaitForDevices(const std::string& key, int number,
                               double seconds) const {
  const int64_t end = MonotonicNanos() + static_cast<int64_t>(seconds * 1e9);
  while (true) {
    int lent = 0;
    const absl::StatusOr<rpc::ListAnswer> list = List();
    if (list.ok()) {
      for (const rpc::ListedDevice& device : list->devices()) {
        if (device.key() == key &&
            (device.state() == rpc::ListedDevice::FREE ||
             device.state() == rpc::ListedDevice::LEASED)) {
          ++lent;
        }
      }
    }
    if (lent >= number) return true;
    if (MonotonicNanos() > end) return false;
    SleepSeconds(0.1);
  }
}

}  // namespace assay
