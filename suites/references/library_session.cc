#include "suites/references/library_session.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
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

absl::StatusOr<runtime::NamedTensors> PreparedKernel::ReadOutputs() {
  ASSAY_ASSIGN_OR_RETURN(NDArray output, Output());
  return runtime::NamedTensors{{"out", std::move(output)}};
}

ModelSession::ModelSession(const runtime::NamedTensors& inputs, int threads,
                           PinnedWorkers* workers)
    : LibrarySession(threads, workers) {
  for (const runtime::NamedTensor& input : inputs) {
    inputs_.push_back({input.name, input.value.Clone()});
  }
}

absl::Status ModelSession::SetInputs(const runtime::NamedTensors& inputs) {
  for (runtime::NamedTensor& input : inputs_) {
    const NDArray* value = runtime::FindTensor(inputs, input.name);
    if (value == nullptr || value->num_bytes() != input.value.num_bytes()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no value of the right size for input `", input.name, "`"));
    }
    std::memcpy(input.value.raw(), value->raw(), value->num_bytes());
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
