// FakeAnswerStream and FakeCallStream: streams without a network, for tests of
// those who own them. The test says what happens on the other side:
//
//   auto stream = std::make_shared<FakeAnswerStream>();
//   relay.Run(stream, start);
//   stream->Deliver("a message");    // answers a Read()
//   stream->FinishWrite();           // the message of a Write() is sent
//   stream->TakeWritten();           // what was written
//
// They check the rules of stream.h, and end the program if one is broken. An
// event that is not possible, such as a message that nobody reads, does nothing
// and returns false, so that a fuzz test can try all.
#ifndef ASSAY_RPC_PROXY_CALL_TESTING_FAKE_STREAMS_H_
#define ASSAY_RPC_PROXY_CALL_TESTING_FAKE_STREAMS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"
#include "rpc/proxy/call/stream.h"

namespace assay::rpc {

grpc::ByteBuffer ToBuffer(const std::string& bytes);
std::string ToString(const grpc::ByteBuffer& buffer);

class FakeAnswerStream : public AnswerStream {
 public:
  bool SetOwner(std::shared_ptr<AnswerOwner> owner) override;
  void Read() override;
  void Write(grpc::ByteBuffer message) override;
  void End(const grpc::Status& status) override;
  void Cancel() override { cancelled_ = true; }

  bool Deliver(const std::string& message);
  bool Deliver(const grpc::ByteBuffer& message);
  bool DeliverEnd();
  bool FinishWrite();
  // The call is cancelled by the other side.
  bool Disconnect();
  // gRPC is done with the call: forgets the owner.
  void Release() { owner_.reset(); }

  bool reading() const { return reading_; }
  bool writing() const { return writing_; }
  bool cancelled() const { return cancelled_; }
  bool ended() const { return status_.has_value(); }
  // Must be ended().
  const grpc::Status& status() const { return *status_; }
  // Returns the messages since the last call of this function.
  std::vector<std::string> TakeWritten();

 private:
  std::shared_ptr<AnswerOwner> owner_;
  bool reading_ = false;
  bool read_end_ = false;
  bool writing_ = false;
  bool disconnected_ = false;
  bool cancelled_ = false;
  std::vector<std::string> written_;
  std::optional<grpc::Status> status_;
};

class FakeCallStream : public CallStream {
 public:
  explicit FakeCallStream(CallOwner* owner) : owner_(owner) {}
  void Read() override;
  void Write(grpc::ByteBuffer message) override;
  void EndWrites() override;
  void Cancel() override { cancelled_ = true; }

  bool Deliver(const std::string& message);
  bool Deliver(const grpc::ByteBuffer& message);
  bool FinishWrite();
  // The call has ended.
  bool Finish(const grpc::Status& status);

  bool reading() const { return reading_; }
  bool writing() const { return writing_; }
  bool writes_ended() const { return writes_ended_; }
  bool cancelled() const { return cancelled_; }
  std::vector<std::string> TakeWritten();

 private:
  CallOwner* const owner_;
  bool reading_ = false;
  bool writing_ = false;
  bool writes_ended_ = false;
  bool cancelled_ = false;
  bool done_ = false;
  std::vector<std::string> written_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CALL_TESTING_FAKE_STREAMS_H_
