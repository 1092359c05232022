#include "rpc/server/worker/block_request.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"

namespace assay::rpc {
namespace {

absl::Status CheckRange(absl::string_view field, int64_t value, int64_t min,
                        int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("block: `", field, "` is ",
                                                 value, ", which is not from ",
                                                 min, " to ", max));
}

absl::StatusOr<runtime::SampleSpec> ReadSample(
    const RunBlockRequest::Sample& sample, int programs) {
  ASSAY_RETURN_IF_ERROR(
      CheckRange("samples.program", sample.program(), 0, programs - 1));
  ASSAY_RETURN_IF_ERROR(CheckRange("samples.number", sample.number(), 1,
                                   runtime::kMaxSampleRuns));
  ASSAY_RETURN_IF_ERROR(CheckRange("samples.warmup_runs", sample.warmup_runs(),
                                   0, runtime::kMaxSampleRuns));
  ASSAY_RETURN_IF_ERROR(CheckRange("samples.warmup_nanos",
                                   sample.warmup_nanos(), 0,
                                   runtime::kMaxBlockNanos));
  return runtime::SampleSpec{sample.program(), sample.number(),
                             sample.warmup_runs(), sample.warmup_nanos()};
}

}  // namespace

int64_t PlannedNanos(const runtime::Block& block) {
  // Each time is at most an hour, so sums of some million do not overflow.
  const auto samples = static_cast<int64_t>(block.samples.size());
  int64_t nanos = samples * (block.cooldown_nanos + block.min_sample_nanos);
  for (const runtime::SampleSpec& sample : block.samples) {
    nanos += sample.warmup_nanos;
  }
  return nanos;
}

absl::StatusOr<runtime::Block> ReadBlock(const RunBlockRequest& request,
                                         int programs, int64_t max_nanos,
                                         const BlockLimits& limits) {
  if (request.samples_size() > limits.max_samples) {
    return absl::InvalidArgumentError(
        absl::StrCat("block: there are ", request.samples_size(),
                     " samples, and the limit is ", limits.max_samples));
  }
  ASSAY_RETURN_IF_ERROR(CheckRange("min_sample_nanos",
                                   request.min_sample_nanos(), 0,
                                   runtime::kMaxBlockNanos));
  ASSAY_RETURN_IF_ERROR(CheckRange("cooldown_nanos", request.cooldown_nanos(),
                                   0, runtime::kMaxBlockNanos));
  ASSAY_RETURN_IF_ERROR(
      CheckRange("flush_cache_bytes", request.flush_cache_bytes(), 0,
                 std::min(limits.max_flush_bytes, runtime::kMaxFlushBytes)));
  runtime::Block block;
  block.samples.reserve(static_cast<size_t>(request.samples_size()));
  for (const RunBlockRequest::Sample& sample : request.samples()) {
    ASSAY_ASSIGN_OR_RETURN(block.samples.emplace_back(),
                           ReadSample(sample, programs));
  }
  block.min_sample_nanos = request.min_sample_nanos();
  block.cooldown_nanos = request.cooldown_nanos();
  block.flush_cache_bytes = request.flush_cache_bytes();
  block.read_outputs = request.read_outputs();
  block.checked_run_seed = request.checked_run_seed();
  block.time_calls = request.time_calls();
  const int64_t planned = PlannedNanos(block);
  if (planned > max_nanos) {
    return absl::InvalidArgumentError(absl::StrCat(
        "block: it takes at least ", static_cast<double>(planned) * 1e-9,
        " s, and the call has only ", static_cast<double>(max_nanos) * 1e-9,
        " s"));
  }
  return block;
}

}  // namespace assay::rpc
