#include "rpc/server/service/upload_call.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "rpc/transport/status.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

void CancelHandle::Cancel() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (context_ != nullptr) context_->TryCancel();
}

void CancelHandle::Forget() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  context_ = nullptr;
}

absl::StatusOr<UploadList::Handle> UploadList::Add(
    grpc::CallbackServerContext* context, int64_t token) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto same = std::count_if(
      uploads_.begin(), uploads_.end(),
      [token](const Handle& handle) { return handle->token == token; });
  if (static_cast<size_t>(same) >= max_uploads_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there are ", same, " uploads at a time already"));
  }
  auto handle = std::make_shared<CancelHandle>(context, token);
  uploads_.insert(handle);
  return handle;
}

void UploadList::Remove(const Handle& handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  uploads_.erase(handle);
}

void UploadList::CancelUnless(const std::function<bool(int64_t)>& valid) {
  std::vector<Handle> cancelled;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Handle& handle : uploads_) {
      if (!valid(handle->token)) cancelled.push_back(handle);
    }
  }
  for (const Handle& handle : cancelled) handle->Cancel();
}

absl::Status CheckChunk(const PutBlobRequest& request, bool first) {
  if (request.bytes().size() > kMaxChunkBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a chunk has ", request.bytes().size(),
                     " bytes, and the limit is ", kMaxChunkBytes));
  }
  if (!first) return absl::OkStatus();
  if (!IsSha256Hex(request.digest())) {
    return absl::InvalidArgumentError("`digest` is not a SHA-256");
  }
  if (request.size() < 0 || request.offset() < 0 ||
      request.offset() > request.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the offset ", request.offset(),
                     " is not within the size ", request.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<BlobState> AppendChunk(BlobStore& blobs,
                                      const std::string& digest, int64_t size,
                                      int64_t offset, absl::string_view bytes) {
  ASSAY_ASSIGN_OR_RETURN(const BlobState state, blobs.Find(digest));
  if (state.kind == BlobState::Kind::kPartial && state.size != size) {
    ASSAY_RETURN_IF_ERROR(blobs.Discard(digest));
    if (offset != 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "an earlier upload of `", digest,
          "` had another size and was discarded; begin again at offset 0"));
    }
  }
  return blobs.Append(digest, size, offset, bytes);
}

UploadCall::UploadCall(Options options, UploadList::Handle handle)
    : options_(std::move(options)), handle_(std::move(handle)) {
  StartRead(&request_);
}

UploadCall::UploadCall(const absl::Status& error) { Finish(ToGrpc(error)); }

void UploadCall::OnReadDone(bool ok) {
  absl::Status status;
  if (ok) {
    status = Receive();
  } else {
    // The client is gone, or has sent everything.
    status = absl::InvalidArgumentError(
        first_ ? "the upload has no messages"
               : absl::StrCat("the upload ended after ", offset_, " of ", size_,
                              " bytes"));
  }
  if (status.ok() && !options_.post([this] { Append(); })) {
    status = absl::ResourceExhaustedError(
        "too many calls wait for the device; repeat the call later");
  }
  if (!status.ok()) End(status);
}

absl::Status UploadCall::Receive() {
  ASSAY_RETURN_IF_ERROR(options_.check_lease());
  ASSAY_RETURN_IF_ERROR(CheckChunk(request_, first_));
  if (!std::exchange(first_, false)) return absl::OkStatus();
  digest_ = request_.digest();
  size_ = request_.size();
  offset_ = request_.offset();
  return absl::OkStatus();
}

void UploadCall::Append() {
  const auto state =
      AppendChunk(*options_.blobs, digest_, size_, offset_, request_.bytes());
  if (!state.ok()) {
    End(state.status());
  } else if (state->kind == BlobState::Kind::kComplete) {
    End(absl::OkStatus());
  } else {
    offset_ = state->bytes;
    request_.Clear();
    StartRead(&request_);
  }
}

void UploadCall::End(const absl::Status& status) {
  // A client that knows the end of an upload may begin the next one, whenever
  // gRPC calls OnDone().
  options_.uploads->Remove(handle_);
  Finish(ToGrpc(status));
}

void UploadCall::OnDone() {
  if (handle_ != nullptr) {
    handle_->Forget();
    options_.uploads->Remove(handle_);
  }
  delete this;
}

}  // namespace assay::rpc
