#include "rpc/server/health/device_state_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay::rpc {
namespace {

using runtime::ReadStart;

// More processors and thermal zones than this number are not read.
constexpr size_t kMaxProcessors = 1024;
constexpr size_t kMaxThermalZones = 64;

constexpr char kCpus[] = "/sys/devices/system/cpu";
constexpr char kThermalZones[] = "/sys/class/thermal";
constexpr char kPiThrottled[] =
    "/sys/devices/platform/soc/soc:firmware/get_throttled";

// Returns the number in a file if it is from `low` to `high`.
std::optional<double> ReadNumber(const std::string& path, double low,
                                 double high) {
  double number = 0;
  if (!absl::SimpleAtod(ReadStart(path), &number)) return std::nullopt;
  if (!(number >= low && number <= high)) return std::nullopt;
  return number;
}

// Bits 0 to 3 say what is the case now: undervoltage, a lowered clock rate,
// throttling, and the soft limit of the temperature. Bits 16 to 19 say what was
// the case since boot.
std::optional<bool> PiThrottled(const std::string& root) {
  const std::string text = ReadStart(absl::StrCat(root, kPiThrottled));
  uint64_t bits = 0;
  if (!absl::SimpleHexAtoi(text, &bits)) return std::nullopt;
  return (bits & 0xf) != 0;
}

}  // namespace

DeviceStateReader::DeviceStateReader(const std::string& root) : root_(root) {
  for (const std::string& cpu : runtime::NumberedEntries(
           absl::StrCat(root, kCpus), "cpu", kMaxProcessors)) {
    const std::string frequency =
        absl::StrCat(cpu, "/cpufreq/scaling_cur_freq");
    if (access(frequency.c_str(), R_OK) == 0) frequencies_.push_back(frequency);
  }
  for (const std::string& counter :
       runtime::ThrottleCounters(root, kMaxProcessors)) {
    if (access(counter.c_str(), R_OK) == 0) counters_.push_back({counter});
  }
  for (const std::string& zone :
       runtime::NumberedEntries(absl::StrCat(root, kThermalZones),
                                "thermal_zone", kMaxThermalZones)) {
    thermal_zones_.push_back(absl::StrCat(zone, "/temp"));
  }
}

DeviceState DeviceStateReader::Read() {
  DeviceState state;
  if (const auto mhz = MeanFrequency()) state.set_frequency_mhz(*mhz);
  if (const auto celsius = HighestTemperature()) {
    state.set_temperature_celsius(*celsius);
  }
  if (const auto load = Load()) state.set_load(*load);
  if (const auto steal = StealPercent()) state.set_steal_percent(*steal);
  if (const auto throttled = Throttled()) state.set_throttled(*throttled);
  return state;
}

std::optional<double> DeviceStateReader::MeanFrequency() const {
  double sum = 0;
  int number = 0;
  for (const std::string& path : frequencies_) {
    // In kHz. A processor that is off does not report its clock rate.
    const std::optional<double> khz = ReadNumber(path, 1e3, 1e8);
    if (!khz.has_value()) continue;
    sum += *khz;
    ++number;
  }
  if (number == 0) return std::nullopt;
  return sum / number / 1000;
}

std::optional<double> DeviceStateReader::HighestTemperature() const {
  std::optional<double> highest;
  for (const std::string& path : thermal_zones_) {
    // In thousandths of a degree. A zone without a sensor reports a value such
    // as -273 or 0 degrees, or an error.
    const std::optional<double> millidegrees = ReadNumber(path, -1e5, 2e5);
    if (!millidegrees.has_value()) continue;
    highest = std::max(highest.value_or(-1e5), *millidegrees / 1000);
  }
  return highest;
}

std::optional<double> DeviceStateReader::Load() const {
  const std::string text = ReadStart(absl::StrCat(root_, "/proc/loadavg"));
  double load = 0;
  if (!absl::SimpleAtod(text.substr(0, text.find(' ')), &load)) {
    return std::nullopt;
  }
  if (!(load >= 0 && load <= 1e6)) return std::nullopt;
  return load;
}

std::optional<double> DeviceStateReader::StealPercent() {
  const std::optional<runtime::CpuTicks> before = last_ticks_;
  last_ticks_ =
      runtime::ParseCpuTicks(ReadStart(absl::StrCat(root_, "/proc/stat")));
  if (!before.has_value() || !last_ticks_.has_value()) return std::nullopt;
  const double all = last_ticks_->all - before->all;
  // Two readings within one tick have nothing to divide.
  if (all <= 0) return std::nullopt;
  // The counter of steal time can decrease a little when a virtual machine
  // moves to another host.
  const double steal = last_ticks_->steal - before->steal;
  return std::clamp(100 * steal / all, 0.0, 100.0);
}

std::optional<bool> DeviceStateReader::Throttled() {
  std::optional<bool> throttled = PiThrottled(root_);
  for (Counter& counter : counters_) {
    const std::string text = ReadStart(counter.path);
    int64_t count = 0;
    if (!absl::SimpleAtoi(text, &count)) {
      counter.last.reset();
      continue;
    }
    if (counter.last.has_value()) {
      throttled = throttled.value_or(false) || count > *counter.last;
    }
    counter.last = count;
  }
  return throttled;
}

}  // namespace assay::rpc
