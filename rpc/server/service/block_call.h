// BlockCall: a RunBlock call, which streams its answer.
//
// The task thread sends one message after another and waits until each one was
// taken by gRPC, so the server holds one message at a time, however large the
// outputs are. A client that does not read stops the task thread, but only
// until the deadline of its call or the end of its lease.
#ifndef ASSAY_RPC_SERVER_SERVICE_BLOCK_CALL_H_
#define ASSAY_RPC_SERVER_SERVICE_BLOCK_CALL_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/server/service/live_session.h"
#include "rpc/server/worker/worker_session.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

// Deletes itself at its end.
class BlockCall : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  BlockCall(grpc::CallbackServerContext* context, grpc::ByteBuffer request)
      : context_(context), request_(std::move(request)) {}

  const std::shared_ptr<CallState>& state() const { return state_; }
  const grpc::ByteBuffer& request() const { return request_; }

  // Sends a message, and waits until gRPC has taken it. Returns Cancelled if
  // the client is gone. If `interrupt` is raised while the client does not
  // read, the call is cancelled.
  absl::Status Send(const RunBlockAnswer& answer,
                    const runtime::Interrupt& interrupt);

  // Must be called once. The object may be gone then.
  void End(const absl::Status& status);

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override { state_->Cancel(); }
  void OnDone() override { delete this; }

  grpc::CallbackServerContext* const context_;
  const grpc::ByteBuffer request_;
  const std::shared_ptr<CallState> state_ = std::make_shared<CallState>();

  grpc::ByteBuffer message_;  // must exist until it was written
  std::mutex mutex_;
  std::condition_variable written_;
  bool writing_ = false;
  bool ok_ = true;
};

// Sends the results of a block.
class BlockStream : public BlockSink {
 public:
  // All arguments must outlive the object. `read_state` returns the state of
  // the device. The constructor reads the state before the block.
  BlockStream(BlockCall* call, const runtime::Interrupt* interrupt,
              const std::function<DeviceState()>& read_state);

  void Measured() override;
  void TakePeakMemory(int64_t bytes) override;
  absl::Status TakeSample(const runtime::Sample& sample,
                          int64_t outputs_size) override;
  absl::Status TakeOutputs(std::string bytes) override;

  // Sends the state after the block. Requires Measured().
  absl::Status Finish();

 private:
  absl::Status SendState(const DeviceState& state);
  // Nothing is sent before the last sample was taken, because that would
  // disturb the measurement.
  absl::Status SendFirst();

  BlockCall* const call_;
  const runtime::Interrupt& interrupt_;
  const std::function<DeviceState()>& read_state_;
  bool sent_first_ = false;
  DeviceState before_, after_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_BLOCK_CALL_H_
