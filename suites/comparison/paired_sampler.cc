#include "suites/comparison/paired_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// With fewer runs in a sample, one that is not timed would be too much of the
// time that there is.
constexpr int64_t kRunsWorthWarming = 8;

}  // namespace

PairedSampler::PairedSampler(std::vector<Arm> arms, PairedOptions options,
                             Clock* clock)
    : arms_(std::move(arms)),
      options_(std::move(options)),
      clock_(clock),
      samples_ns_(arms_.size()) {
  CHECK(arms_.size() >= 2);
}

int64_t PairedSampler::rounds() const {
  return static_cast<int64_t>(samples_ns_[0].size());
}

absl::StatusOr<int64_t> PairedSampler::Run(int arm, int64_t number) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t nanos, arms_[arm].run(number));
  if (nanos <= 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        number, " runs of `", arms_[arm].name, "` take no time by the clock"));
  }
  return nanos;
}

// The fastest of a few counts, because whatever disturbs a run makes it longer.
absl::Status PairedSampler::ChooseNumber() {
  constexpr int kTrials = 3;
  constexpr int64_t kMost = int64_t{1} << 30;
  int64_t number = options_.number_multiple, fastest = 0;
  while (true) {
    for (int i = 0; i < kTrials; ++i) {
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos, arms_[0].run(number));
      fastest = i == 0 ? nanos : std::min(fastest, nanos);
    }
    // Long enough that the clock's own error is small.
    if (fastest >= options_.sample_nanos / 10 || number >= kMost) break;
    number *= 4;
  }
  if (fastest <= 0) return Run(0, number).status();
  const double wanted = static_cast<double>(options_.sample_nanos) /
                        static_cast<double>(fastest) *
                        static_cast<double>(number);
  const auto multiples = static_cast<int64_t>(
      std::llround(wanted / static_cast<double>(options_.number_multiple)));
  number_ = std::max<int64_t>(1, multiples) * options_.number_multiple;
  return absl::OkStatus();
}

absl::Status PairedSampler::BeginRound() {
  if (options_.begin_round == nullptr) return absl::OkStatus();
  return options_.begin_round(rounds());
}

absl::Status PairedSampler::RunBlock() {
  const int64_t start = clock_->NowNanos();
  if (number_ == 0) {
    ASSAY_RETURN_IF_ERROR(BeginRound());
    // All arms, so that none meets its first sample cold.
    for (int arm = 0; arm < num_arms(); ++arm) {
      ASSAY_RETURN_IF_ERROR(arms_[arm].run(1).status());
    }
    ASSAY_RETURN_IF_ERROR(ChooseNumber());
  }
  for (const std::vector<int>& round :
       stats::BlockDesign(num_arms(), options_.seed, blocks_)) {
    ASSAY_RETURN_IF_ERROR(BeginRound());
    for (const int arm : round) {
      if (options_.settle != nullptr) options_.settle();
      if (number_ >= kRunsWorthWarming) {
        ASSAY_RETURN_IF_ERROR(arms_[arm].run(1).status());
      }
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos, Run(arm, number_));
      samples_ns_[arm].push_back(static_cast<double>(nanos) /
                                 static_cast<double>(number_));
    }
  }
  ++blocks_;
  spent_nanos_ += clock_->NowNanos() - start;
  return absl::OkStatus();
}

std::vector<double> PairedSampler::LogRatios(int arm, int64_t from) const {
  std::vector<double> ratios;
  for (auto round = static_cast<size_t>(from); round < samples_ns_[0].size();
       ++round) {
    ratios.push_back(std::log(samples_ns_[arm][round] / samples_ns_[0][round]));
  }
  return ratios;
}

absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    PairedSampler& sampler, const stats::PairedOptions& options,
    const TimeBudget& budget) {
  stats::PairedTest test(options);
  while (true) {
    ASSAY_RETURN_IF_ERROR(sampler.RunBlock());
    for (const double ratio : sampler.LogRatios(1, test.count())) {
      test.Add(ratio);
    }
    const double spent_s = static_cast<double>(sampler.spent_nanos()) * 1e-9;
    stats::PairedVerdict verdict = test.Judge(stats::Budget::kLeft);
    if (verdict.final) return verdict;
    if (spent_s < budget.own_s) continue;
    const double needed_s = spent_s + verdict.pairs_to_go * spent_s /
                                          static_cast<double>(verdict.count);
    // At the end of what others left an estimate has had its chance.
    if (needed_s > budget.own_s + budget.more_s) {
      return test.Judge(stats::Budget::kSpent);
    }
  }
}

}  // namespace assay::suites
