#include "runtime/tools/bench_timing.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

absl::Status CheckRange(absl::string_view name, int64_t value, int64_t least,
                        int64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "`", name, "` is ", value, ", not between ", least, " and ", most));
}

// Returns the mean time of each kernel call over `number` runs. The caches are
// flushed before the first run.
absl::StatusOr<std::vector<double>> TimeKernels(Session& session,
                                                int64_t number,
                                                int64_t flush_cache_bytes) {
  std::vector<double> means;
  for (int64_t i = 0; i < number; ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::vector<int64_t> nanos,
        TimeCalls(session, /*program=*/0, i == 0 ? flush_cache_bytes : 0));
    means.resize(nanos.size());
    for (size_t k = 0; k < nanos.size(); ++k) {
      means[k] += static_cast<double>(nanos[k]) / static_cast<double>(number);
    }
  }
  return means;
}

}  // namespace

absl::Status CheckTiming(const BenchTiming& timing) {
  constexpr int64_t kMaxRuns = 1000000000;
  constexpr int64_t kMaxMillis = 24 * 3600 * int64_t{1000};
  absl::Status status;
  status.Update(CheckRange("warmup", timing.warmup, 0, kMaxRuns));
  status.Update(CheckRange("number", timing.number, 1, kMaxRuns));
  status.Update(CheckRange("repeat", timing.repeat, 1, 1000000));
  status.Update(
      CheckRange("min_repeat_ms", timing.min_repeat_ms, 0, kMaxMillis));
  status.Update(CheckRange("cooldown_ms", timing.cooldown_ms, 0, kMaxMillis));
  status.Update(CheckRange("flush_cache_bytes", timing.flush_cache_bytes, 0,
                           int64_t{1} << 40));
  return status;
}

absl::StatusOr<BenchResult> TimeSession(
    Session& session, const BenchTiming& timing,
    const std::function<void(int64_t done, double last_ns)>& progress) {
  ASSAY_RETURN_IF_ERROR(CheckTiming(timing));
  Block block;
  block.min_sample_nanos = timing.min_repeat_ms * 1000000;
  block.cooldown_nanos = timing.cooldown_ms * 1000000;
  block.flush_cache_bytes = timing.flush_cache_bytes;
  block.read_outputs = true;
  block.samples = {{/*program=*/0, timing.number, timing.warmup}};
  BenchResult result;
  for (int64_t done = 1; done <= timing.repeat; ++done) {
    ASSAY_ASSIGN_OR_RETURN(std::vector<Sample> samples,
                           session.RunBlock(block));
    Sample& sample = samples.at(0);
    block.samples = {{/*program=*/0, sample.number}};
    result.samples_ns.push_back(sample.NanosPerRun());
    result.numbers.push_back(sample.number);
    result.outputs = std::move(sample.outputs);
    if (progress != nullptr) progress(done, result.samples_ns.back());
  }
  if (!timing.per_op) return result;
  for (int64_t repeat = 0; repeat < timing.repeat; ++repeat) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::vector<double> kernels,
        TimeKernels(session, result.numbers.back(), timing.flush_cache_bytes));
    result.op_samples_ns.resize(kernels.size());
    for (size_t k = 0; k < kernels.size(); ++k) {
      result.op_samples_ns[k].push_back(kernels[k]);
    }
  }
  return result;
}

}  // namespace assay::runtime
