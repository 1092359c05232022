// ClientStream: a CallStream (stream.h) by a completion queue of gRPC, for a
// method that is known by its name only.
//
//   auto context = std::make_unique<grpc::ClientContext>();
//   ClientStream stream(channel, method, std::move(context), &queue, &owner);
//   stream.Read();
//   …
//   void* tag = nullptr;
//   bool ok = false;
//   queue.Next(&tag, &ok);
//   ClientStream::Complete(tag, ok);   // reports to the owner
//
// The owner must read: gRPC tells the end of a call only after all messages
// that the server has sent before.
//
// Must not be deleted before OnDone(), and not from within an event. Not
// thread-safe: belongs to the thread of the queue.
#ifndef ASSAY_RPC_PROXY_CLIENT_STREAM_H_
#define ASSAY_RPC_PROXY_CLIENT_STREAM_H_

#include <memory>
#include <optional>
#include <string>

#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"
#include "rpc/proxy/call/stream.h"

namespace assay::rpc {

class ClientStream final : public CallStream {
 public:
  // Starts the call. The operations may be used at once.
  ClientStream(const std::shared_ptr<grpc::Channel>& channel,
               const std::string& method,
               std::unique_ptr<grpc::ClientContext> context,
               grpc::CompletionQueue* queue, CallOwner* owner);
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;
  ~ClientStream() override;

  // To be called with each tag of the queue.
  static void Complete(void* tag, bool ok);

  void Read() override;
  void Write(grpc::ByteBuffer message) override;
  void EndWrites() override;
  void Cancel() override;

 private:
  enum class Operation {
    kStart,
    kMetadata,
    kRead,
    kWrite,
    kEndWrites,
    kFinish
  };
  struct Tag {
    ClientStream* stream = nullptr;
    Operation operation = Operation::kStart;
  };

  void OnComplete(Operation operation, bool ok);
  void OnStarted(bool ok);
  void StartFinish();

  CallOwner* const owner_;
  const std::unique_ptr<grpc::ClientContext> context_;
  Tag start_ = {this, Operation::kStart};
  Tag metadata_ = {this, Operation::kMetadata};
  Tag read_ = {this, Operation::kRead};
  Tag write_ = {this, Operation::kWrite};
  Tag end_writes_ = {this, Operation::kEndWrites};
  Tag finish_ = {this, Operation::kFinish};
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;

  int pending_ = 0;  // operations in flight
  bool started_ = false;
  bool over_ = false;  // no more operations are started
  bool done_ = false;
  grpc::ByteBuffer message_;
  grpc::Status status_;
  // Operations that were called before the call had started.
  bool want_read_ = false;
  bool want_end_writes_ = false;
  std::optional<grpc::ByteBuffer> want_write_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CLIENT_STREAM_H_
