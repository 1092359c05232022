// GrantedLease: a lease as its holder uses it.
//
//   ASSAY_ASSIGN_OR_RETURN(const GrantedLease lease, ReadLease(message));
//   context.AddMetadata(kLeaseMetadata, lease.bytes);
//
// The message comes from the network, so everything in it is checked before it
// is used. Only the device can verify the signature, and does.
#ifndef ASSAY_RPC_CLIENT_GRANTED_LEASE_H_
#define ASSAY_RPC_CLIENT_GRANTED_LEASE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/channel.h"
#include "runtime/measure/device_facts.h"

namespace assay::rpc {

// The shortest and the longest lease that can be kept.
constexpr double kMinLeaseSeconds = 0.1;
constexpr double kMaxLeaseSeconds = 24 * 3600;

struct GrantedLease {
  LeaseName name = {};
  // How long the lease lasts unless it is renewed.
  int64_t nanos = 0;
  // What the device verifies: a Lease without address and facts.
  std::string bytes = {};
  Address address = {};
  // `facts.board` is not empty.
  runtime::DeviceFacts facts = {};
};

// Returns Internal, with the name of the field, if a field is not valid.
absl::StatusOr<GrantedLease> ReadLease(const Lease& message);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_GRANTED_LEASE_H_
