// DeviceStateReader: reads the state of this device (rpc/proto/facts.proto)
// from /proc and /sys, before and after each block of samples and for each
// heartbeat.
//
//   DeviceStateReader reader;   // one for each stream
//   DeviceState before = reader.Read();
//   …
//   DeviceState after = reader.Read();   // steal time since `before`
//
// A field is absent if the kernel does not report it, or if what it reports
// cannot be true:
//
//   frequency_mhz        mean of cpu*/cpufreq/scaling_cur_freq
//   temperature_celsius  highest of thermal_zone*/temp
//   load                 the first number of /proc/loadavg
//   steal_percent        change in the first line of /proc/stat; not in the
//                        first reading
//   throttled            Raspberry Pi: bits 0 to 3 of get_throttled, which are
//                        those of this moment. x86: thermal_throttle counters
//                        have grown since the last reading; not in the first
//                        reading.
//
// The files are looked up once, when the reader is created. A reading opens a
// few files per processor, takes less than a millisecond on a board, and never
// waits.
#ifndef ASSAY_RPC_SERVER_HEALTH_DEVICE_STATE_READER_H_
#define ASSAY_RPC_SERVER_HEALTH_DEVICE_STATE_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rpc/proto/facts.pb.h"
#include "runtime/device/cpu/kernel_counters.h"

namespace assay::rpc {

// Not thread-safe.
class DeviceStateReader {
 public:
  // Tests set `root`, which is prepended to the paths of the files.
  explicit DeviceStateReader(const std::string& root = "");

  DeviceState Read();

 private:
  // A counter that grows when the processor is throttled.
  struct Counter {
    std::string path;
    std::optional<int64_t> last = std::nullopt;
  };

  std::optional<double> MeanFrequency() const;
  std::optional<double> HighestTemperature() const;
  std::optional<double> Load() const;
  // Return the change since the last call.
  std::optional<double> StealPercent();
  std::optional<bool> Throttled();

  const std::string root_;
  std::vector<std::string> frequencies_;
  std::vector<std::string> thermal_zones_;
  std::vector<Counter> counters_;
  std::optional<runtime::CpuTicks> last_ticks_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_HEALTH_DEVICE_STATE_READER_H_
