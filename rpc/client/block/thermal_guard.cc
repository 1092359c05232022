#include "rpc/client/block/thermal_guard.h"

#include "absl/strings/str_format.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

bool ThermalGuard::TooHot(const DeviceState& state) const {
  return state.has_temperature_celsius() &&
         state.temperature_celsius() > limits_.max_celsius;
}

bool ThermalGuard::Rejects(const BlockResult& result) const {
  return limits_.reject_throttled &&
         (result.before.throttled() || result.after.throttled());
}

absl::Status ThermalGuard::AwaitCool(const Device& device) {
  if (last_.has_value() && !TooHot(*last_)) return absl::OkStatus();
  const int64_t start = clock_->NowNanos();
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(last_.emplace(), device.read_state());
    if (!TooHot(*last_)) return absl::OkStatus();
    const double waited =
        static_cast<double>(clock_->NowNanos() - start) * 1e-9;
    if (waited >= limits_.max_wait_seconds) {
      return absl::UnavailableError(absl::StrFormat(
          "%s still has %.1f degrees Celsius after %.0f s; it is measured at "
          "%.1f or less (`thermal.max_celsius` of its device file)",
          device.name, last_->temperature_celsius(), waited,
          limits_.max_celsius));
    }
    if (notify_ != nullptr) {
      notify_(absl::StrFormat(
          "waiting until %s has cooled from %.1f to %.1f degrees Celsius",
          device.name, last_->temperature_celsius(), limits_.max_celsius));
    }
    ASSAY_RETURN_IF_ERROR(
        device.sleep(static_cast<int64_t>(limits_.poll_seconds * 1e9)));
  }
}

absl::StatusOr<BlockResult> ThermalGuard::Run(
    const Device& device,
    absl::FunctionRef<absl::StatusOr<BlockResult>()> take_block) {
  std::optional<int64_t> rejected;  // when the first block was
  while (true) {
    ASSAY_RETURN_IF_ERROR(AwaitCool(device));
    absl::StatusOr<BlockResult> result = take_block();
    if (!result.ok()) return result;
    last_ = result->after;
    if (!Rejects(*result)) return result;
    ++discarded_;
    const int64_t now = clock_->NowNanos();
    if (!rejected.has_value()) rejected = now;
    const double seconds = static_cast<double>(now - *rejected) * 1e-9;
    if (seconds >= limits_.max_wait_seconds) {
      return absl::UnavailableError(absl::StrFormat(
          "%s was throttled by its firmware in all blocks for %.0f s, because "
          "it is too hot or its supply voltage is too low",
          device.name, seconds));
    }
    if (notify_ != nullptr) {
      notify_(absl::StrFormat("%s was throttled: measuring the block again",
                              device.name));
    }
    ASSAY_RETURN_IF_ERROR(
        device.sleep(static_cast<int64_t>(limits_.poll_seconds * 1e9)));
  }
}

}  // namespace assay::rpc
