// Listener: serves the gRPC services of a program of the farm, together with
// the standard service for health checks.
//
//   ConnectionTable connections(LimitsForFiles(RaiseFileLimit()));
//   … services call connections.Know() …
//   ListenOptions options;
//   options.connections = &connections;
//   options.address = "0.0.0.0:9190";
//   options.transport.tls_folder = "/etc/assay/tls";
//   ASSAY_ASSIGN_OR_RETURN(const auto listener,
//                          Listener::Start(options, {&service}));
//   listener->SetServing(true);
//   …
//   listener->Stop(/*grace_nanos=*/2'000'000'000);
//
// The limits protect a program against hostile clients: numbers of connections
// (connection_table.h) and of streams in each, sizes of messages and headers,
// memory and threads of gRPC. Compressed messages are refused with
// UNIMPLEMENTED, because a small one can become a large one, and is unpacked
// before its size or its sender is known. Dead connections are closed, and so
// are those without a call for ten minutes.
#ifndef ASSAY_RPC_PROGRAM_LISTENER_H_
#define ASSAY_RPC_PROGRAM_LISTENER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "rpc/program/acceptor.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/watchdog.h"
#include "rpc/transport/credentials.h"

namespace assay::rpc {

struct ListenOptions {
  // `HOST:PORT`; the port 0 stands for a free one.
  std::string address;
  Transport transport;
  // If not 0, the memory that gRPC may use for all connections, in bytes. -1
  // stands for an eighth of the machine's memory, but at most 256 MiB.
  int64_t max_memory_bytes = -1;
  // How long a client may take to open a connection.
  int handshake_ms = 10'000;
  // How long a connection may have no call.
  int idle_ms = 600'000;
  // The connections of the program; must outlive the listener. If it is null,
  // no connection is anonymous for too long, because the services do not say
  // who has proved who they are.
  ConnectionTable* connections = nullptr;
  // If set, a watchdog calls it once when the port cannot be reached any more
  // (watchdog.h).
  std::function<void(const absl::Status&)> on_unreachable = nullptr;
};

class Listener {
 public:
  // The services must outlive the listener. At most one of them may be generic;
  // it receives the calls that the others do not have. Returns the errors of
  // Acceptor::Listen() and of MakeServerCredentials().
  static absl::StatusOr<std::unique_ptr<Listener>> Start(
      const ListenOptions& options, const std::vector<grpc::Service*>& services,
      grpc::CallbackGenericService* generic = nullptr);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();  // stops at once

  int port() const { return port_; }

  // What the health service answers for all services; at first, not serving.
  void SetServing(bool serving);

  // Returns a channel to the services that needs no connection. It works until
  // Stop().
  std::shared_ptr<grpc::Channel> InProcessChannel();

  // Takes no new calls, and cancels those that still run after `grace_nanos`.
  // Returns when all have ended.
  void Stop(int64_t grace_nanos);

 private:
  Listener(std::unique_ptr<ConnectionTable> own_connections,
           std::unique_ptr<Acceptor> acceptor,
           std::unique_ptr<grpc::Server> server);

  const std::unique_ptr<ConnectionTable> own_connections_;  // may be null
  const std::unique_ptr<Acceptor> acceptor_;
  const int port_;
  const std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> door_;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_LISTENER_H_
