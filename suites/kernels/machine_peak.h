// MachinePeak: the measured peak arithmetic throughput and memory bandwidth of
// this machine, with which the rates of kernels are compared.
//
// The benchmark kernels are written in the loop IR and compiled by this
// compiler, so kernels that the compiler generates can reach the same rates.
// One benchmark kernel runs multiply-adds on independent accumulators. The
// other kernels traverse buffers of about half the size of each cache, and a
// buffer that exceeds all caches. The result is the fastest of many samples,
// because every disturbance makes a sample slower.
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
  std::string level;  // `L1`, `L2`, `L3` or `DRAM`
  int64_t bytes = 0;  // size of the memory that each thread accesses
  int threads = 1;
  // Bandwidth of reading, of all threads together, in GB/s (10^9 bytes per
  // second).
  double read = 0;
  // Bandwidth of copying, of all threads together, in GB/s. Only the bytes read
  // are counted; a copy writes the same number of bytes.
  double copy = 0;
};

struct MachinePeak {
  // Peak float32 throughput in GFLOP/s; the key is the number of threads. A
  // multiply-add counts as two operations.
  std::map<int, double> gflops;
  std::vector<Bandwidth> bandwidths;
};

// Measures the peak with one thread and with `all_threads` threads. Takes a few
// seconds.
absl::StatusOr<MachinePeak> MeasurePeak(int all_threads);

// Return the text of the benchmark kernels in the loop IR. A vector has `lanes`
// floats. In PeakKernel(), each of `shares` threads runs `turns` iterations of
// the loop. In the other kernels, each of `shares` threads traverses its own
// buffer of `floats` elements `turns` times.
std::string PeakKernel(int lanes, int64_t turns, int shares);
std::string ReadKernel(int lanes, int64_t turns, int shares, int64_t floats);
std::string CopyKernel(int lanes, int64_t turns, int shares, int64_t floats);

// Convert a MachinePeak to JSON and back. PeakFromText() returns
// InvalidArgument if the text is invalid.
std::string PeakToText(const MachinePeak& peak);
absl::StatusOr<MachinePeak> PeakFromText(absl::string_view text);

// Returns the path of the file that stores the peak of the machine with this
// fingerprint. The file is in the user's cache folder.
absl::StatusOr<std::string> PeakPath(absl::string_view fingerprint);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_MACHINE_PEAK_H_
