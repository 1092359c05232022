// ProbeSession: a lease of the device `probe`, and the calls of rpc/client at
// it, for tests of uploads and of what the device refuses.
#ifndef ASSAY_TESTS_FARM_CHAOS_PROBE_SESSION_H_
#define ASSAY_TESTS_FARM_CHAOS_PROBE_SESSION_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rpc/client/cancellation.h"
#include "rpc/client/lease_connection.h"
#include "rpc/client/tracker_client.h"
#include "rpc/security/signature.h"
#include "tests/farm/chaos/chaos_farm.h"

namespace assay {

class ProbeSession {
 public:
  // Waits for the lease, for at most 30 s.
  static absl::StatusOr<std::unique_ptr<ProbeSession>> Open(ChaosFarm* farm);

  // Uploads the bytes as if they had this digest.
  absl::Status Upload(const std::string& digest, absl::string_view bytes) {
    return connection_->device().Upload(digest, bytes);
  }
  // Starts a worker with the artifact that was uploaded, and ends it.
  absl::Status Run(const std::string& digest, bool sign = true);
  // The file of a blob on the device.
  std::string FileOf(const std::string& digest) const;

 private:
  ProbeSession(ChaosFarm* farm, rpc::SigningKey key)
      : farm_(farm), key_(std::move(key)) {}

  ChaosFarm* const farm_;
  const rpc::SigningKey key_;
  rpc::Cancellation cancellation_;
  std::unique_ptr<rpc::TrackerClient> tracker_;
  std::shared_ptr<rpc::LeaseConnection> connection_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_PROBE_SESSION_H_
