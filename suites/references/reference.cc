#include "suites/references/reference.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<Affinity> PreparedKernel::StartWorkers() {
  ASSAY_RETURN_IF_ERROR(TimeRuns(/*program=*/0, /*number=*/1,
                                 /*poison_outputs=*/false)
                            .status());
  const bool pinned = workers_ == nullptr || workers_->Pin(threads_);
  return pinned ? Affinity::kPinned : Affinity::kFree;
}

absl::StatusOr<int64_t> PreparedKernel::TimeRuns(int /*program*/,
                                                 int64_t number,
                                                 bool /*poison_outputs*/) {
  const auto time = [&] { return TimeLoop(number, [this] { return Run(); }); };
  if (workers_ == nullptr) return time();
  workers_->Pin(threads_);
  return workers_->Watch(time);
}

absl::StatusOr<runtime::NamedTensors> PreparedKernel::Outputs(int /*program*/) {
  const auto read = [this] { return Output(); };
  ASSAY_ASSIGN_OR_RETURN(NDArray output,
                         workers_ == nullptr ? read() : workers_->Watch(read));
  return runtime::NamedTensors{{"out", std::move(output)}};
}

}  // namespace assay::suites
