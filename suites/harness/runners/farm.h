// Farm: creates runners for devices that a tracker lends (rpc/docs/farm.md).
//
//   Farm farm(options.farm, messages);
//   ASSAY_ASSIGN_OR_RETURN(auto runner, farm.MakeRunner(device));
//
// A runner waits for a lease of Device::tracker_key, and keeps it until it is
// destroyed. It obeys Device::thermal unless the leased device is emulated. If
// the program is ended by SIGINT or SIGTERM, all leases are given back first.
// Thread-safe.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_FARM_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_FARM_H_

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "devices/device.pb.h"
#include "reports/result/device_state.h"
#include "rpc/client/remote_runner.h"
#include "runtime/measure/session.h"
#include "suites/harness/flags/farm_flags.h"
#include "suites/harness/runners/signal_release.h"

namespace assay::suites {

// Both functions may be called by several threads.
struct FarmMessages {
  // What happens now: `waiting for rpi3b: place 2, about 40 s`.
  std::function<void(const std::string&)> progress;
  // What a reader of the results should know.
  std::function<void(const std::string&)> remark;
};

class Farm {
 public:
  // `options` must name a tracker.
  Farm(FarmOptions options, FarmMessages messages);

  // Receives the state of the device before and after a block.
  using ObserveBlock = std::function<void(const reports::BlockState& block)>;

  // Waits for a lease. The runner must not outlive this object. It calls
  // `observe`, unless it is null, after each block, in the thread that uses the
  // runner. Returns
  //   - InvalidArgument and other errors of ExitCode::kUsage if a flag or a
  //     file of the user is not valid, or if the token is not;
  //   - Unavailable, with the list of keys, if there is no device of this key,
  //     and if the tracker does not answer;
  //   - DeadlineExceeded if no device was free in time;
  //   - Unavailable if programs are compiled for the processor of this machine
  //     (`-mcpu=native`), but the leased device has another one;
  //   - Cancelled after StopWaiting().
  absl::StatusOr<std::unique_ptr<runtime::Runner>> MakeRunner(
      const devices::Device& device, const ObserveBlock& observe = nullptr);

  // Ends all calls of MakeRunner() that wait, and all later ones.
  void StopWaiting();

 private:
  class LeasedRunner;

  void CancelAll();

  const FarmOptions options_;
  const FarmMessages messages_;
  absl::Mutex mutex_;
  std::set<rpc::RemoteRunner*> runners_;
  std::set<rpc::RemoteRunner*> waiting_;  // those that have had no lease yet
  bool stopped_ = false;
  const SignalRelease release_;  // its thread ends first
};

// Returns OK if programs that are compiled for the processor of `here` also run
// on `device`, and are as fast as programs that are compiled there.
absl::Status CheckSameProcessor(const runtime::DeviceFacts& here,
                                const runtime::DeviceFacts& device);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_FARM_H_
