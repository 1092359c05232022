// BlockState: the state of a leased device before and after a block of samples.
// It shows whether samples were taken while the device was hot, slow or busy.
#ifndef ASSAY_REPORTS_RESULT_DEVICE_STATE_H_
#define ASSAY_REPORTS_RESULT_DEVICE_STATE_H_

#include <optional>
#include <tuple>

#include "reports/result/equal_fields.h"

namespace assay::reports {

// The fields of assay.rpc.DeviceState (rpc/proto/facts.proto). What the device
// does not report is missing.
struct DeviceState {
  std::optional<double> frequency_mhz = std::nullopt;
  std::optional<double> temperature_celsius = std::nullopt;
  std::optional<double> load = std::nullopt;
  std::optional<double> steal_percent = std::nullopt;
  std::optional<bool> throttled = std::nullopt;

  auto Fields() const {
    return std::tie(frequency_mhz, temperature_celsius, load, steal_percent,
                    throttled);
  }
};

struct BlockState {
  int samples = 0;  // in the block
  DeviceState before = {};
  DeviceState after = {};

  auto Fields() const { return std::tie(samples, before, after); }
};

// Returns the state of one block that consists of `first` and, directly after
// it, `second`. Its `before` is first.before. Its `after` is second.after, but
// with the highest temperature of first.after, second.before and second.after,
// and throttled if one of these three is.
BlockState Join(const BlockState& first, const BlockState& second);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_DEVICE_STATE_H_
