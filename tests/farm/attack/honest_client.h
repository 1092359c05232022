// HonestClient: a user of a farm who does what users do, to see whether
// programs of the farm still serve others. For devices whose worker is
// sleeping_worker.
#ifndef ASSAY_TESTS_FARM_ATTACK_HONEST_CLIENT_H_
#define ASSAY_TESTS_FARM_ATTACK_HONEST_CLIENT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/signature.h"
#include "rpc/transport/client_options.h"
#include "runtime/artifact/artifact.h"

namespace assay {

// A program for the sleeping worker: a run takes so many nanoseconds.
runtime::Artifact SleepingArtifact(int64_t nanos);

class HonestClient {
 public:
  // `signing_key` is the path of the key that signs artifacts.
  static absl::StatusOr<std::unique_ptr<HonestClient>> Create(
      const rpc::ClientOptions& tracker, const std::string& signing_key);

  // Asks the tracker for the list of devices.
  absl::StatusOr<rpc::ListAnswer> List() const;

  // Leases a device of this key, uploads a new program, takes samples of it and
  // checks its output, and gives the lease back.
  absl::Status Measure(const std::string& key);

  // Leases a device of this key for someone with this token, who must call
  // Release().
  absl::StatusOr<rpc::Lease> Acquire(const std::string& key,
                                     const std::string& token) const;
  absl::Status Release(const rpc::LeaseName& name,
                       const std::string& token) const;

  // Returns the last artifact that Measure() has uploaded for this key.
  struct Uploaded {
    std::string digest = {};
    std::string signature = {};
  };
  const Uploaded& uploaded(const std::string& key) { return uploaded_[key]; }

 private:
  HonestClient(rpc::ClientOptions tracker, rpc::SigningKey key,
               std::shared_ptr<grpc::Channel> channel);

  const rpc::ClientOptions tracker_;
  const rpc::SigningKey key_;
  const std::shared_ptr<grpc::Channel> channel_;
  std::map<std::string, Uploaded> uploaded_;  // by key
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HONEST_CLIENT_H_
