#include "runtime/base/round_to_odd.h"

#include <cmath>
#include <cstring>

namespace assay {

float RoundToOdd(double value) {
  float near = static_cast<float>(value);
  if (static_cast<double>(near) == value || std::isnan(value)) return near;
  if (std::abs(static_cast<double>(near)) > std::abs(value)) {
    near = std::nextafter(near, 0.0f);
  }
  uint32_t bits;
  std::memcpy(&bits, &near, sizeof(bits));
  bits |= 1;
  std::memcpy(&near, &bits, sizeof(bits));
  return near;
}

// A double holds the first 53 of 64 bits: bit 11 becomes the sticky bit.
double RoundToOdd(uint64_t value) {
  if (value < uint64_t{1} << 53) return static_cast<double>(value);
  const uint64_t lost = value & 0x7ff;
  return static_cast<double>((value - lost) | (lost != 0 ? 0x800 : 0));
}

double RoundToOdd(int64_t value) {
  if (value >= 0) return RoundToOdd(static_cast<uint64_t>(value));
  return -RoundToOdd(-static_cast<uint64_t>(value));
}

}  // namespace assay
