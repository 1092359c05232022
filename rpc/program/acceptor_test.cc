#include "rpc/program/acceptor.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/program/connection_table.h"

namespace assay::rpc {
namespace {

constexpr int kPatienceMs = 60'000;

// A connection of a client to a port of 127.0.0.1.
class Client {
 public:
  explicit Client(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address),
                         sizeof(address)) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(fd_); }

  bool connected() const { return connected_; }

  // Waits for a byte; returns false if the other side has closed.
  bool Hears() const {
    char byte = 0;
    pollfd wait = {fd_, POLLIN, 0};
    return poll(&wait, 1, kPatienceMs) == 1 && recv(fd_, &byte, 1, 0) == 1;
  }
  bool IsClosed() const {
    char byte = 0;
    pollfd wait = {fd_, POLLIN, 0};
    return poll(&wait, 1, kPatienceMs) == 1 && recv(fd_, &byte, 1, 0) <= 0;
  }
  std::string peer() const {
    sockaddr_storage address = {};
    socklen_t size = sizeof(address);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    return PeerOf(address);
  }

 private:
  const int fd_;
  bool connected_ = false;
};

// Sends a byte on each new connection, and closes those that are shut down.
class Server {
 public:
  explicit Server(const ConnectionLimits& limits) : table(limits) {
    auto acceptor = Acceptor::Listen("127.0.0.1:0", &table);
    EXPECT_TRUE(acceptor.ok()) << acceptor.status();
    acceptor_ = *std::move(acceptor);
    acceptor_->Start([this](int fd) { Take(fd); });
    closer_ = std::thread([this] { CloseEnded(); });
  }
  ~Server() {
    acceptor_ = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    closer_.join();
    for (const int fd : fds_) close(fd);
  }

  int port() const { return acceptor_->port(); }

  ConnectionTable table;

 private:
  void Take(int fd) {
    send(fd, "x", 1, MSG_NOSIGNAL);
    const std::lock_guard<std::mutex> lock(mutex_);
    fds_.push_back(fd);
  }

  // As a server does that waits for requests.
  void CloseEnded() {
    while (true) {
      std::vector<pollfd> waits;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (stopping_) return;
        for (const int fd : fds_) waits.push_back({fd, POLLIN, 0});
      }
      poll(waits.data(), waits.size(), /*timeout=*/5);
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const pollfd& wait : waits) {
        if (wait.revents == 0) continue;
        close(wait.fd);
        fds_.erase(std::find(fds_.begin(), fds_.end(), wait.fd));
      }
    }
  }

  std::unique_ptr<Acceptor> acceptor_;
  std::mutex mutex_;
  std::vector<int> fds_;
  bool stopping_ = false;
  std::thread closer_;
};

ConnectionLimits Limits(size_t open, size_t anonymous) {
  ConnectionLimits limits;
  limits.max_open = open;
  limits.max_anonymous = limits.max_anonymous_per_source = anonymous;
  return limits;
}

TEST(AcceptorTest, ClosesTheOldestAnonymousConnections) {
  Server server(Limits(100, 3));
  const Client known(server.port());
  EXPECT_TRUE(known.Hears());
  server.table.Know(known.peer());
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 40; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    ASSERT_TRUE(clients.back()->connected());
    EXPECT_TRUE(clients.back()->Hears()) << i;
  }
  for (size_t i = 0; i + 3 < clients.size(); ++i) {
    EXPECT_TRUE(clients[i]->IsClosed()) << i;
  }
  EXPECT_EQ(server.table.open(), 4u);
  EXPECT_EQ(server.table.anonymous(), 3u);
}

TEST(AcceptorTest, RefusesConnectionsIfAllAreKnown) {
  Server server(Limits(2, 2));
  auto first = std::make_unique<Client>(server.port());
  EXPECT_TRUE(first->Hears());
  server.table.Know(first->peer());
  const Client second(server.port());
  EXPECT_TRUE(second.Hears());
  server.table.Know(second.peer());
  EXPECT_TRUE(Client(server.port()).IsClosed());
  // The place of one that has left is free again.
  first = nullptr;
  for (bool hears = false; !hears;) hears = Client(server.port()).Hears();
}

// gRPC 1.51 would never accept again.
TEST(AcceptorTest, AcceptsAgainAfterTheLackOfDescriptors) {
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  Server server(Limits(1000, 1000));
  // Sockets are needed before the limit is lowered.
  std::vector<int> sockets;
  for (int i = 0; i < 20; ++i) {
    sockets.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  }
  rlimit low = limit;
  // No descriptor is free.
  low.rlim_cur = static_cast<rlim_t>(sockets.back()) + 1;
  while (true) {
    const int fd = dup(sockets.back());
    if (fd < 0 || fd > sockets.back()) {
      close(fd);
      break;
    }
    sockets.insert(sockets.begin(), fd);
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const int client = sockets.back();
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(server.port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(
      connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
      0);
  // It is in the queue of the kernel, and cannot be accepted.
  pollfd wait = {client, POLLIN, 0};
  EXPECT_EQ(poll(&wait, 1, 200), 0);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(poll(&wait, 1, kPatienceMs), 1);
  for (const int fd : sockets) close(fd);
}

TEST(AcceptorTest, ListensOnAllAddressesOfTheHost) {
  for (const char* address : {"localhost:0", "0.0.0.0:0", "127.0.0.1:0"}) {
    ConnectionTable table(Limits(10, 10));
    const auto acceptor = Acceptor::Listen(address, &table);
    ASSERT_TRUE(acceptor.ok()) << acceptor.status();
    EXPECT_GT((*acceptor)->port(), 0);
    EXPECT_TRUE(Client((*acceptor)->port()).connected()) << address;
  }
}

TEST(AcceptorTest, RejectsOtherAddresses) {
  ConnectionTable table(Limits(10, 10));
  for (const char* address : {"", "localhost", ":80", "localhost:99999",
                              "localhost:x", "[::1:80", "no host:80"}) {
    EXPECT_TRUE(
        absl::IsInvalidArgument(Acceptor::Listen(address, &table).status()))
        << address;
  }
  // TEST-NET-1: no machine has it.
  const absl::Status status = Acceptor::Listen("192.0.2.1:0", &table).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

}  // namespace
}  // namespace assay::rpc
