// ProxyService: the services of the proxy (proxy.proto explains them).
//
//   ProxyService service(limits, tokens, &log);
//   ASSAY_ASSIGN_OR_RETURN(
//       const auto listener,
//       Listener::Start(options, {service.agent_service()},
//                       service.device_service()));
//   …
//   service.Stop(/*grace_nanos=*/2'000'000'000);
//   listener->Stop(/*grace_nanos=*/1'000'000'000);
//
// agent_service() takes the calls of agents, which are known by their tokens.
// device_service() takes the calls of clients, which are known by their leases:
// all methods that have the prefix of the Device service. The Switchboard joins
// both; this class only reads what the calls say about themselves.
#ifndef ASSAY_RPC_PROXY_PROXY_SERVICE_H_
#define ASSAY_RPC_PROXY_PROXY_SERVICE_H_

#include <cstdint>
#include <memory>

#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/impl/service_type.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/event_log.h"
#include "rpc/proxy/device_table.h"
#include "rpc/proxy/switchboard.h"
#include "rpc/security/token_file.h"

namespace assay::rpc {

class ProxyService {
 public:
  // All objects must outlive the service; `connections`, those of the listener,
  // may be null.
  ProxyService(const ProxyLimits& limits, TokenFile* tokens, EventLog* log,
               ConnectionTable* connections = nullptr);
  ProxyService(const ProxyService&) = delete;
  ProxyService& operator=(const ProxyService&) = delete;
  // The listener must have been stopped.
  ~ProxyService();

  grpc::Service* agent_service();
  grpc::CallbackGenericService* device_service();

  // Detaches the devices whose tokens are not valid any more. To be called now
  // and then.
  void CheckDevices();

  // As Switchboard::Stop().
  void Stop(int64_t grace_nanos) { board_.Stop(grace_nanos); }

  const Switchboard& board() const { return board_; }

 private:
  class AgentService;
  class DeviceService;

  Switchboard board_;
  const std::unique_ptr<AgentService> agent_service_;
  const std::unique_ptr<DeviceService> device_service_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_PROXY_SERVICE_H_
