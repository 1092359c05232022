#include "runtime/measure/loop_session.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

constexpr int64_t kMaxNumber = 1000000000;
// A clock that does not advance during this number of runs has stopped.
constexpr int64_t kMaxTimelessNumber = 1000000;

// Returns the next `number` after a sample whose `nanos` are below the minimum:
// the one computed from the time per run, but at least 1.6 times as many,
// because the estimate from a short sample is inaccurate.
int64_t GrownNumber(int64_t number, int64_t nanos, int64_t min_nanos) {
  const double grown = 1.618 * static_cast<double>(number) + 1;
  double needed = 0;
  if (nanos > 0) {
    needed = static_cast<double>(min_nanos) * static_cast<double>(number) /
                 static_cast<double>(nanos) +
             1;
  }
  const double next = std::max(grown, needed);
  return next >= static_cast<double>(kMaxNumber) ? kMaxNumber
                                                 : static_cast<int64_t>(next);
}

}  // namespace

absl::StatusOr<std::vector<Sample>> LoopSession::RunBlock(const Block& block) {
  std::map<int, int64_t> grown;  // by program
  std::vector<Sample> samples;
  for (SampleSpec spec : block.samples) {
    CHECK(spec.number > 0);
    clock_->SleepNanos(block.cooldown_nanos);
    ASSAY_RETURN_IF_ERROR(WarmUp(spec));
    spec.number = std::max(spec.number, grown[spec.program]);
    ASSAY_ASSIGN_OR_RETURN(Sample sample, Take(spec, block));
    if (sample.number > spec.number) grown[spec.program] = sample.number;
    samples.push_back(std::move(sample));
  }
  return samples;
}

absl::Status LoopSession::WarmUp(const SampleSpec& spec) {
  int64_t number = spec.warmup_runs, spent = 0;
  while (number > 0 || spent < spec.warmup_nanos) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t nanos,
                           TimeRuns(spec.program, std::max<int64_t>(number, 1),
                                    /*poison_outputs=*/false));
    spent += std::max<int64_t>(nanos, 1);
    number = 0;
  }
  return absl::OkStatus();
}

absl::StatusOr<Sample> LoopSession::Take(const SampleSpec& spec,
                                         const Block& block) {
  // A sample has to take some time even if no minimum is set.
  const int64_t min_nanos = std::max<int64_t>(block.min_sample_nanos, 1);
  Sample sample;
  sample.number = spec.number;
  while (true) {
    if (block.flush_cache_bytes > 0) {
      ASSAY_RETURN_IF_ERROR(FlushCaches(block.flush_cache_bytes));
    }
    ASSAY_ASSIGN_OR_RETURN(const bool has_outputs,
                           TakeOnce(spec.program, block, &sample));
    if (sample.nanos >= min_nanos) {
      if (block.read_outputs && !has_outputs) {
        ASSAY_ASSIGN_OR_RETURN(sample.outputs, Outputs(spec.program));
      }
      return sample;
    }
    if (sample.number >= (sample.nanos > 0 ? kMaxNumber : kMaxTimelessNumber)) {
      return absl::FailedPreconditionError(absl::StrCat(
          sample.number, " runs took ", sample.nanos, " ns, less than the ",
          min_nanos, " wanted; there is nothing to measure"));
    }
    sample.number = GrownNumber(sample.number, sample.nanos, min_nanos);
  }
}

absl::StatusOr<bool> LoopSession::TakeOnce(int program, const Block& block,
                                           Sample* sample) {
  sample->call_nanos.clear();
  if (block.time_calls && sample->number == 1) {
    ASSAY_ASSIGN_OR_RETURN(
        sample->nanos,
        TimeRunByCall(program, block.read_outputs, &sample->call_nanos));
    return false;
  }
  if (!block.read_outputs) {
    ASSAY_ASSIGN_OR_RETURN(sample->nanos,
                           TimeRuns(program, sample->number, false));
    return false;
  }
  int64_t checked = sample->number;  // counted from 1
  if (block.checked_run_seed != 0) {
    checked = Rng(block.checked_run_seed ^ static_cast<uint64_t>(samples_++))
                  .UniformInt(1, sample->number);
  }
  ASSAY_ASSIGN_OR_RETURN(sample->nanos, TimeRuns(program, checked, true));
  if (checked == sample->number) return false;
  ASSAY_ASSIGN_OR_RETURN(sample->outputs, Outputs(program));
  ASSAY_ASSIGN_OR_RETURN(
      const int64_t rest,
      TimeRuns(program, sample->number - checked, /*poison_outputs=*/false));
  sample->nanos += rest;
  return true;
}

absl::StatusOr<int64_t> LoopSession::TimeLoop(
    int64_t number, absl::FunctionRef<absl::Status()> run,
    const std::function<absl::Status()>& before_last) const {
  const int64_t untouched = before_last == nullptr ? number : number - 1;
  int64_t nanos = 0;
  if (untouched > 0) {
    const int64_t start = clock_->NowNanos();
    for (int64_t i = 0; i < untouched; ++i) ASSAY_RETURN_IF_ERROR(run());
    nanos = clock_->NowNanos() - start;
  }
  if (before_last != nullptr) {
    ASSAY_RETURN_IF_ERROR(before_last());
    const int64_t start = clock_->NowNanos();
    ASSAY_RETURN_IF_ERROR(run());
    nanos += clock_->NowNanos() - start;
  }
  return nanos;
}

absl::Status LoopSession::SetInputs(const NamedTensors&) {
  return absl::UnimplementedError("the inputs of this session are fixed");
}

absl::Status LoopSession::FlushCaches(int64_t) {
  return absl::UnimplementedError("this session does not flush caches");
}

}  // namespace assay::runtime
