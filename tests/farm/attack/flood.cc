#include "tests/farm/attack/flood.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/channel_arguments.h"
#include "rpc/names/metadata.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

std::chrono::system_clock::time_point Deadline() {
  return std::chrono::system_clock::now() + kPatience;
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenForeignChannel(
    const rpc::Transport& transport, const std::string& endpoint) {
  ASSAY_ASSIGN_OR_RETURN(const auto credentials,
                         rpc::MakeChannelCredentials(transport, endpoint));
  grpc::ChannelArguments arguments;
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(endpoint, credentials, arguments);
}

absl::StatusOr<IdleConnections> IdleConnections::Open(int port, int count) {
  IdleConnections connections;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < count; ++i) {
    const int fd =
        socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the attacker cannot open ", count, " connections"));
    }
    connections.fds_.push_back(fd);
    // The kernel answers for the program.
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) !=
            0 &&
        errno != EINPROGRESS) {
      return absl::ErrnoToStatus(errno, "cannot connect");
    }
  }
  return connections;
}

IdleConnections::IdleConnections(IdleConnections&& other) noexcept {
  std::swap(fds_, other.fds_);
}

IdleConnections::~IdleConnections() {
  for (const int fd : fds_) close(fd);
}

int IdleConnections::CountOpen() const {
  int count = 0;
  for (const int fd : fds_) {
    pollfd wait = {fd, POLLRDHUP, 0};
    if (poll(&wait, 1, 0) == 0) ++count;
  }
  return count;
}

struct OpenStreams::Stream {
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;
  grpc::ByteBuffer answer;
};

bool OpenStreams::Next() {
  void* tag = nullptr;
  bool ok = false;
  return queue_.Next(&tag, &ok) && ok;
}

OpenStreams::OpenStreams(const std::shared_ptr<grpc::Channel>& channel,
                         const std::string& method, int count) {
  grpc::GenericStub stub(channel);
  for (int i = 0; i < count; ++i) {
    streams_.push_back(std::make_unique<Stream>());
    Stream& stream = *streams_.back();
    stream.context.set_deadline(Deadline());
    stream.call = stub.PrepareCall(&stream.context, method, &queue_);
    stream.call->StartCall(nullptr);
    Next();
    const grpc::Slice empty;
    stream.call->Write(grpc::ByteBuffer(&empty, 1), nullptr);
    Next();
    stream.call->Read(&stream.answer, nullptr);
    Next();
  }
}

OpenStreams::~OpenStreams() {
  for (const auto& stream : streams_) {
    grpc::Status status;
    stream->context.TryCancel();
    stream->call->Finish(&status, nullptr);
    Next();
  }
}

absl::Status SendCompressed(const std::shared_ptr<grpc::Channel>& channel,
                            const std::string& method,
                            const std::string& device, size_t bytes) {
  grpc::ClientContext context;
  context.set_deadline(Deadline());
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  if (!device.empty()) context.AddMetadata(rpc::kDeviceMetadata, device);
  grpc::CompletionQueue queue;
  grpc::GenericStub stub(channel);
  const grpc::Slice slice(std::string(bytes, 'x'));
  const auto call = stub.PrepareUnaryCall(&context, method,
                                          grpc::ByteBuffer(&slice, 1), &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  return rpc::FromGrpc(status);
}

}  // namespace assay
