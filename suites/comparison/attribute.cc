#include "suites/comparison/attribute.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "reports/stats/median_sequence.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/align_kernels.h"

namespace assay::suites {
namespace {

constexpr double kLevel = 0.99;

using Loads = std::vector<PairedLoads::Load>;

// Returns the median of `change` over the loads, with its interval, in
// milliseconds. `change` is in nanoseconds.
stats::MedianInterval Change(
    const Loads& loads,
    absl::FunctionRef<double(const PairedLoads::Load&)> change) {
  stats::MedianSequence sequence(kLevel);
  for (const PairedLoads::Load& load : loads) sequence.Add(change(load) * 1e-6);
  return sequence.Interval();
}

stats::MedianInterval ChangeOfWhole(const Loads& loads) {
  return Change(loads, [](const PairedLoads::Load& load) {
    return load.RunNanos() - load.base.fastest_ns;
  });
}

// Returns the time of these calls.
double SumOf(const PairedLoads::Times& times,
             const std::vector<int64_t>& calls) {
  double sum = 0;
  for (const int64_t call : calls) {
    sum += times.call_ns[static_cast<size_t>(call)];
  }
  return sum;
}

// Returns the median time of these calls over the loads, in milliseconds.
double MedianMs(const Loads& loads,
                PairedLoads::Times PairedLoads::Load::* side,
                const std::vector<int64_t>& calls) {
  std::vector<double> sums;
  for (const PairedLoads::Load& load : loads) {
    sums.push_back(SumOf(load.*side, calls) * 1e-6);
  }
  return stats::Percentile(sums, 50);
}

std::vector<std::string> SymbolsOf(absl::Span<const runtime::KernelCall> calls,
                                   const std::vector<int64_t>& indices) {
  std::vector<std::string> symbols;
  for (const int64_t i : indices) {
    symbols.push_back(calls[static_cast<size_t>(i)].symbol);
  }
  return symbols;
}

bool IsKnown(const stats::MedianInterval& change, double precision) {
  return change.bounded() &&
         change.upper - change.lower <= 2 * precision * std::abs(change.median);
}

absl::Status CheckCalls(const Loads& loads, size_t base_calls,
                        size_t run_calls) {
  for (const PairedLoads::Load& load : loads) {
    if (load.base.call_ns.empty() || load.run.call_ns.empty()) {
      return absl::UnimplementedError(
          "an inference is too short, or the device does not time single "
          "kernel calls");
    }
    if (load.base.call_ns.size() != base_calls ||
        load.run.call_ns.size() != run_calls) {
      return absl::InternalError(
          absl::StrCat("the device timed ", load.base.call_ns.size(), " and ",
                       load.run.call_ns.size(), " kernel calls of ", base_calls,
                       " and ", run_calls));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<reports::Attribution> Attribute(
    PairedLoads& loads, absl::Span<const runtime::KernelCall> base_calls,
    absl::Span<const runtime::KernelCall> run_calls, double precision,
    double budget_s) {
  const auto check = [&] {
    return CheckCalls(loads.loads(), base_calls.size(), run_calls.size());
  };
  ASSAY_RETURN_IF_ERROR(check());
  while (loads.loads().empty() ||
         (!IsKnown(ChangeOfWhole(loads.loads()), precision) &&
          static_cast<double>(loads.spent_nanos()) < budget_s * 1e9)) {
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    ASSAY_RETURN_IF_ERROR(check());
  }
  const stats::MedianInterval whole = ChangeOfWhole(loads.loads());
  reports::Attribution result;
  result.rounds = loads.rounds();
  result.whole_ms = whole.median;
  result.whole_lower_ms = whole.lower;
  result.whole_upper_ms = whole.upper;
  for (AlignedKernels& part : AlignKernels(base_calls, run_calls)) {
    const stats::MedianInterval change =
        Change(loads.loads(), [&](const PairedLoads::Load& load) {
          return SumOf(load.run, part.run) - SumOf(load.base, part.base);
        });
    result.kernels.push_back(
        {std::move(part.sources), SymbolsOf(base_calls, part.base),
         SymbolsOf(run_calls, part.run),
         MedianMs(loads.loads(), &PairedLoads::Load::base, part.base),
         MedianMs(loads.loads(), &PairedLoads::Load::run, part.run),
         change.median, change.lower, change.upper, part.same_code});
  }
  std::sort(result.kernels.begin(), result.kernels.end(),
            [](const reports::KernelChange& a, const reports::KernelChange& b) {
              return std::pair(-std::abs(a.change_ms), a.base_kernels) <
                     std::pair(-std::abs(b.change_ms), b.base_kernels);
            });
  return result;
}

}  // namespace assay::suites
