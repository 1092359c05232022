// MachinePeak: the measured peak arithmetic throughput and memory bandwidth of
// this machine, to which the rates of kernels are compared.
//
// The benchmark kernels are loop IR compiled by this compiler, so a schedule
// can reach the same rates. They run multiply-adds on independent accumulators
// and traverse buffers of the size of each cache. The best of many samples
// counts, because every disturbance makes a sample slower.
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
  int64_t bytes = 0;  // accessed by each thread
  int threads = 1;
  double read = 0;  // GB/s (10^9 bytes per second)
  double copy = 0;  // GB/s read; as many are written
};

struct MachinePeak {
  // Float32 GFLOP/s by number of threads; a multiply-add counts as two.
  std::map<int, double> gflops;
  std::vector<Bandwidth> bandwidths;
};

// Measures the peak on 1 thread and on `all_threads`. Takes a few seconds.
absl::StatusOr<MachinePeak> MeasurePeak(int all_threads);

// Return the benchmark kernels as loop IR. A vector has `lanes` floats. Each of
// `shares` threads runs `turns` iterations of the loop, or traverses its own
// buffer of `floats` elements `turns` times.
std::string PeakKernel(int lanes, int64_t turns, int shares);
std::string ReadKernel(int lanes, int64_t turns, int shares, int64_t floats);
std::string CopyKernel(int lanes, int64_t turns, int shares, int64_t floats);

// Convert to and from JSON.
std::string PeakToText(const MachinePeak& peak);
absl::StatusOr<MachinePeak> PeakFromText(absl::string_view text);

// Returns the path in the user's cache folder at which the peak of the machine
// with this fingerprint is stored.
absl::StatusOr<std::string> PeakPath(absl::string_view fingerprint);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_MACHINE_PEAK_H_
