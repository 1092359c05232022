// DeviceService: the service of device.proto, whose comments are the contract
// of the calls.
//
//   DeviceServiceOptions options;
//   options.guard = &guard;
//   …
//   DeviceService service(options);
//   ASSAY_ASSIGN_OR_RETURN(const auto listener,
//                          Listener::Start(listen, {&service}));
//   …
//   service.Stop();
//   listener->Stop(grace_nanos);
//
// The calls run on gRPC's threads, which never wait: one thread does all work
// (session_host.h). Therefore the number of threads does not depend on the
// number of calls, and the memory for each call is small until its lease was
// verified.
#ifndef ASSAY_RPC_SERVER_SERVICE_DEVICE_SERVICE_H_
#define ASSAY_RPC_SERVER_SERVICE_DEVICE_SERVICE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message_lite.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "rpc/program/connection_table.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/server/service/block_call.h"
#include "rpc/server/service/call.h"
#include "rpc/server/service/live_session.h"
#include "rpc/server/service/session_host.h"
#include "rpc/server/service/upload_call.h"
#include "rpc/server/trusted_keys_file.h"
#include "rpc/server/worker/block_request.h"

namespace assay::rpc {

struct DeviceServiceOptions {
  // Its objects, and those below, must outlive the service.
  HostOptions host = {};
  TrustedKeysFile* trusted = nullptr;
  // The connections of the listener; may be null.
  ConnectionTable* connections = nullptr;
  DeviceFacts facts = {};
  // Returns the state of the device. Called by one thread.
  std::function<DeviceState()> read_state = [] { return DeviceState(); };
  BlockLimits block = {};
  int max_threads = 1024;  // of a session
  size_t max_uploads = 8;  // at a time
  int max_digests = 1000;  // of a FindBlobs
};

// All methods but PutBlob receive the bytes of their requests.
using RawDevice = Device::WithRawCallbackMethod_FindBlobs<
    Device::WithCallbackMethod_PutBlob<Device::WithRawCallbackMethod_Open<
        Device::WithRawCallbackMethod_SetInputs<
            Device::WithRawCallbackMethod_RunBlock<
                Device::WithRawCallbackMethod_Close<Device::Service>>>>>>;

class DeviceService : public RawDevice {
 public:
  // Sets the listener of the guard, and `host.lease_changed`.
  explicit DeviceService(DeviceServiceOptions options);
  DeviceService(const DeviceService&) = delete;
  DeviceService& operator=(const DeviceService&) = delete;
  // The gRPC server must have stopped before.
  ~DeviceService() override;

  // For work that no session may disturb, see SessionHost.
  bool TryReserve() { return host_.TryReserve(); }
  void Unreserve() { host_.Unreserve(); }

  // Ends the session and the uploads. All calls fail from now on.
  void Stop();

 private:
  using Context = grpc::CallbackServerContext;
  using Bytes = grpc::ByteBuffer;
  using Unary = grpc::ServerUnaryReactor;

  Unary* FindBlobs(Context* context, const Bytes* request,
                   Bytes* answer) override;
  grpc::ServerReadReactor<PutBlobRequest>* PutBlob(
      Context* context, PutBlobAnswer* answer) override;
  Unary* Open(Context* context, const Bytes* request, Bytes* answer) override;
  Unary* SetInputs(Context* context, const Bytes* request,
                   Bytes* answer) override;
  grpc::ServerWriteReactor<Bytes>* RunBlock(Context* context,
                                            const Bytes* request) override;
  Unary* Close(Context* context, const Bytes* request, Bytes* answer) override;

  // Admits a call and parses its request. If this fails, the call has failed,
  // and the result is false.
  bool Begin(Context* context, const Bytes& bytes, UnaryCall* call,
             Caller* caller, google::protobuf::MessageLite* request,
             size_t max_bytes = size_t{4} << 10);

  // Checks the lease of a call, and marks the connection as known.
  absl::StatusOr<Caller> AdmitCaller(const Context& context);
  // Returns the error of a call whose lease has ended since it began.
  absl::Status CheckCaller(int64_t token);
  absl::Status FindAll(const FindBlobsRequest& request,
                       FindBlobsAnswer* answer);
  // Parses and runs a block in the task thread.
  absl::Status TakeBlock(LiveSession& session, BlockCall* call,
                         int64_t deadline_nanos);

  const DeviceServiceOptions options_;
  UploadList uploads_;
  SessionHost host_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_DEVICE_SERVICE_H_
