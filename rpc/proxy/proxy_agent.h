// ProxyAgent: lets clients call the server of this device through a proxy, to
// which the device itself connects.
//
//   // The server has started its listener, and registers at the tracker with
//   // the address `PROXY_HOST:PORT/DEVICE`.
//   ProxyAgentOptions options;
//   options.proxy = "proxy.lab:9191";
//   options.transport = transport;
//   options.device = "rack1-03";
//   options.token_file = "/etc/assay/token";
//   ASSAY_ASSIGN_OR_RETURN(
//       const auto agent,
//       ProxyAgent::Start(options, listener->InProcessChannel()));
//   …
//   agent->SetLeaseKey(welcome.lease_key());   // whenever it is welcomed
//   …
//   agent->Stop();                             // before the listener stops
//
// The agent attaches the device when it knows the lease key, and keeps some
// streams open on which the proxy passes calls (proxy.proto). It calls the
// server with the same method, lease, messages and time as the client did, and
// knows nothing about the methods. If the connection is lost, the calls at the
// server are cancelled, and the agent connects again with back-off.
//
// One thread does everything. While no call runs, it sleeps: it must not
// disturb measurements.
#ifndef ASSAY_RPC_PROXY_PROXY_AGENT_H_
#define ASSAY_RPC_PROXY_PROXY_AGENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "rpc/program/event_log.h"
#include "rpc/transport/credentials.h"

namespace assay::rpc {

struct ProxyAgentOptions {
  std::string proxy = {};  // `HOST:PORT`
  Transport transport = {};
  // The name of the device, which the proxy knows by its token.
  std::string device = {};
  // A file with the token (ReadToken()), which is read for each connection.
  std::string token_file = {};
  // Must outlive the agent.
  EventLog* log = nullptr;

  // How many streams wait for calls, and how many there may be in all.
  int waiting_streams = 4;
  int max_streams = 36;
  // The pauses between two attempts to connect, which are drawn at random
  // around a mean that doubles.
  int64_t min_pause_nanos = 100'000'000;
  int64_t max_pause_nanos = 2'000'000'000;
};

class ProxyAgent {
 public:
  // `server` is a channel to the server of this device. Returns the errors of
  // ParseAddress() and OpenChannel(). A proxy that does not answer is no error.
  static absl::StatusOr<std::unique_ptr<ProxyAgent>> Start(
      const ProxyAgentOptions& options, std::shared_ptr<grpc::Channel> server);
  ProxyAgent(const ProxyAgent&) = delete;
  ProxyAgent& operator=(const ProxyAgent&) = delete;
  ~ProxyAgent();  // as Stop()

  // Sets the key with which the tracker signs leases. If it is another one than
  // before, the device attaches itself again, which ends the calls.
  void SetLeaseKey(const std::string& pem);

  // Returns true while the proxy passes calls to this device.
  bool attached() const;

  // Ends all calls and the connection, within a second.
  void Stop();

 private:
  class Loop;

  explicit ProxyAgent(std::unique_ptr<Loop> loop);

  const std::unique_ptr<Loop> loop_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_PROXY_AGENT_H_
