// Acceptor: listens on an address, and accepts connections for a server that
// gets their descriptors.
//
// gRPC 1.51 could do both, but a listener of it never accepts again once
// accept() has failed for lack of descriptors (CVE-2023-4785), and it has no
// limit of connections. This class limits them (connection_table.h), keeps
// descriptors for other purposes, and goes on whatever accept() returns.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto acceptor,
//                          Acceptor::Listen("0.0.0.0:9190", &connections));
//   acceptor->Start([&](int fd) { … });
//
// The server owns the descriptors that it has got, and closes them when it
// likes. The acceptor notices this later, by the number of the socket's inode.
// To end a connection, it shuts the socket down, so that the server finds its
// end and closes the descriptor.
#ifndef ASSAY_RPC_PROGRAM_ACCEPTOR_H_
#define ASSAY_RPC_PROGRAM_ACCEPTOR_H_

#include <sys/socket.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "rpc/program/connection_table.h"

namespace assay::rpc {

class Acceptor {
 public:
  // Listens on all addresses of the host in `address`, a `HOST:PORT`; the port
  // 0 stands for a free one. Returns InvalidArgument if it is no address or the
  // host has no address, and Unavailable, with `address`, if it is in use or
  // not of this machine. `connections` must outlive the object, and belongs to
  // it. Connections are accepted after Start().
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(
      const std::string& address, ConnectionTable* connections);
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;
  ~Acceptor();

  int port() const { return port_; }

  // An address of this machine at which the acceptor can be reached.
  const sockaddr_storage& local_address() const { return local_address_; }

  // Hands the descriptor of each new connection, which does not block, to
  // `take`. All calls are made by one thread.
  void Start(std::function<void(int fd)> take);

  // Stops listening. After it, `take` is not called.
  void Stop();

 private:
  struct Connection {
    int fd = -1;
    ino_t inode = 0;
  };

  explicit Acceptor(ConnectionTable* connections);

  absl::Status ListenOn(const std::string& host, int port);
  void Run();
  // The largest time of one wait in milliseconds; -1 if nothing is due.
  int WaitMs() const;
  void AcceptFrom(int listener);
  void Admit(int fd, const sockaddr_storage& peer);
  // Removes the connections that the server has closed.
  void Sweep();
  void Close(const std::vector<int64_t>& ids);
  // Called after accept() has failed for lack of resources.
  void Relieve();

  ConnectionTable* const connections_;
  std::vector<int> listeners_;
  int port_ = 0;
  sockaddr_storage local_address_ = {};
  int wake_ = -1;   // an event that ends a wait
  int spare_ = -1;  // given up for a moment if there are no descriptors
  std::function<void(int fd)> take_;
  std::thread thread_;

  // Used by the thread only:
  int64_t next_id_ = 0;
  std::map<int64_t, Connection> open_;  // with those that are being closed
  bool closing_ = false;                // some of them are
  bool relieved_ = false;               // accept() has failed a moment ago
};

// Returns the peer of gRPC for an address: `ipv4:127.0.0.1:80`.
std::string PeerOf(const sockaddr_storage& address);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_ACCEPTOR_H_
