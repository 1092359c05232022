#include "suites/kernels/peak/arithmetic.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {
namespace {

// In the order of Arithmetic.
constexpr const char* kNames[] = {"float32", runtime::kSplitAlgorithm, "int8"};
constexpr const char* kPeaks[] = {
    "the peak of float32 vectors",
    "a third of the peak of bfloat16 tile products",
    "the peak of products of bytes"};

// Returns the operands of an instance, such as `float32[8,8]`.
std::vector<absl::string_view> OperandsOf(absl::string_view instance) {
  const std::pair<absl::string_view, absl::string_view> sides =
      absl::StrSplit(instance, absl::MaxSplits(") -> ", 1));
  const std::pair<absl::string_view, absl::string_view> left =
      absl::StrSplit(sides.first, absl::MaxSplits('(', 1));
  return absl::StrSplit(left.second, ", ", absl::SkipEmpty());
}

bool IsBytes(absl::string_view operand) {
  return absl::StartsWith(operand, "int8[") ||
         absl::StartsWith(operand, "uint8[");
}

}  // namespace

Arithmetic FloatArithmetic(absl::string_view algorithm) {
  return absl::StrContains(algorithm, runtime::kSplitAlgorithm)
             ? Arithmetic::kSplitFloat32
             : Arithmetic::kFloat32;
}

std::optional<Arithmetic> ArithmeticOf(absl::string_view instance,
                                       absl::string_view implementation) {
  const std::vector<absl::string_view> operands = OperandsOf(instance);
  if (operands.empty()) return std::nullopt;
  if (absl::StartsWith(operands[0], "float32[")) {
    return FloatArithmetic(implementation);
  }
  if (operands.size() > 1 && IsBytes(operands[0]) && IsBytes(operands[1])) {
    return Arithmetic::kBytes;
  }
  return std::nullopt;
}

std::optional<double> RateLimit(const PeakRates& peaks,
                                absl::string_view instance,
                                absl::string_view implementation) {
  if (absl::StrContains(implementation, "winograd") ||
      absl::StrContains(implementation, "strassen")) {
    return std::nullopt;
  }
  const auto arithmetic = ArithmeticOf(instance, implementation);
  if (!arithmetic.has_value()) return std::nullopt;
  const auto peak = peaks.find(*arithmetic);
  if (peak == peaks.end()) return std::nullopt;
  return peak->second;
}

absl::string_view ArithmeticName(Arithmetic arithmetic) {
  return kNames[static_cast<size_t>(arithmetic)];
}

absl::string_view DescribePeak(Arithmetic arithmetic) {
  return kPeaks[static_cast<size_t>(arithmetic)];
}

std::string ToString(const PeakRates& rates) {
  std::string text;
  for (const auto& [arithmetic, rate] : rates) {
    absl::StrAppendFormat(&text, "%s%.1f %s%s", text.empty() ? "" : ", ", rate,
                          text.empty() ? "GFLOP/s " : "",
                          ArithmeticName(arithmetic));
  }
  return text;
}

}  // namespace assay::suites
