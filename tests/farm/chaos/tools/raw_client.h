// RawClient: single calls at the tracker and at devices, without the caution of
// rpc/client: it also uses leases that have ended.
#ifndef ASSAY_TESTS_FARM_CHAOS_TOOLS_RAW_CLIENT_H_
#define ASSAY_TESTS_FARM_CHAOS_TOOLS_RAW_CLIENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/client_context.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/transport/client_options.h"

namespace assay {

struct RawLease {
  rpc::LeaseName name = {};
  std::string bytes = {};  // as devices see it
  std::string address = {};
};

class RawClient {
 public:
  static absl::StatusOr<std::unique_ptr<RawClient>> Open(
      rpc::ClientOptions options);

  // `place` is called when the tracker has answered that the request waits. It
  // may be null. An empty ticket is drawn by the tracker.
  absl::StatusOr<RawLease> Acquire(
      const std::string& key, const std::string& ticket, double wait_seconds,
      const std::function<void()>& place = nullptr);
  absl::StatusOr<RawLease> Renew(const rpc::LeaseName& name);
  absl::Status Release(const rpc::LeaseName& name);

  // Makes each call of Device once, as far as the device admits the lease, and
  // returns their results.
  std::vector<absl::Status> TryAllCalls(const RawLease& lease) const;
  // Asks for no blobs, within `seconds`.
  absl::Status Show(const RawLease& lease, double seconds = 5) const;

 private:
  RawClient(rpc::ClientOptions options,
            std::unique_ptr<rpc::Tracker::Stub> tracker)
      : options_(std::move(options)), tracker_(std::move(tracker)) {}

  void Prepare(double seconds, grpc::ClientContext* context) const;

  const rpc::ClientOptions options_;
  const std::unique_ptr<rpc::Tracker::Stub> tracker_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOOLS_RAW_CLIENT_H_
