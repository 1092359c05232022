// MachinePeak: the most that this machine does, measured, which rates of
// kernels are held against.
//
// The kernels that measure it are loop IR compiled by this compiler, so what
// they reach a schedule can reach: multiply-adds on accumulators that do not
// depend on each other, and going over memory of the size of each cache. The
// best of many samples counts, because whatever disturbs one makes it slower.
#ifndef ASSAY_SUITES_KERNELS_MACHINE_PEAK_H_
#define ASSAY_SUITES_KERNELS_MACHINE_PEAK_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

struct Bandwidth {
  std::string level;  // `L1`, `L2`, `L3`, `DRAM`
  int64_t bytes = 0;  // gone over by each thread
  int threads = 1;
  double read = 0;  // GB/s, 10^9 bytes
  double copy = 0;  // GB/s read and as many written
};

struct MachinePeak {
  // Float32 GFLOP/s by number of threads; a multiply-add is two.
  std::map<int, double> gflops;
  std::vector<Bandwidth> bandwidths;
};

// On 1 thread and on `all_threads`. Takes a few seconds.
absl::StatusOr<MachinePeak> MeasurePeak(int all_threads);

// The kernels, as loop IR. `lanes` floats to a vector; each of `shares` threads
// does `turns` of the loop, or goes `turns` times over `floats` of its own.
std::string PeakKernel(int lanes, int64_t turns, int shares);
std::string ReadKernel(int lanes, int64_t turns, int shares, int64_t floats);
std::string CopyKernel(int lanes, int64_t turns, int shares, int64_t floats);

// As JSON, and back; the error says that it is no such text.
std::string PeakToText(const MachinePeak& peak);
absl::StatusOr<MachinePeak> PeakFromText(absl::string_view text);

// Where the peak of the machine with that fingerprint is kept, in the user's
// cache folder.
absl::StatusOr<std::string> PeakPath(absl::string_view fingerprint);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_MACHINE_PEAK_H_
