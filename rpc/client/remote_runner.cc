#include "rpc/client/remote_runner.h"

#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

absl::StatusOr<std::unique_ptr<RemoteRunner>> RemoteRunner::Create(
    RemoteOptions options) {
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<TrackerClient> tracker,
                         TrackerClient::Open(options.tracker));
  return absl::WrapUnique(
      new RemoteRunner(std::move(options), std::move(tracker)));
}

RemoteRunner::RemoteRunner(RemoteOptions options,
                           std::unique_ptr<TrackerClient> tracker)
    : options_(std::move(options)), tracker_(std::move(tracker)) {}

RemoteRunner::~RemoteRunner() {
  if (connection_ != nullptr) connection_->Release();
}

absl::Status RemoteRunner::Acquire() {
  std::shared_ptr<LeaseConnection> old;
  {
    const absl::MutexLock lock(&mutex_);
    old = std::move(connection_);
    acquiring_ = true;
  }
  if (old != nullptr) old->Release();
  LeaseEvents events;
  events.place = options_.place;
  events.notify = options_.notify;
  const DeviceClientOptions device = {
      options_.call_seconds, options_.patience_seconds, options_.notify};
  absl::StatusOr<std::shared_ptr<LeaseConnection>> connection =
      LeaseConnection::Open(tracker_.get(), options_.tracker.transport,
                            options_.wish, events, device, &cancellation_);
  const absl::Status cancelled = cancellation_.status();
  if (!cancelled.ok()) {
    if (connection.ok()) (*connection)->Release();
    connection = cancelled;
  }
  const absl::MutexLock lock(&mutex_);
  acquiring_ = false;
  ASSAY_RETURN_IF_ERROR(connection.status());
  throttled_ = false;
  const runtime::DeviceFacts& facts = (*connection)->facts();
  if (fingerprint_.empty()) fingerprint_ = facts.fingerprint;
  if (facts.fingerprint != fingerprint_) {
    return absl::FailedPreconditionError(
        absl::StrCat("the tracker lends ", (*connection)->name(),
                     ", a machine of the kind ", facts.fingerprint,
                     ", but this run began on one of the kind ", fingerprint_));
  }
  thermal_.reset();
  if (options_.thermal.has_value() && !facts.emulated) {
    thermal_.emplace(*options_.thermal, options_.notify, Clock::Monotonic());
  }
  connection_ = *std::move(connection);
  return absl::OkStatus();
}

absl::Status RemoteRunner::Connect() { return no_lease_ = Acquire(); }

absl::Status RemoteRunner::EnsureLease() {
  ASSAY_RETURN_IF_ERROR(cancellation_.status());
  ASSAY_RETURN_IF_ERROR(no_lease_);
  if (!connection_->reported()) return connection_->Report();
  no_lease_ = Acquire();
  return no_lease_;
}

runtime::DeviceFacts RemoteRunner::facts() const {
  const absl::MutexLock lock(&mutex_);
  return connection_ == nullptr ? runtime::DeviceFacts() : connection_->facts();
}

absl::StatusOr<RemoteRunner::Blob> RemoteRunner::Provide(
    const runtime::Artifact& artifact, const std::string& known_digest) {
  const std::string digest =
      known_digest.empty() ? runtime::Digest(artifact) : known_digest;
  const auto known = blobs_.find(digest);
  if (known != blobs_.end() && connection_->HasUploaded(known->second.digest)) {
    return known->second;
  }
  ASSAY_RETURN_IF_ERROR(runtime::Validate(artifact));
  const std::string bytes = runtime::Serialize(artifact);
  Blob blob;
  blob.digest = Sha256Hex(bytes);
  blob.limits = LimitsOf(artifact);
  if (options_.signing_key.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(
        blob.signature,
        options_.signing_key->Sign(SignaturePurpose::kArtifact, blob.digest));
  }
  ASSAY_RETURN_IF_ERROR(connection_->Upload(blob.digest, bytes));
  blobs_[digest] = blob;
  return blob;
}

absl::StatusOr<OpenRequest> RemoteRunner::RequestFor(
    absl::Span<const runtime::Artifact* const> artifacts,
    const runtime::LoadOptions& options, std::vector<ProgramLimits>* programs) {
  OpenRequest request;
  request.set_threads(options.threads);
  request.set_placement_seed(options.placement_seed);
  programs->clear();
  for (const runtime::Artifact* artifact : artifacts) {
    ASSAY_ASSIGN_OR_RETURN(
        const Blob blob,
        Provide(*artifact, artifacts.size() == 1 ? options.artifact_digest
                                                 : std::string()));
    OpenRequest::Artifact* sent = request.add_artifacts();
    sent->set_digest(blob.digest);
    sent->set_signature(blob.signature);
    programs->push_back(blob.limits);
  }
  return request;
}

absl::StatusOr<std::unique_ptr<RemoteSession>> RemoteRunner::NewSession(
    absl::Span<const runtime::Artifact* const> artifacts,
    const runtime::LoadOptions& options) {
  RemoteSession::Options session_options;
  absl::StatusOr<OpenRequest> request =
      RequestFor(artifacts, options, &session_options.programs);
  if (!request.ok()) {
    // A lost lease explains all other errors.
    ASSAY_RETURN_IF_ERROR(connection_->Report());
    return request.status();
  }
  session_options.request = *std::move(request);
  session_options.call_nanos =
      static_cast<int64_t>(options_.call_seconds * 1e9);
  if (thermal_.has_value()) session_options.thermal = &*thermal_;
  session_options.observe = [this](const BlockResult& r) { Observe(r); };
  return std::make_unique<RemoteSession>(connection_,
                                         std::move(session_options));
}

absl::StatusOr<std::unique_ptr<runtime::Session>> RemoteRunner::Load(
    absl::Span<const runtime::Artifact* const> artifacts,
    const runtime::LoadOptions& options) {
  CHECK(artifacts.size() == 1 || artifacts.size() == 2);
  ASSAY_RETURN_IF_ERROR(EnsureLease());
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<RemoteSession> session,
                         NewSession(artifacts, options));
  if (options.deferred) return session;
  absl::Status opened = session->Open();
  // The device discards blobs that were not used for long.
  if (absl::IsAborted(opened) && connection_->status().ok()) {
    ASSAY_ASSIGN_OR_RETURN(session, NewSession(artifacts, options));
    opened = session->Open();
  }
  ASSAY_RETURN_IF_ERROR(opened);
  return session;
}

void RemoteRunner::Observe(const BlockResult& result) {
  if (options_.observe != nullptr) options_.observe(result);
  const bool discarded = thermal_.has_value() && thermal_->discarded() > 0;
  if (throttled_ || options_.remark == nullptr) return;
  if (!discarded && !result.before.throttled() && !result.after.throttled()) {
    return;
  }
  throttled_ = true;
  options_.remark(absl::StrCat(
      connection_->name(),
      " lowered its clock rate while it measured, because it is too hot or "
      "its supply voltage is too low",
      discarded ? "; the samples were discarded and taken again" : ""));
}

void RemoteRunner::Cancel() {
  cancellation_.Cancel(absl::CancelledError("the run was cancelled"));
  std::shared_ptr<LeaseConnection> connection;
  {
    const absl::MutexLock lock(&mutex_);
    const auto settled = [this] { return !acquiring_; };
    mutex_.AwaitWithTimeout(absl::Condition(&settled), absl::Seconds(2));
    connection = connection_;
  }
  if (connection != nullptr) connection->Release();
}

}  // namespace assay::rpc
