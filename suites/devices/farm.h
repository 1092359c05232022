// Farm: leases devices from a tracker (rpc/docs/farm.md).
//
//   Farm farm(options.farm, say);
//   ASSAY_ASSIGN_OR_RETURN(auto runner, farm.Open(device, &blocks));
//
// A runner waits for a lease of Device::tracker_key, and keeps it until it is
// destroyed. It obeys Device::thermal unless the leased device is emulated. If
// the program is ended by SIGINT or SIGTERM, all leases are given back first.
// Thread-safe.
#ifndef ASSAY_SUITES_DEVICES_FARM_H_
#define ASSAY_SUITES_DEVICES_FARM_H_

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "devices/device.pb.h"
#include "rpc/client/remote_runner.h"
#include "runtime/measure/session.h"
#include "suites/devices/device_source.h"
#include "suites/devices/farm_options.h"
#include "suites/devices/signal_release.h"

namespace assay::suites {

class Farm : public DeviceSource {
 public:
  // `options` must name a tracker. `say` is called with messages about the
  // progress of requests, such as `waiting for rpi3b: place 2, about 40 s`. It
  // may be called by any thread.
  Farm(FarmOptions options, std::function<void(const std::string&)> say);

  // Returns
  //   - InvalidArgument or another error with ExitCode::kUsage if a flag, a
  //     file that it names, or the token is not valid;
  //   - Unavailable if the tracker has no device with this key (the message
  //     lists the keys) or does not answer;
  //   - DeadlineExceeded if no device was free in time;
  //   - Unavailable if programs are compiled for the processor of this machine
  //     (`-mcpu=native`), but the leased device has another one;
  //   - Cancelled after StopWaiting().
  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& device, BlockLog* blocks) override;
  void StopWaiting() override;
  // Returns remarks about the leases, for the readers of the results.
  std::string notes() const override;

 private:
  class LeasedRunner;

  void CancelAll();
  void Note(const std::string& text);

  const FarmOptions options_;
  const std::function<void(const std::string&)> say_;
  mutable absl::Mutex notes_mutex_;
  std::string notes_;
  absl::Mutex mutex_;
  std::set<rpc::RemoteRunner*> runners_;
  std::set<rpc::RemoteRunner*> waiting_;  // those that have had no lease yet
  bool stopped_ = false;
  const SignalRelease release_;  // last: its thread uses the members above
};

// Returns OK if programs that are compiled for the processor of `here` also run
// on `device`, and are as fast as programs that are compiled there.
absl::Status CheckSameProcessor(const runtime::DeviceFacts& here,
                                const runtime::DeviceFacts& device);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_FARM_H_
