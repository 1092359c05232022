#include "suites/kernels/roofline.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace assay::suites {
namespace {

// MeasurePeak accesses half of each cache.
bool Holds(const Bandwidth& level, int64_t bytes) {
  const bool shared = level.level == "L3";
  return bytes <= 2 * level.bytes * (shared ? 1 : level.threads);
}

const Bandwidth* LevelOf(const MachinePeak& peak, int threads, int64_t bytes) {
  const Bandwidth* last = nullptr;
  for (const Bandwidth& level : peak.bandwidths) {  // smallest first
    if (level.threads != threads) continue;
    last = &level;
    if (Holds(level, bytes)) break;
  }
  return last;
}

}  // namespace

std::string Roofline::ToString() const {
  return absl::StrFormat(
      "%.1f nominal GFLOP/s, %.1f %% of %s; %.1f GB/s, %.1f %% of the %s "
      "bandwidth\nbound by %s, of which this is %.1f %%",
      gflops, peak_percent, DescribePeak(arithmetic), gbytes_per_s,
      bandwidth_percent, level,
      bound_by_memory ? level + " bandwidth" : "arithmetic", percent);
}

std::optional<Roofline> RooflineOf(const MachinePeak& peak,
                                   Arithmetic arithmetic, int threads,
                                   int64_t flops, int64_t bytes,
                                   double seconds) {
  const std::optional<double> most = peak.RateOf(arithmetic, threads);
  const Bandwidth* level = LevelOf(peak, threads, bytes);
  if (!most.has_value() || level == nullptr) return std::nullopt;
  Roofline line;
  line.arithmetic = arithmetic;
  line.gflops = 1e-9 * static_cast<double>(flops) / seconds;
  line.gbytes_per_s = 1e-9 * static_cast<double>(bytes) / seconds;
  line.peak_percent = 100 * line.gflops / *most;
  line.bandwidth_percent = 100 * line.gbytes_per_s / level->read;
  line.level = level->level;
  line.bound_by_memory = line.bandwidth_percent > line.peak_percent;
  line.percent = std::max(line.bandwidth_percent, line.peak_percent);
  return line;
}

}  // namespace assay::suites
