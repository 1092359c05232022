#include "suites/references/reference.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<int64_t> PreparedKernel::TimeRuns(int /*program*/,
                                                 int64_t number,
                                                 bool /*poison_outputs*/) {
  return TimeLoop(number, [this] { return Run(); });
}

absl::StatusOr<runtime::NamedTensors> PreparedKernel::Outputs(int /*program*/) {
  ASSAY_ASSIGN_OR_RETURN(NDArray output, Output());
  return runtime::NamedTensors{{"out", std::move(output)}};
}

}  // namespace assay::suites
