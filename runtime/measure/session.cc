#include "runtime/measure/session.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::runtime {

absl::StatusOr<Sample> RunOnce(Session& session, int program) {
  Block block;
  block.samples = {{program}};
  block.read_outputs = true;
  ASSAY_ASSIGN_OR_RETURN(std::vector<Sample> samples, session.RunBlock(block));
  if (samples.size() != 1) {
    return absl::InternalError("the device returned no sample");
  }
  return std::move(samples[0]);
}

absl::Status Session::Replace(const Artifact& /*artifact*/) {
  return absl::UnimplementedError("the session cannot replace a program");
}

absl::StatusOr<int64_t> Session::LoadNanos() {
  return absl::UnimplementedError("the session has not timed its loading");
}

}  // namespace assay::runtime
