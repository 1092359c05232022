// Listener: serves the gRPC services of a program of the farm, together with
// the standard services for health checks and reflection.
//
//   ListenOptions options;
//   options.address = "0.0.0.0:9190";
//   options.transport.tls_folder = "/etc/assay/tls";
//   ASSAY_ASSIGN_OR_RETURN(const auto listener,
//                          Listener::Start(options, {&service}));
//   listener->SetServing(true);
//   …
//   listener->Stop(/*grace_nanos=*/2'000'000'000);
//
// The limits protect a program against hostile clients: sizes of messages and
// headers, streams per connection, memory of gRPC, and dead connections, which
// are closed.
#ifndef ASSAY_RPC_PROGRAM_LISTENER_H_
#define ASSAY_RPC_PROGRAM_LISTENER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "rpc/transport/credentials.h"

namespace assay::rpc {

struct ListenOptions {
  // `HOST:PORT`; the port 0 stands for a free one.
  std::string address;
  Transport transport;
  // If not 0, the memory that gRPC may use for all connections, in bytes.
  int64_t max_memory_bytes = int64_t{256} << 20;
  // How long a client may take to open a connection.
  int handshake_ms = 10'000;
};

class Listener {
 public:
  // The services must outlive the listener. At most one of them may be generic;
  // it receives the calls that the others do not have. Returns Unavailable if
  // the address is in use, and the errors of MakeServerCredentials().
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
  Listener(std::unique_ptr<grpc::Server> server, int port);

  const std::unique_ptr<grpc::Server> server_;
  const int port_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_LISTENER_H_
