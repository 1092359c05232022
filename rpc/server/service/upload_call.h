// UploadCall: a PutBlob call, which receives a blob in chunks.
//
// Each chunk is written by the task thread, and the next one is read after
// that, so the server holds one chunk of each upload. The number of uploads at
// a time is limited, and those whose leases have ended are cancelled, so that
// an earlier holder cannot keep the next one from uploading.
#ifndef ASSAY_RPC_SERVER_SERVICE_UPLOAD_CALL_H_
#define ASSAY_RPC_SERVER_SERVICE_UPLOAD_CALL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "rpc/proto/device.pb.h"
#include "rpc/server/blob_store.h"

namespace assay::rpc {

// The largest chunk.
constexpr size_t kMaxChunkBytes = size_t{1} << 20;

// A call that can be cancelled by any thread, also after its end.
class CancelHandle {
 public:
  CancelHandle(grpc::CallbackServerContext* context, int64_t token)
      : token(token), context_(context) {}

  const int64_t token;

  void Cancel();
  // The call has ended.
  void Forget();

 private:
  // gRPC may call Forget() within Cancel().
  std::recursive_mutex mutex_;
  grpc::CallbackServerContext* context_;
};

// The uploads that run. Thread-safe.
class UploadList {
 public:
  using Handle = std::shared_ptr<CancelHandle>;

  explicit UploadList(size_t max_uploads) : max_uploads_(max_uploads) {}

  // Returns ResourceExhausted if there are too many uploads of this lease.
  absl::StatusOr<Handle> Add(grpc::CallbackServerContext* context,
                             int64_t token);
  void Remove(const Handle& handle);
  // Cancels all uploads whose token is not valid.
  void CancelUnless(const std::function<bool(int64_t token)>& valid);

 private:
  const size_t max_uploads_;
  std::mutex mutex_;
  std::set<Handle> uploads_;
};

// Returns InvalidArgument if a message of an upload, the first one if `first`,
// is not valid.
absl::Status CheckChunk(const PutBlobRequest& request, bool first);

// Appends the bytes of a request to the blob. An earlier upload that claimed
// another size is discarded, because one of both is wrong and the other one
// must not be blocked. Returns the state, or the errors of PutBlob.
absl::StatusOr<BlobState> AppendChunk(BlobStore& blobs,
                                      const std::string& digest, int64_t size,
                                      int64_t offset, absl::string_view bytes);

// Deletes itself at its end.
class UploadCall : public grpc::ServerReadReactor<PutBlobRequest> {
 public:
  struct Options {
    BlobStore* blobs = nullptr;
    UploadList* uploads = nullptr;
    // Returns an error when the lease has ended.
    std::function<absl::Status()> check_lease = {};
    // Performs a task in the task thread. Returns false if too many wait.
    std::function<bool(std::function<void()>)> post = {};
  };

  // Starts to read. `handle` is that of UploadList::Add().
  UploadCall(Options options, UploadList::Handle handle);
  // Fails with the error.
  explicit UploadCall(const absl::Status& error);

 private:
  void OnReadDone(bool ok) override;
  void OnDone() override;

  // Checks a message in a thread of gRPC.
  absl::Status Receive();
  // Appends the chunk in the task thread.
  void Append();
  // Ends the call. The object may be gone then.
  void End(const absl::Status& status);

  const Options options_;
  const UploadList::Handle handle_;  // null if the call has failed
  PutBlobRequest request_;
  bool first_ = true;
  std::string digest_;
  int64_t size_ = 0;
  int64_t offset_ = 0;  // of the next chunk
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_UPLOAD_CALL_H_
