// Arithmetic: the number type and the kind of instructions with which a kernel
// computes products. The rate of the kernel is compared with the machine's peak
// for this arithmetic. A comparison with the peak of another arithmetic would
// say nothing, because a matrix unit multiplies bytes many times as fast as
// vectors multiply float32 numbers.
#ifndef ASSAY_SUITES_KERNELS_PEAK_ARITHMETIC_H_
#define ASSAY_SUITES_KERNELS_PEAK_ARITHMETIC_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::suites {

enum class Arithmetic : uint8_t {
  kFloat32,       // multiply-adds of float32 vectors
  kSplitFloat32,  // `bf16x3`: tile products of the bfloat16 parts of float32
  kBytes,         // products of int8 or uint8 with sums of int32
};

// Rates in 10^9 operations per second. A multiply-add counts as two operations.
using PeakRates = std::map<Arithmetic, double>;

// Returns the arithmetic of a kernel with float32 operands. `algorithm` is the
// name of its implementation or the result of runtime::AlgorithmOf().
Arithmetic FloatArithmetic(absl::string_view algorithm);

// Returns the arithmetic of the operator `instance`, such as
// `matmul(float32[8,8], float32[8,8]) -> float32[8,8]`, with this
// implementation. Returns nullopt if none of the peaks applies, for example to
// a pooling of bytes, or if there is no operator.
std::optional<Arithmetic> ArithmeticOf(absl::string_view instance,
                                       absl::string_view implementation);

// Returns the rate that a kernel cannot exceed: the peak of its arithmetic.
// Returns nullopt if it is not known, or if the kernel does not do all the
// operations that its rate counts, because a fast algorithm needs fewer than
// the plain one. The arguments are those of
// ArithmeticOf().
std::optional<double> RateLimit(const PeakRates& peaks,
                                absl::string_view instance,
                                absl::string_view implementation);

// Returns what the peak is called in tables: `float32`, `bf16x3` or `int8`.
absl::string_view ArithmeticName(Arithmetic arithmetic);

// Returns the peak in words, such as `the peak of float32 vectors`.
absl::string_view DescribePeak(Arithmetic arithmetic);

// Returns the rates as text, such as `90.5 GFLOP/s float32, 700.0 int8`.
std::string ToString(const PeakRates& rates);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_PEAK_ARITHMETIC_H_
