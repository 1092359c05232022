#include "rpc/program/listener.h"

#include <chrono>
#include <utility>

#include "absl/base/call_once.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/grpc.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/support/channel_arguments.h"
#include "rpc/transport/channel.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int kMaxMetadataBytes = 64 << 10;
constexpr int kMaxStreamsPerConnection = 256;

}  // namespace

absl::StatusOr<std::unique_ptr<Listener>> Listener::Start(
    const ListenOptions& options, const std::vector<grpc::Service*>& services,
    grpc::CallbackGenericService* generic) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::shared_ptr<grpc::ServerCredentials> credentials,
      MakeServerCredentials(options.transport, options.address));
  static absl::once_flag once;
  absl::call_once(once, [] {
    grpc_init();  // as in OpenChannel()
    grpc::EnableDefaultHealthCheckService(true);
    // Protobuf would write a line to standard error for each text of a client
    // that is not UTF-8.
    google::protobuf::SetLogHandler(nullptr);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(options.address, credentials, &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  if (generic != nullptr) builder.RegisterCallbackGenericService(generic);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadataBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             kMaxStreamsPerConnection);
  // Clients that are gone are found within 15 seconds. Clients may check the
  // connection as often as OpenChannel() does.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  // Connections that do not get as far as HTTP/2 are closed after this time.
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             options.handshake_ms);
  // A second program with the same port would take a part of the connections.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  if (options.max_memory_bytes > 0) {
    grpc::ResourceQuota quota;
    quota.Resize(static_cast<size_t>(options.max_memory_bytes));
    builder.SetResourceQuota(quota);
  }
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen on `", options.address,
                     "`: the address is in use or is not of this machine"));
  }
  auto listener =
      std::unique_ptr<Listener>(new Listener(std::move(server), port));
  listener->SetServing(false);
  return listener;
}

Listener::Listener(std::unique_ptr<grpc::Server> server, int port)
    : server_(std::move(server)), port_(port) {}

Listener::~Listener() { Stop(0); }

void Listener::SetServing(bool serving) {
  server_->GetHealthCheckService()->SetServingStatus(serving);
}

std::shared_ptr<grpc::Channel> Listener::InProcessChannel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  return server_->InProcessChannel(arguments);
}

void Listener::Stop(int64_t grace_nanos) {
  SetServing(false);
  server_->Shutdown(std::chrono::system_clock::now() +
                    std::chrono::microseconds(grace_nanos / 1000));
  server_->Wait();
}

}  // namespace assay::rpc
