// MachinePeak: the measured peak arithmetic throughput and memory bandwidth of
// this machine, with which the rates of kernels are compared. MeasurePeak()
// (measure_peak.h) measures it, and the user's cache folder keeps it as JSON.
#ifndef ASSAY_SUITES_KERNELS_PEAK_MACHINE_PEAK_H_
#define ASSAY_SUITES_KERNELS_PEAK_MACHINE_PEAK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/kernels/peak/arithmetic.h"

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
  // Peak rates in 10^9 operations per second; the key is the number of threads.
  // A multiply-add counts as two operations.
  std::map<int, double> gflops;  // of float32 vectors
  // Of tile products of bfloat16, and of products of bytes. Empty if the
  // machine has no instructions for them, or if the peak was stored by an
  // earlier version, which did not measure these rates.
  std::map<int, double> bfloat16_gflops;
  std::map<int, double> byte_gops;
  std::vector<Bandwidth> bandwidths;

  // Returns the peak with which kernels of this arithmetic are compared. That
  // of split float32 is a third of the rate of bfloat16 tile products, because
  // a product of two split numbers takes three of them. Returns nullopt if the
  // peak is not known for this number of threads.
  std::optional<double> RateOf(Arithmetic arithmetic, int threads) const;
  // Returns the known results of RateOf(), by the number of threads.
  std::map<int, PeakRates> Rates() const;
};

// Convert a MachinePeak to JSON and back. PeakFromText() also reads texts of
// earlier versions, which lack the rates of bfloat16 and of bytes. It returns
// InvalidArgument if the text is invalid.
std::string PeakToText(const MachinePeak& peak);
absl::StatusOr<MachinePeak> PeakFromText(absl::string_view text);

// Returns the peak that `//suites:peak` stored for this machine; empty if there
// is none.
MachinePeak StoredPeak();
// Stores the peak of this machine in the user's cache folder, and returns the
// path of the file.
absl::StatusOr<std::string> StorePeak(const MachinePeak& peak);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_PEAK_MACHINE_PEAK_H_
