// LeaseConnection: a lease of a device, the calls at this device, and what this
// client knows about the state of the device.
//
// A device runs one session at a time for a lease, but the callers of a Runner
// may hold several and use them in turn. The connection knows which of them the
// device runs (`active`), and the others open again when they are used.
#ifndef ASSAY_RPC_CLIENT_LEASE_CONNECTION_H_
#define ASSAY_RPC_CLIENT_LEASE_CONNECTION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rpc/client/cancellation.h"
#include "rpc/client/device_client.h"
#include "rpc/client/lease_keeper.h"
#include "rpc/client/tracker_client.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/clock.h"
#include "runtime/measure/device_facts.h"

namespace assay::rpc {

class LeaseConnection {
 public:
  // Waits for a lease (LeaseKeeper::Acquire). `events.renewed` is ignored.
  // `tracker` must outlive the object.
  static absl::StatusOr<std::shared_ptr<LeaseConnection>> Open(
      TrackerClient* tracker, const Transport& transport, const LeaseWish& wish,
      LeaseEvents events, const DeviceClientOptions& options,
      Cancellation* cancellation);
  ~LeaseConnection() { Release(); }
  LeaseConnection(const LeaseConnection&) = delete;
  LeaseConnection& operator=(const LeaseConnection&) = delete;

  // Returns OK while the lease is held.
  absl::Status status() const { return keeper_->status(); }
  // Like status(). An error is reported to the user of the runner, who then
  // knows that all samples since the start of the lease are void.
  absl::Status Report();
  // Returns true if Report() has returned an error.
  bool reported() const { return reported_; }

  DeviceClient& device() { return *device_; }
  const runtime::DeviceFacts& facts() const { return facts_; }
  const std::string& name() const { return name_; }

  // Waits, and returns an error if the lease is lost meanwhile.
  absl::Status Sleep(int64_t nanos) {
    return keeper_->work()->Sleep(nanos, Clock::Monotonic());
  }

  // Uploads the blob unless this was done before under this lease.
  absl::Status Upload(const std::string& digest, absl::string_view bytes);
  bool HasUploaded(const std::string& digest) const {
    return uploaded_.count(digest) > 0;
  }
  // The device may have discarded blobs: they must be uploaded again.
  void ForgetUploads() { uploaded_.clear(); }

  // The session that the device runs, or null. Only compared.
  const void* active = nullptr;

  // Gives the lease back. Thread-safe.
  void Release() {
    if (keeper_ != nullptr) keeper_->Release();
  }

 private:
  LeaseConnection() = default;

  // Used by the thread of the keeper. The client is set once, after the thread
  // was started.
  std::atomic<DeviceClient*> shown_to_ = nullptr;
  std::unique_ptr<DeviceClient> device_;
  std::unique_ptr<LeaseKeeper> keeper_;  // its thread ends first
  runtime::DeviceFacts facts_;
  std::string name_;
  bool reported_ = false;
  std::set<std::string> uploaded_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_LEASE_CONNECTION_H_
