// TestDevice and TestClient: the service of a device on a loopback port, with
// real workers, and a client that calls it. For tests.
//
//   TestDevice device({{"runtime/tools/bench_artifact"}});
//   TestClient client(&device, device.tracker.Sign({"board", "ann", 7}));
//   const std::string digest = client.Upload(bytes);
//   OpenAnswer session;
//   ASSERT_TRUE(client.Open({digest}, &session).ok());
#ifndef ASSAY_RPC_SERVER_TESTING_DEVICE_FIXTURE_H_
#define ASSAY_RPC_SERVER_TESTING_DEVICE_FIXTURE_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/client_context.h"
#include "rpc/program/event_log.h"
#include "rpc/program/listener.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/security/signature.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/crash_record.h"
#include "rpc/server/lease_guard.h"
#include "rpc/server/service/device_service.h"
#include "rpc/server/testing/test_tracker.h"
#include "rpc/server/trusted_keys_file.h"
#include "rpc/server/worker/work_folder.h"
#include "rpc/server/worker/worker_sandbox.h"
#include "runtime/base/file.h"

namespace assay::rpc {

struct TestDeviceOptions {
  std::vector<std::string> worker = {};
  SandboxOptions sandbox = {};
  HostOptions host = {};
  BlobLimits blobs = {};
  DeviceFacts facts = {};
};

class TestDevice {
 public:
  // CHECK-fails if the device cannot be started.
  explicit TestDevice(TestDeviceOptions options);
  ~TestDevice();

  // Processes and folders that workers have left behind.
  int Processes() const;
  int Folders() const;
  // Waits for at most two seconds until there are none of either.
  bool IsClean() const;

  // The name of the device, which leases must have.
  static constexpr char kName[] = "board";
  const SigningTracker tracker;
  const SigningKey client_key = SigningKey::Generate().value();

  const TempDir folder = TempDir::Create().value();
  LeaseGuard guard{kName};
  CrashRecord crashes;
  std::unique_ptr<DeviceService> service;
  std::unique_ptr<Listener> listener;

 private:
  std::string cookie_;
  FILE* const log_file_ = fopen("/dev/null", "w");
  EventLog log_{log_file_, "server"};
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<TrustedKeysFile> trusted_;
  std::unique_ptr<WorkRoot> root_;
  std::unique_ptr<WorkerSandbox> sandbox_;
};

// What a block returned.
struct TestBlock {
  absl::Status status;
  int states = 0;
  std::vector<RunBlockAnswer::Sample> samples;
  std::vector<std::string> outputs;
};

class TestClient {
 public:
  // `lease` is the bytes of a Lease.
  TestClient(TestDevice* device, std::string lease);

  std::string lease;
  double timeout_s = 20;
  const std::unique_ptr<Device::Stub> stub;

  // Sets the lease and the deadline.
  void Prepare(grpc::ClientContext* context) const;

  // Uploads from the offset that the device names. The first `stop_at` bytes
  // are sent if it is not negative, and then the call is cancelled.
  absl::Status Put(const std::string& digest, absl::string_view bytes,
                   int64_t stop_at = -1, size_t chunk_bytes = 1 << 20);
  absl::StatusOr<FindBlobsAnswer::Blob> Find(const std::string& digest);
  // Returns the digest. CHECK-fails if the upload fails.
  std::string Upload(absl::string_view bytes);

  // Signs the digests.
  absl::Status Open(const std::vector<std::string>& digests,
                    OpenAnswer* answer);
  absl::Status SetInputs(const std::string& session, const std::string& digest);
  TestBlock RunBlock(const RunBlockRequest& request);
  absl::Status Close(const std::string& session);

 private:
  TestDevice& device_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_TESTING_DEVICE_FIXTURE_H_
