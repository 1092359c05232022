#include "runtime/measure/measurer.h"

#include "absl/strings/str_cat.h"

namespace assay::runtime {
namespace {

absl::Status CheckRange(absl::string_view name, int64_t value, int64_t least,
                        int64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "`", name, "` is ", value, ", not between ", least, " and ", most));
}

}  // namespace

absl::Status CheckOptions(const MeasureOptions& options) {
  constexpr int64_t kMostRuns = 1000000000;
  constexpr int64_t kMostMillis = 24 * 3600 * int64_t{1000};
  absl::Status status;
  status.Update(CheckRange("warmup", options.warmup, 0, kMostRuns));
  status.Update(CheckRange("number", options.number, 1, kMostRuns));
  status.Update(CheckRange("repeat", options.repeat, 1, 1000000));
  status.Update(
      CheckRange("min_repeat_ms", options.min_repeat_ms, 0, kMostMillis));
  status.Update(CheckRange("cooldown_interval_ms", options.cooldown_interval_ms,
                           0, kMostMillis));
  status.Update(CheckRange("flush_cache_bytes", options.flush_cache_bytes, 0,
                           int64_t{1} << 40));
  return status;
}

}  // namespace assay::runtime
