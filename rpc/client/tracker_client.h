// TrackerClient: makes single calls at the tracker for the user who wants to
// measure. Nothing is repeated here (retry.h, lease_keeper.h).
//
//   ASSAY_ASSIGN_OR_RETURN(const auto tracker, TrackerClient::Open(options));
//   ASSAY_ASSIGN_OR_RETURN(
//       const Lease lease,
//       tracker->Acquire(request, timeout_nanos, &cancellation, place));
//   …
//   ASSAY_RETURN_IF_ERROR(tracker->Release(name, timeout_nanos));
//
// The errors are those of tracker.proto, and DeadlineExceeded after the
// timeout. Thread-safe.
#ifndef ASSAY_RPC_CLIENT_TRACKER_CLIENT_H_
#define ASSAY_RPC_CLIENT_TRACKER_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "grpcpp/channel.h"
#include "rpc/client/cancellation.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/client_options.h"

namespace assay::rpc {

class TrackerClient {
 public:
  // Connects at the first call. Returns the errors of OpenChannel().
  static absl::StatusOr<std::unique_ptr<TrackerClient>> Open(
      const ClientOptions& options);
  TrackerClient(const TrackerClient&) = delete;
  TrackerClient& operator=(const TrackerClient&) = delete;

  // Waits for a lease. `place` receives each change of the place in the queue.
  // Returns Internal if the tracker ends the stream without a lease.
  absl::StatusOr<Lease> Acquire(
      const AcquireRequest& request, int64_t timeout_nanos,
      Cancellation* cancellation,
      absl::FunctionRef<void(const Place& place)> place);

  // Gives up a request whose call of Acquire() has failed.
  absl::Status Withdraw(const std::string& ticket, int64_t timeout_nanos);

  absl::StatusOr<Lease> Renew(const LeaseName& name, int64_t timeout_nanos,
                              Cancellation* cancellation);

  absl::Status Release(const LeaseName& name, int64_t timeout_nanos);

 private:
  TrackerClient(ClientOptions options, std::shared_ptr<grpc::Channel> channel);

  void Prepare(int64_t timeout_nanos, grpc::ClientContext* context);
  // Reads the file of the token again, because the token may have been
  // replaced. If the file cannot be read, the last token remains in use.
  std::string Token();

  const ClientOptions options_;
  const std::unique_ptr<Tracker::Stub> stub_;
  absl::Mutex mutex_;
  std::string token_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_TRACKER_CLIENT_H_
