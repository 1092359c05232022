// DisturbanceMeter: finds out what else this machine did while times were
// taken, so that a report can say which times are doubtful, and why.
//
//   DisturbanceMeter meter(threads, UsableCpuCount());
//   …                                             // samples are taken
//   const std::vector<std::string> disturbances = meter.Stop();
//
// Each disturbance is a clause, such as `other programs used 1.4 of 2
// processors`. These are the disturbances:
//
//   - programs other than this process and its children used processors
//     (/proc/stat, /proc/PID/stat);
//   - the host of this virtual machine ran other virtual machines instead of
//     it (steal time);
//   - a processor was too hot and lowered its clock rate (thermal_throttle);
//   - the frequency governor keeps the clock rate low;
//   - there are fewer processors than threads.
//
// If the machine does not report a fact, it is not counted as a disturbance.
// The use of processors and the steal time are reported only for an interval of
// at least kMinSeconds, because the kernel counts them in hundredths of a
// second.
//
// The meter is for times of this machine. A leased device reports its state
// with each block (reports/result/device_state.h).
#ifndef ASSAY_SUITES_MACHINE_DISTURBANCE_H_
#define ASSAY_SUITES_MACHINE_DISTURBANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/cpu/kernel_counters.h"

namespace assay::suites {

// Times are doubtful if other programs used more than this number of
// processors. Daemons of an idle machine use less than a hundredth of one.
constexpr double kMaxOtherProcessors = 0.1;
// Times are doubtful if more than this fraction of the time was steal time.
constexpr double kMaxSteal = 0.02;
constexpr double kMinSeconds = 0.3;

class DisturbanceMeter {
 public:
  // `threads` is the number of threads of the programs that are measured, and
  // `processors` the number of processors that they may use. Tests set `root`,
  // which is prepended to the paths of the files, and `pid`, the id of the
  // measuring process; 0 stands for this process.
  DisturbanceMeter(int threads, int processors, std::string root = "",
                   int64_t pid = 0);

  // Returns the disturbances since the construction.
  std::vector<std::string> Stop() const;

 private:
  // The counts of the kernel since boot.
  struct Counters {
    runtime::CpuTicks ticks;
    double own = 0;      // ticks of this process and its descendants
    int processors = 0;  // that are online
    int64_t throttles = 0;
  };

  Counters Read() const;

  const int threads_;
  const int processors_;
  const std::string root_;
  const int64_t pid_;
  const Counters start_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_DISTURBANCE_H_
