#include "suites/comparison/attribute.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "reports/stats/sign_interval.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/align_kernels.h"

namespace assay::suites {
namespace {

constexpr double kLevel = 0.99;
constexpr double kPrecision = 0.05;
constexpr size_t kMinRounds = 40;

// Times of one program in milliseconds, by round: of a whole inference, of an
// inference timed by kernel, and of each kernel call of the latter.
struct Times {
  std::vector<double> whole;
  std::vector<double> by_kernel;
  std::vector<std::vector<double>> calls;
};

absl::Status TimeWhole(const KernelProgram& program, Times* times) {
  ASSAY_ASSIGN_OR_RETURN(const runtime::Sample sample,
                         runtime::RunOnce(*program.session, program.program));
  times->whole.push_back(sample.NanosPerRun() * 1e-6);
  return absl::OkStatus();
}

absl::Status TimeCalls(const KernelProgram& program, Times* times) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                         program.session->TimeCalls(program.program));
  if (nanos.size() != program.calls.size()) {
    return absl::InternalError(absl::StrCat("the device timed ", nanos.size(),
                                            " kernel calls of ",
                                            program.calls.size()));
  }
  times->calls.resize(nanos.size());
  double sum = 0;
  for (size_t i = 0; i < nanos.size(); ++i) {
    times->calls[i].push_back(static_cast<double>(nanos[i]) * 1e-6);
    sum += times->calls[i].back();
  }
  times->by_kernel.push_back(sum);
  return absl::OkStatus();
}

// Returns the sum over these calls, by round.
std::vector<double> SumOf(const Times& times,
                          const std::vector<int64_t>& calls) {
  std::vector<double> sum(times.whole.size(), 0);
  for (const int64_t call : calls) {
    const std::vector<double>& ms = times.calls[static_cast<size_t>(call)];
    for (size_t round = 0; round < sum.size(); ++round) sum[round] += ms[round];
  }
  return sum;
}

stats::MedianInterval Change(const std::vector<double>& base,
                             const std::vector<double>& run) {
  std::vector<double> differences(base.size());
  for (size_t i = 0; i < base.size(); ++i) differences[i] = run[i] - base[i];
  return stats::SignInterval(differences, kLevel);
}

std::vector<std::string> SymbolsOf(absl::Span<const runtime::KernelCall> calls,
                                   const std::vector<int64_t>& indices) {
  std::vector<std::string> symbols;
  for (const int64_t i : indices) {
    symbols.push_back(calls[static_cast<size_t>(i)].symbol);
  }
  return symbols;
}

std::vector<double> Joined(std::vector<double> a,
                           const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Change of whole inferences, timed by kernel or not: reading the clock takes
// the same time in both artifacts.
stats::MedianInterval WholeChange(const Times& base, const Times& run) {
  return Change(Joined(base.whole, base.by_kernel),
                Joined(run.whole, run.by_kernel));
}

bool IsKnown(const stats::MedianInterval& change) {
  return change.bounded() && change.upper - change.lower <=
                                 2 * kPrecision * std::abs(change.median);
}

}  // namespace

absl::StatusOr<reports::Attribution> Attribute(const KernelProgram& base,
                                               const KernelProgram& run,
                                               const AttributionLimits& limits,
                                               Clock* clock) {
  const KernelProgram* const programs[] = {&base, &run};
  Times times[2];
  const int64_t start = clock->NowNanos();
  stats::MedianInterval whole;
  for (int64_t block = 0;; ++block) {
    // Contenders 0 and 1 run whole inferences, 2 and 3 kernel by kernel.
    for (const std::vector<int>& round :
         stats::BlockDesign(4, limits.seed, block)) {
      if (limits.begin_round != nullptr) {
        ASSAY_RETURN_IF_ERROR(
            limits.begin_round(static_cast<int64_t>(times[0].whole.size())));
      }
      for (const int c : round) {
        ASSAY_RETURN_IF_ERROR(c < 2
                                  ? TimeWhole(*programs[c], &times[c])
                                  : TimeCalls(*programs[c - 2], &times[c - 2]));
      }
    }
    whole = WholeChange(times[0], times[1]);
    const double spent = static_cast<double>(clock->NowNanos() - start) * 1e-9;
    if (spent >= limits.budget_s) break;
    if (times[0].whole.size() >= kMinRounds && IsKnown(whole)) break;
  }
  reports::Attribution result;
  result.rounds = static_cast<int64_t>(times[0].whole.size());
  result.whole_ms = whole.median;
  result.whole_lower_ms = whole.lower;
  result.whole_upper_ms = whole.upper;
  for (AlignedKernels& piece : AlignKernels(base.calls, run.calls)) {
    const std::vector<double> base_ms = SumOf(times[0], piece.base);
    const std::vector<double> run_ms = SumOf(times[1], piece.run);
    const stats::MedianInterval change = Change(base_ms, run_ms);
    result.kernels.push_back(
        {std::move(piece.sources), SymbolsOf(base.calls, piece.base),
         SymbolsOf(run.calls, piece.run), stats::Summarize(base_ms).median,
         stats::Summarize(run_ms).median, change.median, change.lower,
         change.upper, piece.same_code});
  }
  std::sort(result.kernels.begin(), result.kernels.end(),
            [](const reports::KernelChange& a, const reports::KernelChange& b) {
              return std::pair(-std::abs(a.change_ms), a.base_kernels) <
                     std::pair(-std::abs(b.change_ms), b.base_kernels);
            });
  return result;
}

}  // namespace assay::suites
