#include "reports/result/device_state.h"

#include <algorithm>

namespace assay::reports {

// A missing value is the least one.
BlockState Join(const BlockState& first, const BlockState& second) {
  BlockState joined = {first.samples + second.samples, first.before,
                       second.after};
  DeviceState& after = joined.after;
  for (const DeviceState* state : {&first.after, &second.before}) {
    after.temperature_celsius =
        std::max(after.temperature_celsius, state->temperature_celsius);
    after.throttled = std::max(after.throttled, state->throttled);
  }
  return joined;
}

}  // namespace assay::reports
