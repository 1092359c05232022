#include "suites/references/reference.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<runtime::NamedTensors> PreparedKernel::ReadOutputs() {
  ASSAY_ASSIGN_OR_RETURN(NDArray output, Output());
  return runtime::NamedTensors{{"out", std::move(output)}};
}

}  // namespace assay::suites
