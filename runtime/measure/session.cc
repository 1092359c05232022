#include "runtime/measure/session.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

absl::StatusOr<Sample> TakeSample(Session& session, const Block& block) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<Sample> samples, session.RunBlock(block));
  if (samples.size() != 1) {
    return absl::InternalError("the device returned no sample");
  }
  return std::move(samples[0]);
}

}  // namespace

absl::StatusOr<Sample> RunOnce(Session& session, int program) {
  Block block;
  block.samples = {{program}};
  block.read_outputs = true;
  return TakeSample(session, block);
}

absl::StatusOr<std::vector<int64_t>> TimeCalls(Session& session, int program,
                                               int64_t flush_cache_bytes) {
  Block block;
  block.samples = {{program}};
  block.flush_cache_bytes = flush_cache_bytes;
  block.time_calls = true;
  ASSAY_ASSIGN_OR_RETURN(Sample sample, TakeSample(session, block));
  if (sample.number != 1) {
    return absl::FailedPreconditionError(
        "a single run takes too little time to time its kernel calls");
  }
  if (sample.call_nanos.empty()) {
    return absl::UnimplementedError(
        "this session does not time single kernel calls");
  }
  return std::move(sample.call_nanos);
}

absl::Status Session::Replace(const Artifact& /*artifact*/) {
  return absl::UnimplementedError("the session cannot replace a program");
}

absl::StatusOr<int64_t> Session::PeakResidentBytes() {
  return absl::UnimplementedError(
      "this session has no process of its own, so its memory is unknown");
}

absl::StatusOr<int64_t> Session::LoadNanos() {
  return absl::UnimplementedError("the session has not timed its loading");
}

}  // namespace assay::runtime
