// Attacks of callers without a token who need few bytes: many connections, many
// streams, and messages that become large when they are unpacked.
#ifndef ASSAY_TESTS_FARM_ATTACK_FLOOD_H_
#define ASSAY_TESTS_FARM_ATTACK_FLOOD_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "grpcpp/completion_queue.h"
#include "rpc/transport/credentials.h"

namespace assay {

// A channel like that of another program: it compresses, and sends messages of
// any size. Returns the errors of rpc::MakeChannelCredentials().
absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenForeignChannel(
    const rpc::Transport& transport, const std::string& endpoint);

// Connections to a port of this machine on which nothing is sent.
class IdleConnections {
 public:
  // Returns ResourceExhausted if this process may not open so many files.
  static absl::StatusOr<IdleConnections> Open(int port, int count);
  IdleConnections(IdleConnections&& other) noexcept;
  IdleConnections& operator=(IdleConnections&&) = delete;
  ~IdleConnections();

  // Returns the number of connections that the program has not closed.
  int CountOpen() const;

 private:
  IdleConnections() = default;

  std::vector<int> fds_;
};

// Calls without a token that stay open.
class OpenStreams {
 public:
  // Starts `count` calls of the method, with an empty message each, and waits
  // until each was answered with a message or has ended.
  OpenStreams(const std::shared_ptr<grpc::Channel>& channel,
              const std::string& method, int count);
  OpenStreams(const OpenStreams&) = delete;
  OpenStreams& operator=(const OpenStreams&) = delete;
  ~OpenStreams();

 private:
  struct Stream;

  bool Next();

  grpc::CompletionQueue queue_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

// Sends a message of `bytes` equal bytes without a token, compressed by gzip to
// about a thousandth, over a foreign channel. Returns the status of the call.
// `device` is the name of
// the device for a proxy, or empty.
absl::Status SendCompressed(const std::shared_ptr<grpc::Channel>& channel,
                            const std::string& method,
                            const std::string& device, size_t bytes);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_FLOOD_H_
