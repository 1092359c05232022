#include "rpc/program/listener.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/base/call_once.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/grpc.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/support/channel_arguments.h"
#include "rpc/program/file_limit.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/compression.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int kMaxMetadataBytes = 64 << 10;
constexpr int kMaxStreamsPerConnection = 256;
// A limit for synchronous services, of which the programs have none.
constexpr int kMaxThreads = 64;
constexpr int64_t kMostMemoryBytes = int64_t{256} << 20;
constexpr int64_t kPartOfMemory = 8;

int64_t MemoryFor(const ListenOptions& options) {
  if (options.max_memory_bytes >= 0) return options.max_memory_bytes;
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t bytes = pages * sysconf(_SC_PAGESIZE);
  if (pages <= 0) return kMostMemoryBytes;
  return std::min(bytes / kPartOfMemory, kMostMemoryBytes);
}

void SetLimits(const ListenOptions& options, grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadataBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             kMaxStreamsPerConnection);
  for (const auto& [name, value] : NoCompression()) {
    builder.AddChannelArgument(name, value);
  }
  // Clients that are gone are found within 15 seconds. Clients may check the
  // connection as often as OpenChannel() does.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, options.idle_ms);
  // Connections that do not get as far as HTTP/2 are closed after this time.
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             options.handshake_ms);
  grpc::ResourceQuota quota;
  quota.SetMaxThreads(kMaxThreads);
  const int64_t memory = MemoryFor(options);
  if (memory > 0) quota.Resize(static_cast<size_t>(memory));
  builder.SetResourceQuota(quota);
}

// The limits of a listener whose services do not say who is known.
ConnectionLimits LimitsWithoutServices() {
  ConnectionLimits limits = LimitsForFiles(RaiseFileLimit());
  limits.max_anonymous = limits.max_anonymous_per_source = limits.max_open;
  limits.anonymous_nanos = 0;
  return limits;
}

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
  });
  std::unique_ptr<ConnectionTable> own_connections;
  ConnectionTable* connections = options.connections;
  if (connections == nullptr) {
    own_connections =
        std::make_unique<ConnectionTable>(LimitsWithoutServices());
    connections = own_connections.get();
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Acceptor> acceptor,
                         Acceptor::Listen(options.address, connections));
  grpc::ServerBuilder builder;
  auto door = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      credentials);
  for (grpc::Service* service : services) builder.RegisterService(service);
  if (generic != nullptr) builder.RegisterCallbackGenericService(generic);
  SetLimits(options, builder);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    return absl::InternalError(
        absl::StrCat("cannot serve on `", options.address, "`"));
  }
  auto listener = std::unique_ptr<Listener>(new Listener(
      std::move(own_connections), std::move(acceptor), std::move(server)));
  listener->SetServing(false);
  listener->door_ = std::move(door);
  listener->acceptor_->Start([door = listener->door_.get()](int fd) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters
        connection;
    connection.fd = fd;
    door->HandleNewConnection(&connection);
  });
  if (options.on_unreachable != nullptr) {
    WatchdogOptions watchdog;
    watchdog.address = listener->acceptor_->local_address();
    watchdog.tls = !options.transport.plain_text;
    watchdog.connections = connections;
    watchdog.on_unreachable = options.on_unreachable;
    listener->watchdog_ = std::make_unique<Watchdog>(std::move(watchdog));
  }
  return listener;
}

Listener::Listener(std::unique_ptr<ConnectionTable> own_connections,
                   std::unique_ptr<Acceptor> acceptor,
                   std::unique_ptr<grpc::Server> server)
    : own_connections_(std::move(own_connections)),
      acceptor_(std::move(acceptor)),
      port_(acceptor_->port()),
      server_(std::move(server)) {}

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
  watchdog_ = nullptr;
  acceptor_->Stop();
  server_->Shutdown(std::chrono::system_clock::now() +
                    std::chrono::microseconds(grace_nanos / 1000));
  server_->Wait();
}

}  // namespace assay::rpc
