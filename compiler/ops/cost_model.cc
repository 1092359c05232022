#include "compiler/ops/cost_model.h"

#include <algorithm>

namespace assay::ops {
namespace {

constexpr double kClock = 2.5e9;
// Bytes per cycle and core from each cache. Main memory is shared by all cores.
constexpr double kL1BytesPerCycle = 64;
constexpr double kL2BytesPerCycle = 32;
constexpr double kL3BytesPerCycle = 12;
constexpr double kMemoryBytesPerSecond = 15e9;

double Cores(const target::Target& target) {
  return std::max(1, target.num_cores());
}

}  // namespace

double PeakFlops(const target::Target& target) {
  const double lanes = std::max(1, target.vector_bits() / 32);
  const double units = target.vector_bits() >= 256 ? 2 : 1;
  // Without FMA, a multiply-add takes two operations.
  const double per_lane = target.fma() ? 2 : 1;
  return kClock * Cores(target) * lanes * units * per_lane;
}

double Seconds(const target::Target& target, double cycles) {
  return cycles / (kClock * Cores(target));
}

double Bandwidth(const target::Target& target, int64_t working_set) {
  const double cores = Cores(target);
  const double each = static_cast<double>(working_set) / cores;
  if (each <= static_cast<double>(target.l1_bytes())) {
    return kClock * cores * kL1BytesPerCycle;
  }
  if (each <= static_cast<double>(target.l2_bytes())) {
    return kClock * cores * kL2BytesPerCycle;
  }
  if (working_set <= target.l3_bytes()) {
    return kClock * cores * kL3BytesPerCycle;
  }
  return kMemoryBytesPerSecond;
}

double RooflineSeconds(const OpInstance& op, const target::Target& target,
                       double efficiency) {
  const auto bytes = static_cast<double>(Bytes(op));
  const double compute =
      static_cast<double>(Flops(op)) / (PeakFlops(target) * efficiency);
  return std::max(compute, bytes / Bandwidth(target, Bytes(op)));
}

}  // namespace assay::ops
