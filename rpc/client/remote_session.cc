#include "rpc/client/remote_session.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "rpc/client/block/block_limit.h"
#include "rpc/transport/status.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

RemoteSession::RemoteSession(std::shared_ptr<LeaseConnection> connection,
                             Options options)
    : connection_(std::move(connection)),
      options_(std::move(options)),
      threads_(options_.request.threads()),
      run_nanos_(options_.programs.size()) {}

RemoteSession::~RemoteSession() {
  if (connection_->active != this) return;
  connection_->active = nullptr;
  if (connection_->status().ok()) connection_->device().Close(session_);
}

absl::Status RemoteSession::Note(const absl::Status& status) {
  const absl::Status held = connection_->Report();
  const absl::Status& error = held.ok() ? status : held;
  if (absl::IsAborted(error) || absl::IsCancelled(error) ||
      absl::IsInternal(error) || absl::IsDeadlineExceeded(error)) {
    broken_ = error;
    if (connection_->active == this) connection_->active = nullptr;
  }
  return error;
}

absl::Status RemoteSession::Open() {
  ASSAY_RETURN_IF_ERROR(broken_);
  ASSAY_RETURN_IF_ERROR(Note(absl::OkStatus()));
  if (connection_->active == this) return absl::OkStatus();
  // The device ends the active session, also if this call fails.
  connection_->active = nullptr;
  const absl::StatusOr<OpenAnswer> answer =
      connection_->device().Open(options_.request);
  if (ReasonOf(answer.status()) == ErrorInfo::NO_BLOB) {
    connection_->ForgetUploads();
    return Note(absl::AbortedError(
        absl::StrCat("an artifact is not on the device any more: ",
                     answer.status().message())));
  }
  if (!answer.ok()) return Note(answer.status());
  session_ = answer->session();
  threads_ = answer->threads();
  if (answer->has_load_nanos()) load_nanos_.push_back(answer->load_nanos());
  sent_digest_.clear();
  connection_->active = this;
  return absl::OkStatus();
}

absl::Status RemoteSession::Prepare() {
  ASSAY_RETURN_IF_ERROR(Open());
  if (sent_digest_ == inputs_digest_) return absl::OkStatus();
  return SendInputs();
}

absl::Status RemoteSession::SendInputs() {
  absl::Status status;
  // The device discards blobs that were not used for long.
  for (const bool again : {false, true}) {
    if (again) connection_->ForgetUploads();
    status = connection_->Upload(inputs_digest_, inputs_);
    if (status.ok()) {
      status = connection_->device().SetInputs(session_, inputs_digest_);
    }
    if (ReasonOf(status) != ErrorInfo::NO_BLOB) break;
  }
  if (!status.ok()) return Note(status);
  sent_digest_ = inputs_digest_;
  return absl::OkStatus();
}

absl::Status RemoteSession::SetInputs(const runtime::NamedTensors& inputs) {
  ASSAY_RETURN_IF_ERROR(broken_);
  const bool displaced = !session_.empty() && connection_->active != this;
  if (!displaced) ASSAY_RETURN_IF_ERROR(Open());
  std::string bytes = runtime::SerializeTensors(inputs);
  inputs_digest_ = Sha256Hex(bytes);
  inputs_ = std::move(bytes);
  // A session that does not run now gets its inputs when it is used.
  return displaced ? Note(absl::OkStatus()) : Prepare();
}

absl::StatusOr<BlockResult> RemoteSession::TakeBlock(
    const runtime::Block& block) {
  return connection_->device().RunBlock(
      session_, block, options_.programs,
      BlockLimitNanos(block, run_nanos_, options_.call_nanos));
}

absl::StatusOr<BlockResult> RemoteSession::TakeCoolBlock(
    const runtime::Block& block) {
  ThermalGuard::Device device;
  device.name = connection_->name();
  // A block without samples measures nothing.
  device.read_state = [this]() -> absl::StatusOr<DeviceState> {
    ASSAY_ASSIGN_OR_RETURN(BlockResult none, TakeBlock(runtime::Block()));
    return std::move(none.before);
  };
  device.sleep = [this](int64_t nanos) { return connection_->Sleep(nanos); };
  return options_.thermal->Run(device, [&] { return TakeBlock(block); });
}

absl::StatusOr<std::vector<runtime::Sample>> RemoteSession::RunBlock(
    const runtime::Block& block) {
  ASSAY_RETURN_IF_ERROR(Prepare());
  absl::StatusOr<BlockResult> result =
      options_.thermal == nullptr ? TakeBlock(block) : TakeCoolBlock(block);
  if (!result.ok()) return Note(result.status());
  for (size_t i = 0; i < result->samples.size(); ++i) {
    int64_t& longest = run_nanos_[block.samples[i].program];
    longest = std::max(longest,
                       static_cast<int64_t>(result->samples[i].NanosPerRun()));
  }
  const DeviceState& after = result->after;
  if (after.has_worker_peak_bytes() && after.worker_peak_bytes() > 0) {
    peak_bytes_ = std::max(peak_bytes_.value_or(0), after.worker_peak_bytes());
  }
  if (options_.observe != nullptr) options_.observe(*result);
  return std::move(result->samples);
}

absl::StatusOr<int64_t> RemoteSession::PeakResidentBytes() {
  if (!peak_bytes_.has_value()) return runtime::Session::PeakResidentBytes();
  return *peak_bytes_;
}

absl::StatusOr<int64_t> RemoteSession::LoadNanos() {
  if (session_.empty()) ASSAY_RETURN_IF_ERROR(Open());
  if (load_nanos_.empty()) return runtime::Session::LoadNanos();
  std::vector<int64_t> sorted = load_nanos_;
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size();
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

}  // namespace assay::rpc
