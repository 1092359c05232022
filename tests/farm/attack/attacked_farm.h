// AttackedFarm: the farm that RunHostile() attacks. It has a tracker, a proxy,
// and the servers of two devices, one of them behind the proxy, as processes
// that may open a limited number of files.
#ifndef ASSAY_TESTS_FARM_ATTACK_ATTACKED_FARM_H_
#define ASSAY_TESTS_FARM_ATTACK_ATTACKED_FARM_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/farm/child.h"
#include "rpc/farm/local_farm.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/client_options.h"
#include "tests/farm/attack/hostile_options.h"

namespace assay {

// The keys of the devices; their names end with `-1`.
inline constexpr char kDirect[] = "direct";
inline constexpr char kProxied[] = "proxied";

class AttackedFarm {
 public:
  // Returns an error if a program cannot be started.
  static absl::StatusOr<std::unique_ptr<AttackedFarm>> Start(
      const HostileOptions& options);
  AttackedFarm(const AttackedFarm&) = delete;
  AttackedFarm& operator=(const AttackedFarm&) = delete;

  // The processes, by names for reports.
  std::vector<std::pair<std::string, rpc::Child*>> Programs();

  // The address of a program of attack_mix.h.
  rpc::Address AddressOf(const std::string& program) const;

  // How an honest user reaches the tracker.
  const rpc::ClientOptions& client() const { return client_; }
  // The key with which he signs artifacts.
  std::string signing_key() const;

  // Adds a user `eve` and a device `hostile` with these tokens. The programs
  // look at the file every second.
  absl::Status AddCallers(const std::string& user_token,
                          const std::string& device_token);

  // A path in the state folder of a device.
  std::string StateOf(const std::string& device, const std::string& name) const;

  // Returns the number of workers that run.
  int64_t CountWorkers() const;

  // Returns an Unavailable error if a program has ended.
  absl::Status Check() { return farm_->Check(); }

  // Stops all programs, and returns the number of processes that are left,
  // workers among them.
  int64_t Stop();

 private:
  explicit AttackedFarm(std::string folder);

  absl::Status StartPrograms(const HostileOptions& options);

  const std::string folder_;
  const std::string cookie_;
  std::unique_ptr<rpc::LocalFarm> farm_;
  rpc::ClientOptions client_;
  std::string server_;  // the address of the first server
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_ATTACKED_FARM_H_
