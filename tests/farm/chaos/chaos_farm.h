// ChaosFarm: a farm whose programs can be killed, stopped and cut off.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto farm, ChaosFarm::Start(options));
//   farm->KillServer("d3");
//   ASSAY_RETURN_IF_ERROR(farm->StartServer("d3"));
//
// The devices `d1` to `dN` have the key `sleeper` and workers that sleep
// (sleeping_worker.cc). `d1` is twice as slow as the others, and `d2` throttles
// by 30 % again and again. The device `probe` has the key `probe`; tests hold
// its leases themselves, so that they disturb no user.
//
// Users call the tracker and the devices through relays (tcp_relay.h), except
// `dN`, whose server has another port whenever it is started. The other devices
// call the tracker through relays, too.
#ifndef ASSAY_TESTS_FARM_CHAOS_CHAOS_FARM_H_
#define ASSAY_TESTS_FARM_CHAOS_CHAOS_FARM_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/farm/local_farm.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/client_options.h"
#include "tests/farm/chaos/tools/small_disk.h"
#include "tests/farm/chaos/tools/wall_clock.h"
#include "tests/farm/tcp_relay.h"

namespace assay {

constexpr char kSleeperKey[] = "sleeper";
constexpr char kProbeKey[] = "probe";
constexpr char kProbe[] = "probe";

struct ChaosPrograms {
  std::string tracker = {};
  std::string server = {};
  std::string worker = {};
  std::string client = {};
  std::string preload = {};  // wall_clock_preload.cc
};

struct ChaosFarmOptions {
  std::string folder = {};  // exists
  ChaosPrograms programs = {};
  int devices = 8;
  // SmallDisk::Prepare() has succeeded: the states of the tracker and of
  // `probe` are on small disks.
  bool small_disks = false;
  std::vector<std::string> users = {};  // besides `me`
};

void SleepSeconds(double seconds);

class ChaosFarm {
 public:
  static absl::StatusOr<std::unique_ptr<ChaosFarm>> Start(
      const ChaosFarmOptions& options);
  ChaosFarm(const ChaosFarm&) = delete;
  ChaosFarm& operator=(const ChaosFarm&) = delete;
  ~ChaosFarm();

  const ChaosFarmOptions& options() const { return options_; }
  std::string PathOf(const std::string& name) const;
  // The devices except `probe`.
  std::vector<std::string> devices() const;

  void KillTracker() { farm_->KillTracker(); }
  absl::Status StartTracker() { return farm_->StartTracker(); }
  void KillServer(const std::string& device) { farm_->KillServer(device); }
  absl::Status StartServer(const std::string& device);
  // -1 if it does not run.
  pid_t TrackerPid() { return PidOf(farm_->tracker_program()); }
  pid_t ServerPid(const std::string& device) {
    return PidOf(farm_->server_program(device));
  }
  std::vector<pid_t> WorkerPids(const std::string& device);
  // Returns an error if a program has ended that was not killed.
  absl::Status Check() { return farm_->Check(); }

  // Null if there is none.
  TcpRelay* device_relay(const std::string& device);
  TcpRelay* heartbeat_relay(const std::string& device);
  TcpRelay& tracker_relay() { return *tracker_relay_; }
  // All through which users call.
  std::vector<TcpRelay*> UserRelays();

  WallClock& wall_clock() { return *wall_clock_; }
  // Null without small disks.
  SmallDisk* tracker_disk() { return tracker_disk_.get(); }
  SmallDisk* probe_disk() { return probe_disk_.get(); }

  // The options of a user, who calls the tracker directly.
  absl::StatusOr<rpc::ClientOptions> ClientOf(const std::string& user) const;
  absl::StatusOr<rpc::ListAnswer> List() const;
  // Waits until the tracker lends `number` devices of the key, for at most
  // `seconds`.
  bool WaitForDevices(const std::string& key, int number, double seconds) const;

 private:
  explicit ChaosFarm(const ChaosFarmOptions& options) : options_(options) {}

  absl::Status StartAll();
  absl::Status AddUsers() const;
  absl::Status Retarget(const std::string& device);
  static pid_t PidOf(const rpc::Child* child) {
    return child == nullptr ? -1 : child->pid();
  }

  const ChaosFarmOptions options_;
  std::unique_ptr<SmallDisk> tracker_disk_;
  std::unique_ptr<SmallDisk> probe_disk_;
  std::unique_ptr<WallClock> wall_clock_;
  std::unique_ptr<TcpRelay> tracker_relay_;
  std::map<std::string, std::unique_ptr<TcpRelay>> device_relays_;
  std::map<std::string, std::unique_ptr<TcpRelay>> heartbeat_relays_;
  std::unique_ptr<rpc::LocalFarm> farm_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_CHAOS_FARM_H_
