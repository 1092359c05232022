// RemoteRunner: runs and measures programs on a device of the farm.
//
//   RemoteOptions options;
//   options.tracker = *ReadClientOptions(flags);
//   options.wish.key = "rpi3b";
//   options.signing_key = *SigningKey::Read("client.key");
//   ASSAY_ASSIGN_OR_RETURN(const auto runner, RemoteRunner::Create(options));
//   ASSAY_RETURN_IF_ERROR(runner->Connect());
//   ASSAY_ASSIGN_OR_RETURN(const auto session, runner->Load({&artifact}, {}));
//
// The runner waits for a lease, and keeps it until it is destroyed. Artifacts
// and inputs are uploaded once. A block is one call, so that no round trip
// falls between its samples.
//
// Sessions have these errors in addition to those of session.h. After each of
// them, the session returns the same error for all calls:
//   - Aborted: the samples since the start of the measurement are void, because
//     the lease was lost or the connection broke during a block. The caller
//     discards them and starts again with Load(). Samples of two devices never
//     come together: after a lease was lost, the first call of any session or
//     of Load() returns Aborted, and only a later Load() waits for another
//     lease. It must then be of a device with the same fingerprint.
//   - Internal: the worker on the device failed.
//   - DeadlineExceeded: the device did not finish in time.
//   - Cancelled: Cancel() was called.
//
// A device runs one session at a time. A session that is used after another one
// of the same runner starts again on the device, with the same inputs; programs
// that are compared sample by sample should therefore be loaded as a pair.
//
// Not thread-safe, except for Cancel().
#ifndef ASSAY_RPC_CLIENT_REMOTE_RUNNER_H_
#define ASSAY_RPC_CLIENT_REMOTE_RUNNER_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "rpc/client/block/block_reader.h"
#include "rpc/client/block/thermal_guard.h"
#include "rpc/client/cancellation.h"
#include "rpc/client/device_client.h"
#include "rpc/client/lease_connection.h"
#include "rpc/client/lease_keeper.h"
#include "rpc/client/remote_session.h"
#include "rpc/client/retry.h"
#include "rpc/client/tracker_client.h"
#include "rpc/proto/device.pb.h"
#include "rpc/security/signature.h"
#include "rpc/transport/client_options.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

struct RemoteOptions {
  ClientOptions tracker = {};
  LeaseWish wish = {};
  // Signs the artifacts. Servers run only artifacts that a trusted key signed.
  std::optional<SigningKey> signing_key = std::nullopt;
  // The fields of DeviceClientOptions with the same names.
  double call_seconds = 120;
  double patience_seconds = 30;
  // Protects measurements on a device that is not emulated from heat.
  std::optional<ThermalLimits> thermal = std::nullopt;

  // The functions may be null. `notify` and `remark` are also called by other
  // threads.
  //
  // What happens now: `the tracker does not answer: trying again in 0.4 s`.
  Notify notify = nullptr;
  // What a reader of the results should know: a device lowered its clock rate
  // while it measured.
  Notify remark = nullptr;
  // Receives the states of the device around each block. Called by the thread
  // that uses the session.
  std::function<void(const BlockResult& result)> observe = nullptr;
  // As LeaseEvents::place.
  std::function<void(int place, double wait_seconds)> place = nullptr;
};

class RemoteRunner : public runtime::Runner {
 public:
  // Creates a runner that has no lease yet. Returns the errors of
  // TrackerClient::Open().
  static absl::StatusOr<std::unique_ptr<RemoteRunner>> Create(
      RemoteOptions options);
  // Waits for the first lease. Must be called once, before the methods below
  // except Cancel(). Returns the errors of LeaseKeeper::Acquire().
  absl::Status Connect();
  ~RemoteRunner() override;

  // Describes the device of the lease. `board` is not empty.
  runtime::DeviceFacts facts() const override;

  // In addition to the errors above, returns PermissionDenied if the device
  // trusts no key that has signed an artifact; the errors of
  // LeaseKeeper::Acquire() after a lease was lost; and FailedPrecondition if
  // the next lease is of another kind of machine. If there is no next lease,
  // all later calls return the same error.
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override;

  // Gives the lease back, or stops waiting for one. All calls, also those that
  // run, return Cancelled. Takes at most about three seconds. Thread-safe.
  void Cancel();

 private:
  // An artifact as devices know it.
  struct Blob {
    std::string digest;
    std::string signature;
    ProgramLimits limits;
  };

  RemoteRunner(RemoteOptions options, std::unique_ptr<TrackerClient> tracker);

  absl::Status Acquire();
  // Reports a lost lease once, and then waits for another one.
  absl::Status EnsureLease();
  // Uploads the artifact, unless the device has it.
  absl::StatusOr<Blob> Provide(const runtime::Artifact& artifact,
                               const std::string& known_digest);
  absl::StatusOr<OpenRequest> RequestFor(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options,
      std::vector<ProgramLimits>* programs);
  absl::StatusOr<std::unique_ptr<RemoteSession>> NewSession(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options);
  void Observe(const BlockResult& result);

  const RemoteOptions options_;
  const std::unique_ptr<TrackerClient> tracker_;
  Cancellation cancellation_;
  std::map<std::string, Blob> blobs_;    // by the digest of the artifact
  std::string fingerprint_;              // of the first lease
  absl::Status no_lease_;                // why there is no next lease
  bool throttled_ = false;               // the remark about this lease was made
  std::optional<ThermalGuard> thermal_;  // null if the device is emulated

  // Protects the pointer, which Cancel() reads.
  mutable absl::Mutex mutex_;
  std::shared_ptr<LeaseConnection> connection_;
  bool acquiring_ = false;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_REMOTE_RUNNER_H_
