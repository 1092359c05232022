// OpenChannel: connects a client with a program of the farm.
//
//   ASSAY_ASSIGN_OR_RETURN(const Address address,
//                          ParseAddress("proxy.lab:9191/rack1-03"));
//   ASSAY_ASSIGN_OR_RETURN(const auto channel,
//                          OpenChannel(transport, address));
//   const auto stub = Device::NewStub(channel);
//
//   grpc::ClientContext context;
//   PrepareContext(address, deadline, &context);
//
// A channel connects when it is first used, and again after each failure; a
// connection that is dead is found by keepalive messages within 15 seconds. A
// call fails with UNAVAILABLE while there is no connection.
#ifndef ASSAY_RPC_TRANSPORT_CHANNEL_H_
#define ASSAY_RPC_TRANSPORT_CHANNEL_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "rpc/transport/credentials.h"

namespace assay::rpc {

// The largest message that the programs of the farm send or accept, in bytes.
constexpr int kMaxMessageBytes = 2 << 20;

// Where a program is called: `HOST:PORT`, or `HOST:PORT/DEVICE` for a device
// behind a proxy.
struct Address {
  std::string endpoint = {};
  std::string device = {};  // empty if there is no proxy
};

// Returns InvalidArgument if the text is not an address: HOST is a name, an
// IPv4 address or `[IPv6]`, PORT is from 1 to 65535, and DEVICE is a name
// (rpc/names/names.h).
absl::StatusOr<Address> ParseAddress(absl::string_view text);

// Returns the errors of MakeChannelCredentials().
absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenChannel(
    const Transport& transport, const Address& address);

// Sets the deadline of a call, and names the device for the proxy.
void PrepareContext(const Address& address, std::chrono::nanoseconds timeout,
                    grpc::ClientContext* context);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_CHANNEL_H_
