// ThermalGuard: keeps blocks of samples away from a device that is too hot, and
// discards those during which the device was throttled.
//
//   ThermalGuard guard(limits, notify, Clock::Monotonic());
//   ASSAY_ASSIGN_OR_RETURN(const BlockResult result,
//                          guard.Run(device, [&] { return TakeBlock(); }));
//
// Before a block, the guard looks at the state after the previous block. If the
// device was too hot then, or if there was no block, it reads the state, and
// repeats this until the device is cool enough. A block is discarded, and taken
// again, if the device reports before or after it that it is throttled. What a
// device does not report has no effect.
//
// Not thread-safe.
#ifndef ASSAY_RPC_CLIENT_BLOCK_THERMAL_GUARD_H_
#define ASSAY_RPC_CLIENT_BLOCK_THERMAL_GUARD_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/client/block/block_reader.h"
#include "rpc/proto/facts.pb.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

// As devices::ThermalPolicy (devices/device.proto).
struct ThermalLimits {
  double max_celsius = 0;
  double max_wait_seconds = 0;
  bool reject_throttled = false;
  // Between two readings of the state.
  double poll_seconds = 1;
};

class ThermalGuard {
 public:
  using Notify = std::function<void(const std::string& notice)>;

  // The device that is measured.
  struct Device {
    std::string name;
    // Reads the state without measuring anything.
    std::function<absl::StatusOr<DeviceState>()> read_state;
    // Waits. Returns an error if the device was lost meanwhile.
    std::function<absl::Status(int64_t nanos)> sleep;
  };

  // `notify` receives what the guard waits for; it may be null. `clock` must
  // outlive the object.
  ThermalGuard(const ThermalLimits& limits, Notify notify, Clock* clock)
      : limits_(limits), notify_(std::move(notify)), clock_(clock) {}

  // Takes a block by `take_block`. Returns
  //   - Unavailable if the device is still too hot after `max_wait_seconds`, or
  //     if it was throttled in all blocks for this time;
  //   - the errors of `take_block`, and those of the functions of `device`.
  absl::StatusOr<BlockResult> Run(
      const Device& device,
      absl::FunctionRef<absl::StatusOr<BlockResult>()> take_block);

  // The next block is taken by another device.
  void Forget() { last_.reset(); }

  // Number of blocks that were discarded.
  int64_t discarded() const { return discarded_; }

 private:
  bool TooHot(const DeviceState& state) const;
  bool Rejects(const BlockResult& result) const;
  absl::Status AwaitCool(const Device& device);

  const ThermalLimits limits_;
  const Notify notify_;
  Clock* const clock_;
  std::optional<DeviceState> last_;  // after the last block
  int64_t discarded_ = 0;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_BLOCK_THERMAL_GUARD_H_
