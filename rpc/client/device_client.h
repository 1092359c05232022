// DeviceClient: calls the server of a device for the holder of a lease.
//
//   DeviceClient device(channel, keeper.get(), options);
//   ASSAY_RETURN_IF_ERROR(device.Upload(digest, bytes));
//   ASSAY_ASSIGN_OR_RETURN(const OpenAnswer session, device.Open(request));
//   ASSAY_RETURN_IF_ERROR(device.SetInputs(session.session(), digest));
//   ASSAY_ASSIGN_OR_RETURN(
//       const BlockResult result,
//       device.RunBlock(session.session(), block, programs, timeout_nanos));
//
// Every call has a deadline, and is repeated while the device is not available
// if device.proto permits it. A device that does not answer for
// `patience_seconds` is given up together with its lease.
//
// Errors:
//   - Aborted: the lease is lost, a block was cut off, or the device has ended
//     the session. The samples since the last Open() are void, and the
//     measurement must start again. status() of the LeaseKeeper tells whether
//     the lease is lost.
//   - DeadlineExceeded: the device did not finish in time.
//   - Internal: the worker failed, or the device gave an unexpected answer.
//   - others: as in device.proto.
// All errors except Aborted begin with the name of the device.
//
// What a device sends is not trusted: sizes and counts are limited, and texts
// are made printable. Thread-safe.
#ifndef ASSAY_RPC_CLIENT_DEVICE_CLIENT_H_
#define ASSAY_RPC_CLIENT_DEVICE_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "rpc/client/block/block_reader.h"
#include "rpc/client/lease_keeper.h"
#include "rpc/client/retry.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proto/device.pb.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

struct DeviceClientOptions {
  // The limit of a call that starts a worker or runs a program.
  double call_seconds = 120;
  // How long a device may be not available before it is given up.
  double patience_seconds = 30;
  Notify notify = nullptr;
};

class DeviceClient {
 public:
  // `keeper` must outlive the object.
  DeviceClient(const std::shared_ptr<grpc::Channel>& channel,
               LeaseKeeper* keeper, DeviceClientOptions options);
  DeviceClient(const DeviceClient&) = delete;
  DeviceClient& operator=(const DeviceClient&) = delete;

  // Uploads a blob unless the device has it. An upload that is cut off
  // continues where it stopped. `digest` is the SHA-256 of `bytes` in
  // hexadecimal.
  absl::Status Upload(const std::string& digest, absl::string_view bytes);

  absl::StatusOr<OpenAnswer> Open(const OpenRequest& request);

  absl::Status SetInputs(const std::string& session, const std::string& digest);

  // `programs` has the limits of each program of the session. Requires that the
  // block names no others. Returns InvalidArgument if the block is too large.
  absl::StatusOr<BlockResult> RunBlock(
      const std::string& session, const runtime::Block& block,
      const std::vector<ProgramLimits>& programs, int64_t timeout_nanos);

  // Ends a session, for at most two seconds. Errors are ignored, because the
  // device ends it with the lease at the latest.
  void Close(const std::string& session);

  // Shows the renewed lease to the device, which would otherwise not learn of
  // it during a long block. Takes at most two seconds, and at most a fifth of
  // the duration of the lease, because it keeps the lease from being renewed.
  void ShowLease();

  std::string device() const { return keeper_->lease().name.device(); }

 private:
  // Calls `call` once, with the metadata and the deadline of a call.
  absl::Status CallOnce(
      int64_t timeout_nanos,
      absl::FunctionRef<grpc::Status(grpc::ClientContext*)> call);
  // Repeats a call while the device is not available.
  absl::Status Repeat(absl::FunctionRef<absl::Status()> call);
  absl::Status RepeatCall(
      absl::FunctionRef<grpc::Status(grpc::ClientContext*)> call);
  // Returns the error for the user.
  absl::Status ErrorOf(const absl::Status& status);

  absl::StatusOr<FindBlobsAnswer::Blob> FindBlob(const std::string& digest,
                                                 int64_t size);
  absl::Status PutBlob(const std::string& digest, absl::string_view bytes,
                       int64_t offset);
  grpc::Status SendChunks(grpc::ClientContext* context,
                          const std::string& digest, absl::string_view bytes,
                          int64_t offset);

  LeaseKeeper* const keeper_;
  const DeviceClientOptions options_;
  const std::unique_ptr<Device::Stub> stub_;
  const Address address_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_DEVICE_CLIENT_H_
