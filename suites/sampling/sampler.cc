#include "suites/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

Sampler::Sampler(std::vector<Contender> contenders, SamplingOptions options,
                 Clock* clock)
    : contenders_(std::move(contenders)),
      options_(std::move(options)),
      clock_(clock),
      numbers_(contenders_.size(), options_.number),
      samples_ns_(contenders_.size()),
      call_nanos_(contenders_.size()) {
  CHECK(!contenders_.empty());
}

// The fastest of a few samples counts, because every disturbance makes a sample
// longer.
absl::StatusOr<int64_t> Sampler::ChooseNumber(int contender) {
  constexpr int kTrials = 3;
  constexpr int64_t kMaxNumber = int64_t{1} << 30;
  if (options_.settle != nullptr) options_.settle();
  int64_t number = options_.number_multiple;
  double fastest_ns;  // of a run
  while (true) {
    runtime::Block block;
    block.samples.assign(kTrials, {contenders_[contender].program, number});
    ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Sample> samples,
                           contenders_[contender].session->RunBlock(block));
    fastest_ns = std::numeric_limits<double>::infinity();
    for (const runtime::Sample& sample : samples) {
      fastest_ns = std::min(fastest_ns, sample.NanosPerRun());
    }
    // Stop when the sample is long compared to the resolution of the clock.
    if (fastest_ns * static_cast<double>(number) >=
            static_cast<double>(options_.sample_nanos) / 10 ||
        number >= kMaxNumber) {
      break;
    }
    number *= 4;
  }
  const double wanted = static_cast<double>(options_.sample_nanos) / fastest_ns;
  const auto multiples = static_cast<int64_t>(
      std::llround(wanted / static_cast<double>(options_.number_multiple)));
  return std::max<int64_t>(1, multiples) * options_.number_multiple;
}

absl::Status Sampler::Start() {
  if (options_.number > 0) return absl::OkStatus();
  if (options_.begin_round != nullptr) {
    ASSAY_RETURN_IF_ERROR(options_.begin_round(0));
  }
  // Warm up all contenders before the numbers are chosen.
  for (const Contender& contender : contenders_) {
    runtime::Block block;
    block.samples = {{contender.program, options_.first_warmup_runs}};
    ASSAY_RETURN_IF_ERROR(contender.session->RunBlock(block).status());
  }
  for (int i = 0; i < num_contenders(); ++i) {
    if (i > 0 && options_.same_number) {
      numbers_[i] = numbers_[0];
    } else {
      ASSAY_ASSIGN_OR_RETURN(numbers_[i], ChooseNumber(i));
    }
  }
  return absl::OkStatus();
}

runtime::SampleSpec UsualSample(const SamplingOptions& options,
                                int64_t number) {
  runtime::SampleSpec spec;
  spec.number = number;
  spec.warmup_runs = number >= options.min_number_for_warmup ? 1 : 0;
  spec.warmup_nanos = options.warmup_nanos;
  return spec;
}

runtime::SampleSpec Sampler::SpecOf(int contender) const {
  const Contender& c = contenders_[contender];
  const int64_t number = numbers_[contender];
  runtime::SampleSpec spec = UsualSample(options_, number);
  spec.program = c.program;
  spec.number =
      number + std::llround(static_cast<double>(number) * c.extra_work);
  if (samples_ns_[contender].empty() && options_.number > 0) {
    spec.warmup_runs = std::max(spec.warmup_runs, options_.first_warmup_runs);
  }
  return spec;
}

// Takes one sample of each of these contenders, which share one session.
absl::Status Sampler::TakeSamples(absl::Span<const int> contenders) {
  runtime::Block block;
  for (const int i : contenders) block.samples.push_back(SpecOf(i));
  block.min_sample_nanos = options_.min_sample_nanos;
  block.cooldown_nanos = options_.cooldown_nanos;
  block.time_calls = options_.time_calls;
  if (options_.settle != nullptr) options_.settle();
  ASSAY_ASSIGN_OR_RETURN(std::vector<runtime::Sample> samples,
                         contenders_[contenders[0]].session->RunBlock(block));
  if (samples.size() != contenders.size()) {
    return absl::InternalError("the device returned no samples");
  }
  for (size_t k = 0; k < samples.size(); ++k) {
    const int i = contenders[k];
    const auto asked = static_cast<double>(block.samples[k].number);
    samples_ns_[i].push_back(samples[k].NanosPerRun() * asked /
                             static_cast<double>(numbers_[i]));
    call_nanos_[i].push_back(std::move(samples[k].call_nanos));
    // Keep a number that was increased to reach the minimum time.
    if (samples[k].number > block.samples[k].number) {
      numbers_[i] = samples[k].number;
    }
  }
  return absl::OkStatus();
}

absl::Status Sampler::RunRound(absl::Span<const int> order) {
  if (options_.begin_round != nullptr) {
    ASSAY_RETURN_IF_ERROR(options_.begin_round(rounds()));
  }
  // Combine consecutive samples of one session into one request, unless
  // `settle` must be called in between.
  for (size_t first = 0; first < order.size();) {
    size_t end = first + 1;
    while (options_.settle == nullptr && end < order.size() &&
           contenders_[order[end]].session ==
               contenders_[order[first]].session) {
      ++end;
    }
    ASSAY_RETURN_IF_ERROR(TakeSamples(order.subspan(first, end - first)));
    first = end;
  }
  return absl::OkStatus();
}

absl::Status Sampler::RunBlock() {
  return RunRounds(rounds() + stats::RoundsPerBlock(num_contenders()));
}

absl::Status Sampler::RunRounds(int64_t rounds) {
  const int64_t start = clock_->NowNanos();
  if (blocks_ == 0) ASSAY_RETURN_IF_ERROR(Start());
  while (this->rounds() < rounds) {
    for (const std::vector<int>& round :
         stats::BlockDesign(num_contenders(), options_.seed, blocks_)) {
      if (this->rounds() >= rounds) break;
      ASSAY_RETURN_IF_ERROR(RunRound(round));
    }
    ++blocks_;
  }
  spent_nanos_ += clock_->NowNanos() - start;
  return absl::OkStatus();
}

}  // namespace assay::suites
