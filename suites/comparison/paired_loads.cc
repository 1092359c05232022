#include "suites/comparison/paired_loads.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/summary.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// The parts into which a round divides the time of a contender: kernel calls,
// or the whole run if both contenders are not measured by call.
std::vector<double> PartsOf(const Sampler& sampler, int contender, bool by_call,
                            size_t round) {
  if (!by_call) return {sampler.samples_ns(contender)[round]};
  const std::vector<int64_t>& calls = sampler.call_nanos(contender)[round];
  return {calls.begin(), calls.end()};
}

bool MeasuredByCall(const Sampler& sampler) {
  for (const int contender : {0, 1}) {
    const size_t count = sampler.call_nanos(contender)[0].size();
    for (const std::vector<int64_t>& calls : sampler.call_nanos(contender)) {
      if (calls.empty() || calls.size() != count) return false;
    }
  }
  return true;
}

// Returns the fastest time of each part in the first `rounds` rounds, averaged
// over the inputs.
std::vector<double> FastestParts(const Sampler& sampler, int contender,
                                 bool by_call, int64_t inputs, int64_t rounds) {
  std::vector<std::vector<double>> fastest(static_cast<size_t>(inputs));
  for (size_t round = 0; round < static_cast<size_t>(rounds); ++round) {
    const std::vector<double> parts =
        PartsOf(sampler, contender, by_call, round);
    std::vector<double>& best = fastest[round % fastest.size()];
    if (best.empty()) best = parts;
    for (size_t i = 0; i < parts.size(); ++i) {
      best[i] = std::min(best[i], parts[i]);
    }
  }
  std::vector<double> mean(fastest[0].size());
  for (const std::vector<double>& best : fastest) {
    for (size_t i = 0; i < mean.size(); ++i) {
      mean[i] += best[i] / static_cast<double>(inputs);
    }
  }
  return mean;
}

double Sum(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double SumOf(const std::vector<double>& parts,
             const std::vector<int64_t>& judged) {
  double sum = 0;
  for (const int64_t part : judged) sum += parts[static_cast<size_t>(part)];
  return sum;
}

PairedLoads::Times TimesOf(const Sampler& sampler, int contender, bool by_call,
                           int64_t inputs, const std::vector<int64_t>& judged) {
  PairedLoads::Times times;
  std::vector<double> fastest =
      FastestParts(sampler, contender, by_call, inputs, sampler.rounds());
  times.fastest_ns = Sum(fastest);
  times.judged_ns = SumOf(fastest, judged);
  times.typical_ns = stats::Percentile(sampler.samples_ns(contender), 50);
  if (by_call) times.call_ns = std::move(fastest);
  if (sampler.number(0) == 1 && sampler.number(1) == 1) {
    times.inference_ns = sampler.samples_ns(contender);
  }
  return times;
}

// Returns true if the second half of the rounds did not change the fastest time
// of what is judged of either program by much.
bool IsStable(const Sampler& sampler, int64_t inputs,
              const JudgedCalls& judged) {
  const bool by_call = MeasuredByCall(sampler);
  for (const int contender : {0, 1}) {
    const auto fastest = [&](int64_t rounds) {
      const std::vector<double> parts =
          FastestParts(sampler, contender, by_call, inputs, rounds);
      return judged.whole()
                 ? Sum(parts)
                 : SumOf(parts, contender == 0 ? judged.base : judged.run);
    };
    if (fastest(sampler.rounds() / 2) >
        (1 + kStability) * fastest(sampler.rounds())) {
      return false;
    }
  }
  return true;
}

SamplingOptions OptionsFor(const ProgramPair& pair, SamplingOptions options) {
  options.begin_round = pair.begin_round;
  options.time_calls = pair.by_call;
  if (pair.processes > 1) options.min_number_for_warmup = 1;
  return options;
}

}  // namespace

double PairedLoads::Load::RunNanos() const {
  return whole ? run.fastest_ns
               : base.fastest_ns - base.judged_ns + run.judged_ns;
}

stats::LoadRatios PairedLoads::Load::Ratios() const {
  const double ratio = std::log(RunNanos() / base.fastest_ns);
  return {ratio, whole ? std::log(run.typical_ns / base.typical_ns) : ratio};
}

PairedLoads::PairedLoads(PairLoader loader, SamplingOptions sampling,
                         Clock* clock, JudgedCalls judged)
    : loader_(std::move(loader)),
      sampling_(std::move(sampling)),
      clock_(clock),
      judged_(std::move(judged)) {
  sampling_.sample_nanos = kMinRunNanos;
}

absl::Status PairedLoads::ChooseNumber() {
  ASSAY_ASSIGN_OR_RETURN(const ProgramPair pair, loader_({sampling_.seed | 1}));
  Sampler sampler({pair.base, pair.run}, OptionsFor(pair, sampling_), clock_);
  ASSAY_RETURN_IF_ERROR(sampler.RunBlock());
  sampling_.number = sampler.number(0);
  return absl::OkStatus();
}

absl::Status PairedLoads::RunLoad() {
  const int64_t start = clock_->NowNanos();
  if (sampling_.number == 0) ASSAY_RETURN_IF_ERROR(ChooseNumber());
  Rng rng(SeedFor(sampling_.seed, absl::StrCat("load ", loads_.size())));
  PairPlacement placement;
  placement.seed = rng.NextU64() | 1;
  placement.run_first = rng.UniformInt(0, 1) == 1;
  SamplingOptions options = sampling_;
  options.seed = rng.NextU64();
  ASSAY_ASSIGN_OR_RETURN(const ProgramPair pair, loader_(placement));
  Sampler sampler({pair.base, pair.run}, OptionsFor(pair, std::move(options)),
                  clock_);
  int64_t rounds =
      (judged_.whole() ? kRoundsPerInput : kRoundsPerInputOfCalls) *
      pair.inputs;
  ASSAY_RETURN_IF_ERROR(sampler.RunRounds(rounds));
  const bool by_call = MeasuredByCall(sampler);
  if (!judged_.whole() && !by_call) {
    return absl::UnimplementedError(
        "an inference is too short, or the device does not time single kernel "
        "calls");
  }
  while (rounds < kMaxRoundsPerInput * pair.inputs &&
         2 * sampler.spent_nanos() <= kMaxLoadNanos &&
         !IsStable(sampler, pair.inputs, judged_)) {
    rounds *= 2;
    ASSAY_RETURN_IF_ERROR(sampler.RunRounds(rounds));
  }
  Load load{TimesOf(sampler, 0, by_call, pair.inputs, judged_.base),
            TimesOf(sampler, 1, by_call, pair.inputs, judged_.run),
            judged_.whole()};
  for (const Times& times : {load.base, load.run}) {
    if (times.fastest_ns > 0) continue;
    return absl::InternalError("the device measured a run that takes no time");
  }
  loads_.push_back(std::move(load));
  rounds_ += sampler.rounds();
  spent_nanos_ += clock_->NowNanos() - start;
  return absl::OkStatus();
}

}  // namespace assay::suites
