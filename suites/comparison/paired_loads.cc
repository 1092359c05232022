#include "suites/comparison/paired_loads.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/summary.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Limits on the blocks of a load. A verdict needs a minimum number of loads, so
// the first loads are short: at least one block, for as long as loading takes.
// If these loads do not suffice, the noise of the samples matters more than the
// addresses, and loads have three times as many blocks.
constexpr int64_t kMaxBlocks = 64;
constexpr size_t kShortLoads = 20;
constexpr int64_t kLongLoad = 3;

// The means of the log ratios of consecutive groups of `size` rounds.
std::vector<double> BlockMeans(const std::vector<double>& log_ratios,
                               int64_t size) {
  std::vector<double> means;
  for (size_t i = 0; i < log_ratios.size(); i += static_cast<size_t>(size)) {
    double sum = 0;
    for (int64_t k = 0; k < size; ++k) {
      sum += log_ratios[i + static_cast<size_t>(k)];
    }
    means.push_back(sum / static_cast<double>(size));
  }
  return means;
}

}  // namespace

PairedLoads::PairedLoads(PairLoader loader, SamplingOptions sampling,
                         Clock* clock)
    : loader_(std::move(loader)),
      sampling_(std::move(sampling)),
      clock_(clock) {}

absl::Status PairedLoads::ChooseNumber() {
  ASSAY_ASSIGN_OR_RETURN(const ProgramPair pair, loader_({sampling_.seed | 1}));
  SamplingOptions options = sampling_;
  options.begin_round = pair.begin_round;
  Sampler sampler({pair.base, pair.run}, std::move(options), clock_);
  ASSAY_RETURN_IF_ERROR(sampler.RunBlock());
  sampling_.number = sampler.number(0);
  return absl::OkStatus();
}

absl::Status PairedLoads::RunLoad() {
  const int64_t start = clock_->NowNanos();
  if (sampling_.number == 0) ASSAY_RETURN_IF_ERROR(ChooseNumber());
  Rng rng(SeedFor(sampling_.seed, absl::StrCat("load ", log_ratios_.size())));
  const PairPlacement placement = DrawPlacement(rng);
  SamplingOptions options = sampling_;
  options.seed = rng.NextU64();
  const int64_t load_start = clock_->NowNanos();
  ASSAY_ASSIGN_OR_RETURN(const ProgramPair pair, loader_(placement));
  const int64_t load_nanos = clock_->NowNanos() - load_start;
  options.begin_round = pair.begin_round;
  Sampler sampler({pair.base, pair.run}, std::move(options), clock_);
  const int64_t length = log_ratios_.size() < kShortLoads ? 1 : kLongLoad;
  int64_t blocks = 0;
  do {
    ASSAY_RETURN_IF_ERROR(sampler.RunBlock());
    ++blocks;
  } while (blocks < kMaxBlocks &&
           (blocks < length || sampler.spent_nanos() < length * load_nanos));
  const std::vector<double> means =
      BlockMeans(sampler.LogRatios(1), sampler.rounds() / blocks);
  log_ratios_.push_back(stats::Percentile(means, 50));
  const auto append = [](const std::vector<double>& from,
                         std::vector<double>* to) {
    to->insert(to->end(), from.begin(), from.end());
  };
  append(sampler.samples_ns(0), &base_ns_);
  append(sampler.samples_ns(1), &run_ns_);
  rounds_per_load_.push_back(sampler.rounds());
  spent_nanos_ += clock_->NowNanos() - start;
  return absl::OkStatus();
}

}  // namespace assay::suites
