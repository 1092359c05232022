#include "rpc/client/lease_connection.h"

#include <utility>

#include "grpcpp/channel.h"
#include "rpc/client/granted_lease.h"
#include "rpc/transport/channel.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

absl::StatusOr<std::shared_ptr<LeaseConnection>> LeaseConnection::Open(
    TrackerClient* tracker, const Transport& transport, const LeaseWish& wish,
    LeaseEvents events, const DeviceClientOptions& options,
    Cancellation* cancellation) {
  // Not make_shared: the constructor is private.
  std::shared_ptr<LeaseConnection> connection(new LeaseConnection());
  events.renewed = [shown_to = &connection->shown_to_] {
    if (DeviceClient* device = *shown_to) device->ShowLease();
  };
  ASSAY_ASSIGN_OR_RETURN(
      connection->keeper_,
      LeaseKeeper::Acquire(tracker, wish, events, cancellation));
  const GrantedLease lease = connection->keeper_->lease();
  connection->facts_ = lease.facts;
  connection->name_ = lease.name.device();
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                         OpenChannel(transport, lease.address));
  connection->device_ = std::make_unique<DeviceClient>(
      channel, connection->keeper_.get(), options);
  connection->shown_to_ = connection->device_.get();
  return connection;
}

absl::Status LeaseConnection::Report() {
  const absl::Status status = keeper_->status();
  reported_ |= !status.ok();
  return status;
}

absl::Status LeaseConnection::Upload(const std::string& digest,
                                     absl::string_view bytes) {
  if (HasUploaded(digest)) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(device_->Upload(digest, bytes));
  uploaded_.insert(digest);
  return absl::OkStatus();
}

}  // namespace assay::rpc
