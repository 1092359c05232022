#include "suites/comparison/attribute.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "reports/stats/median_sequence.h"
#include "reports/stats/summary.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "suites/comparison/align_kernels.h"

namespace assay::suites {
namespace {

constexpr double kLevel = 0.99;
constexpr double kPrecision = 0.05;
constexpr int64_t kMaxBlocks = 16;  // per load

// A loaded program with the kernel calls of its artifact.
struct KernelProgram {
  runtime::Session* session = nullptr;
  int program = 0;
  size_t num_calls = 0;
};

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
  if (nanos.size() != program.num_calls) {
    return absl::InternalError(absl::StrCat("the device timed ", nanos.size(),
                                            " kernel calls of ",
                                            program.num_calls));
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

// The median over loads of the mean difference of the rounds of each load, with
// its interval. `load_ends` are the numbers of rounds at the ends of the loads.
stats::MedianInterval Change(const std::vector<double>& base,
                             const std::vector<double>& run,
                             const std::vector<size_t>& load_ends) {
  stats::MedianSequence sequence(kLevel);
  size_t round = 0;
  for (const size_t end : load_ends) {
    double sum = 0;
    const auto count = static_cast<double>(end - round);
    for (; round < end; ++round) sum += run[round] - base[round];
    sequence.Add(sum / count);
  }
  return sequence.Interval();
}

std::vector<std::string> SymbolsOf(absl::Span<const runtime::KernelCall> calls,
                                   const std::vector<int64_t>& indices) {
  std::vector<std::string> symbols;
  for (const int64_t i : indices) {
    symbols.push_back(calls[static_cast<size_t>(i)].symbol);
  }
  return symbols;
}

// The mean of the times of a whole inference, timed by kernel or not: reading
// the clock takes the same time in both artifacts.
std::vector<double> WholeOf(const Times& times) {
  std::vector<double> mean(times.whole.size());
  for (size_t i = 0; i < mean.size(); ++i) {
    mean[i] = (times.whole[i] + times.by_kernel[i]) / 2;
  }
  return mean;
}

bool IsKnown(const stats::MedianInterval& change) {
  return change.bounded() && change.upper - change.lower <=
                                 2 * kPrecision * std::abs(change.median);
}

// Runs one more block. Contenders 0 and 1 run whole inferences of the base and
// of the run, 2 and 3 run them kernel by kernel.
absl::Status RunBlock(const KernelProgram (&programs)[2],
                      const ProgramPair& pair, uint64_t seed, int64_t block,
                      Times (&times)[2]) {
  for (const std::vector<int>& round : stats::BlockDesign(4, seed, block)) {
    if (pair.begin_round != nullptr) {
      ASSAY_RETURN_IF_ERROR(
          pair.begin_round(static_cast<int64_t>(times[0].whole.size())));
    }
    for (const int c : round) {
      ASSAY_RETURN_IF_ERROR(c < 2 ? TimeWhole(programs[c], &times[c])
                                  : TimeCalls(programs[c - 2], &times[c - 2]));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<reports::Attribution> Attribute(
    PairLoader loader, absl::Span<const runtime::KernelCall> base_calls,
    absl::Span<const runtime::KernelCall> run_calls,
    const AttributionLimits& limits, Clock* clock) {
  Times times[2];
  std::vector<size_t> load_ends;
  const int64_t start = clock->NowNanos();
  stats::MedianInterval whole;
  int64_t block = 0;
  do {
    Rng rng(SeedFor(limits.seed, absl::StrCat("load ", load_ends.size())));
    const int64_t load_start = clock->NowNanos();
    ASSAY_ASSIGN_OR_RETURN(const ProgramPair pair, loader(DrawPlacement(rng)));
    const KernelProgram programs[2] = {
        {pair.base.session, pair.base.program, base_calls.size()},
        {pair.run.session, pair.run.program, run_calls.size()}};
    if (pair.begin_round != nullptr) {
      ASSAY_RETURN_IF_ERROR(pair.begin_round(0));
    }
    Times warmup[2];
    for (int i : {0, 1}) {
      ASSAY_RETURN_IF_ERROR(TimeWhole(programs[i], &warmup[i]));
    }
    const int64_t loaded = clock->NowNanos();
    const int64_t first = block;
    do {
      ASSAY_RETURN_IF_ERROR(
          RunBlock(programs, pair, limits.seed, block++, times));
    } while (block - first < kMaxBlocks &&
             clock->NowNanos() - loaded < loaded - load_start);
    load_ends.push_back(times[0].whole.size());
    whole = Change(WholeOf(times[0]), WholeOf(times[1]), load_ends);
  } while (!IsKnown(whole) && static_cast<double>(clock->NowNanos() - start) <
                                  limits.budget_s * 1e9);
  reports::Attribution result;
  result.rounds = static_cast<int64_t>(times[0].whole.size());
  result.whole_ms = whole.median;
  result.whole_lower_ms = whole.lower;
  result.whole_upper_ms = whole.upper;
  for (AlignedKernels& piece : AlignKernels(base_calls, run_calls)) {
    const std::vector<double> base_ms = SumOf(times[0], piece.base);
    const std::vector<double> run_ms = SumOf(times[1], piece.run);
    const stats::MedianInterval change = Change(base_ms, run_ms, load_ends);
    result.kernels.push_back(
        {std::move(piece.sources), SymbolsOf(base_calls, piece.base),
         SymbolsOf(run_calls, piece.run), stats::Summarize(base_ms).median,
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
