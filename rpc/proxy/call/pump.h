// Pump: moves messages from one stream to another, in one direction.
//
//   Pump pump([&] { from->Read(); },
//             [&](grpc::ByteBuffer message) { to->Write(std::move(message)); },
//             [&] { to->EndWrites(); });
//
// The functions start operations, and the owner of the streams reports their
// ends. While one message is being written, the next one is read, and no more:
// a pump holds at most one message besides the one that is being written. A
// reader that is slow therefore slows down the sender.
//
// The functions are called by the thread that reports an event. They must not
// report events themselves. Not thread-safe.
#ifndef ASSAY_RPC_PROXY_CALL_PUMP_H_
#define ASSAY_RPC_PROXY_CALL_PUMP_H_

#include <functional>
#include <optional>

#include "grpcpp/support/byte_buffer.h"

namespace assay::rpc {

class Pump {
 public:
  // `end` is called once, when OnEnd() was called and all messages are written.
  Pump(std::function<void()> read, std::function<void(grpc::ByteBuffer)> write,
       std::function<void()> end);

  // A message was read. The first one may also come from elsewhere: it starts
  // the pump.
  void OnRead(grpc::ByteBuffer message);
  // There are no more messages. The last OnRead() came before.
  void OnEnd();
  // The message of the last call of `write` is written. Ignored if none is
  // being written.
  void OnWritten();

  bool writing() const { return writing_; }

 private:
  void WriteAndReadNext(grpc::ByteBuffer message);

  const std::function<void()> read_;
  const std::function<void(grpc::ByteBuffer)> write_;
  const std::function<void()> end_;
  bool writing_ = false;
  bool ended_ = false;
  std::optional<grpc::ByteBuffer> held_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CALL_PUMP_H_
