// ServerStream: an AnswerStream (stream.h) as a reactor of gRPC.
//
//   grpc::ServerGenericBidiReactor* CreateReactor(
//       grpc::GenericCallbackServerContext* context) override {
//     return ServerStream::Create(context, gone)->reactor();
//   }
//
// The object lives until gRPC is done with the call and nobody else has a
// pointer to it. A call that is cancelled while it has no owner ends by itself.
// Thread-safe. It starts operations of gRPC while it holds its lock, which is
// that of one call: they do not wait, and gRPC runs their reactions in other
// threads.
#ifndef ASSAY_RPC_PROXY_SERVER_STREAM_H_
#define ASSAY_RPC_PROXY_SERVER_STREAM_H_

#include <functional>
#include <memory>
#include <mutex>

#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"
#include "rpc/proxy/call/stream.h"

namespace assay::rpc {

class ServerStream final : public AnswerStream,
                           private grpc::ServerGenericBidiReactor {
 public:
  // `gone` is called when gRPC is done with the call, which follows End().
  static std::shared_ptr<ServerStream> Create(
      grpc::CallbackServerContext* context, std::function<void()> gone);

  // What the method returns to gRPC.
  grpc::ServerGenericBidiReactor* reactor() { return this; }

  bool SetOwner(std::shared_ptr<AnswerOwner> owner) override;
  void Read() override;
  void Write(grpc::ByteBuffer message) override;
  void End(const grpc::Status& status) override;
  void Cancel() override;

 private:
  ServerStream(grpc::CallbackServerContext* context,
               std::function<void()> gone);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  // Requires the mutex.
  void EndLocked(const grpc::Status& status);

  grpc::CallbackServerContext* const context_;
  const std::function<void()> gone_;

  std::mutex mutex_;
  std::shared_ptr<ServerStream> self_;  // until OnDone()
  std::shared_ptr<AnswerOwner> owner_;
  grpc::ByteBuffer read_;
  grpc::ByteBuffer write_;
  bool writing_ = false;
  bool ended_ = false;
  bool done_ = false;
  grpc::Status status_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_SERVER_STREAM_H_
