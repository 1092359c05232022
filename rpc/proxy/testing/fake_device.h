// ProxiedDevice: a Device service for tests of the proxy. It does not check
// leases and does what its requests say:
//
//   FindBlobs  answers with a blob for each digest, whose offset is the length
//              of the digest; for the digest `hang`, does not answer until the
//              call is cancelled; for `fail`, fails
//   PutBlob    counts the bytes; for the digest `stop`, fails after the first
//              message; for `slow`, reads nothing more until the call is
//              cancelled
//   RunBlock   sends as many messages as `min_sample_nanos` says, of
//              `flush_cache_bytes` bytes
#ifndef ASSAY_RPC_PROXY_TESTING_FAKE_DEVICE_H_
#define ASSAY_RPC_PROXY_TESTING_FAKE_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "grpcpp/server_context.h"
#include "grpcpp/support/sync_stream.h"
#include "rpc/proto/device.grpc.pb.h"

namespace assay::rpc {

// The status of FindBlobs for `fail`.
constexpr char kFailure[] = "100 % of it failed:\n\xc3\xa9\t\xff";

class ProxiedDevice : public Device::Service {
 public:
  grpc::Status FindBlobs(grpc::ServerContext* context,
                         const FindBlobsRequest* request,
                         FindBlobsAnswer* answer) override;
  grpc::Status PutBlob(grpc::ServerContext* context,
                       grpc::ServerReader<PutBlobRequest>* reader,
                       PutBlobAnswer* answer) override;
  grpc::Status RunBlock(grpc::ServerContext* context,
                        const RunBlockRequest* request,
                        grpc::ServerWriter<RunBlockAnswer>* writer) override;

  int64_t calls() const { return calls_; }
  int64_t running() const { return running_; }
  // Calls whose end was their cancellation.
  int64_t cancelled() const { return cancelled_; }
  int64_t bytes() const { return bytes_; }        // that PutBlob has received
  int64_t messages() const { return messages_; }  // that RunBlock has sent

  // The metadata and the time left of the last call of FindBlobs.
  std::multimap<std::string, std::string> metadata() const;
  int64_t left_nanos() const { return left_nanos_; }

 private:
  // Waits until the call is cancelled.
  grpc::Status Hang(grpc::ServerContext* context);

  std::atomic<int64_t> calls_{0};
  std::atomic<int64_t> running_{0};
  std::atomic<int64_t> cancelled_{0};
  std::atomic<int64_t> bytes_{0};
  std::atomic<int64_t> messages_{0};
  std::atomic<int64_t> left_nanos_{0};
  mutable std::mutex mutex_;
  std::multimap<std::string, std::string> metadata_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_TESTING_FAKE_DEVICE_H_
