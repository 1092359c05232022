#include "suites/references/library_session.h"

#include "runtime/base/status_macros.h"

namespace assay::suites {

Affinity LibrarySession::PinWorkers() {
  const bool pinned = workers_ == nullptr || workers_->Pin(threads_);
  return pinned ? Affinity::kPinned : Affinity::kFree;
}

absl::StatusOr<Affinity> LibrarySession::StartWorkers() {
  ASSAY_RETURN_IF_ERROR(TimeRuns(/*program=*/0, /*number=*/1,
                                 /*poison_outputs=*/false)
                            .status());
  return PinWorkers();
}

absl::StatusOr<int64_t> LibrarySession::TimeRuns(int /*program*/,
                                                 int64_t number,
                                                 bool /*poison_outputs*/) {
  const auto time = [&] { return TimeLoop(number, [this] { return Run(); }); };
  if (workers_ == nullptr) return time();
  workers_->Pin(threads_);
  return workers_->Watch(time);
}

absl::StatusOr<runtime::NamedTensors> LibrarySession::Outputs(int /*program*/) {
  const auto read = [this] { return ReadOutputs(); };
  return workers_ == nullptr ? read() : workers_->Watch(read);
}

}  // namespace assay::suites
