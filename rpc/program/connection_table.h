// ConnectionTable: the connections of a program that listens, and which of them
// to close if there are too many.
//
// Anybody who reaches the port can open connections and keep them, so the
// number of connections is limited, and those who have proved who they are must
// not suffer. A connection is anonymous until a service has accepted the token
// or the lease of one of its calls, and has said so with Know():
//
//   ASSAY_ASSIGN_OR_RETURN(const Identity caller, Authorize(…));
//   if (connections != nullptr) connections->Know(context->peer());
//
// The rules:
//   - There are limits of all connections, of anonymous ones, and of anonymous
//     ones from one source, which is an IPv4 address or the first 64 bits of an
//     IPv6 address.
//   - If a new connection exceeds a limit, the oldest anonymous connection of
//     the same source is closed, or that of the source with the most of them.
//     Hence an attacker replaces his own connections, and an honest client has
//     time to prove who it is. If no connection is anonymous, the new one is
//     refused.
//   - A connection that stays anonymous for too long is closed.
//
// The table knows no sockets; Acceptor opens and closes them. Thread-safe.
#ifndef ASSAY_RPC_PROGRAM_CONNECTION_TABLE_H_
#define ASSAY_RPC_PROGRAM_CONNECTION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"

namespace assay::rpc {

struct ConnectionLimits {
  size_t max_open = 768;
  size_t max_anonymous = 256;
  size_t max_anonymous_per_source = 128;
  // How long a connection may be anonymous; 0 stands for no limit.
  int64_t anonymous_nanos = int64_t{30} * 1'000'000'000;
};

// Returns the limits for a program that may open this number of files, of which
// a part remains for other purposes.
ConnectionLimits LimitsForFiles(int max_files);

class ConnectionTable {
 public:
  explicit ConnectionTable(const ConnectionLimits& limits) : limits_(limits) {}
  ConnectionTable(const ConnectionTable&) = delete;
  ConnectionTable& operator=(const ConnectionTable&) = delete;

  // For services: the caller at the other end of this connection has proved who
  // it is. `peer` is that of the call (grpc::ServerContext::peer()). Unknown
  // peers, such as those of calls without a connection, are ignored.
  void Know(absl::string_view peer);

  // The program itself is about to connect from this address, and is known from
  // the start.
  void Expect(const std::string& peer);

  struct Decision {
    bool admitted = false;
    std::vector<int64_t> to_close;  // connections to be closed
  };
  // Decides about a new connection. If it is admitted, it is in the table. `id`
  // must be larger than those of all earlier connections.
  Decision Add(int64_t id, const std::string& peer, int64_t now_nanos);

  // Returns connections that have been anonymous for too long, each once.
  std::vector<int64_t> Expire(int64_t now_nanos);

  // Returns the connection that a new one would replace, or nothing.
  std::vector<int64_t> Evict();

  // The connection is closed.
  void Remove(int64_t id);

  // Connections, without those that Add(), Expire() and Evict() have returned.
  size_t open() const;
  size_t anonymous() const;

 private:
  struct Connection {
    std::string peer;
    std::string source;
    int64_t since_nanos = 0;
    bool anonymous = true;
    bool closing = false;
  };

  // The following require the mutex.
  void ForgetAnonymous(int64_t id, const Connection& connection);
  int64_t Close(int64_t id);
  // Returns the source with the most anonymous connections, or an empty string.
  std::string LargestSource() const;

  const ConnectionLimits limits_;

  mutable std::mutex mutex_;
  std::map<int64_t, Connection> connections_;
  absl::flat_hash_map<std::string, int64_t> by_peer_;
  // The anonymous connections of each source that has some; the lowest number
  // is the oldest.
  absl::flat_hash_map<std::string, std::set<int64_t>> anonymous_;
  std::set<int64_t> all_anonymous_;
  absl::flat_hash_set<std::string> expected_;
  size_t open_ = 0;
};

// Returns the source of a peer.
std::string SourceOf(absl::string_view peer);

// Returns the peer as Add() and Know() compare it: `ipv6:[::1]:80` for gRPC's
// `ipv6:%5B::1%5D:80`.
std::string NormalPeer(absl::string_view peer);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_CONNECTION_TABLE_H_
