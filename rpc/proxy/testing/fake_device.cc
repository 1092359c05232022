#include "rpc/proxy/testing/fake_device.h"

#include <chrono>

#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

// Counts a call while it runs.
class Counted {
 public:
  explicit Counted(std::atomic<int64_t>* running) : running_(running) {
    ++*running_;
  }
  ~Counted() { --*running_; }

 private:
  std::atomic<int64_t>* const running_;
};

}  // namespace

grpc::Status ProxiedDevice::Hang(grpc::ServerContext* context) {
  while (!context->IsCancelled()) Clock::Monotonic()->SleepNanos(1'000'000);
  ++cancelled_;
  return grpc::Status::CANCELLED;
}

grpc::Status ProxiedDevice::FindBlobs(grpc::ServerContext* context,
                                      const FindBlobsRequest* request,
                                      FindBlobsAnswer* answer) {
  const Counted counted(&running_);
  ++calls_;
  left_nanos_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    context->deadline() - std::chrono::system_clock::now())
                    .count();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    metadata_.clear();
    for (const auto& [key, value] : context->client_metadata()) {
      metadata_.emplace(std::string(key.data(), key.size()),
                        std::string(value.data(), value.size()));
    }
  }
  for (const std::string& digest : request->digests()) {
    if (digest == "hang") return Hang(context);
    if (digest == "fail") {
      return grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, kFailure);
    }
    answer->add_blobs()->set_offset(static_cast<int64_t>(digest.size()));
  }
  return grpc::Status::OK;
}

grpc::Status ProxiedDevice::PutBlob(grpc::ServerContext* context,
                                    grpc::ServerReader<PutBlobRequest>* reader,
                                    PutBlobAnswer*) {
  const Counted counted(&running_);
  ++calls_;
  PutBlobRequest request;
  while (reader->Read(&request)) {
    bytes_ += static_cast<int64_t>(request.bytes().size());
    if (request.digest() == "stop") {
      return grpc::Status(grpc::StatusCode::DATA_LOSS, "stopped");
    }
    if (request.digest() == "slow") return Hang(context);
  }
  if (context->IsCancelled()) ++cancelled_;
  return grpc::Status::OK;
}

grpc::Status ProxiedDevice::RunBlock(
    grpc::ServerContext*, const RunBlockRequest* request,
    grpc::ServerWriter<RunBlockAnswer>* writer) {
  const Counted counted(&running_);
  ++calls_;
  RunBlockAnswer answer;
  answer.set_outputs(
      std::string(static_cast<size_t>(request->flush_cache_bytes()), 'x'));
  for (int64_t i = 0; i < request->min_sample_nanos(); ++i) {
    if (!writer->Write(answer)) {
      ++cancelled_;
      return grpc::Status::CANCELLED;
    }
    ++messages_;
  }
  return grpc::Status::OK;
}

std::multimap<std::string, std::string> ProxiedDevice::metadata() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return metadata_;
}

}  // namespace assay::rpc
