#include "tests/farm/tcp_relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay {
namespace {

// Answers every connection with what it receives.
class EchoServer {
 public:
  EchoServer() : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    bind(fd_, reinterpret_cast<sockaddr*>(&address), size);
    listen(fd_, 10);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] {
      while (true) {
        const int connection = accept(fd_, nullptr, nullptr);
        if (connection < 0) return;
        char buffer[1000];
        ssize_t got = 0;
        while ((got = recv(connection, buffer, sizeof(buffer), 0)) > 0) {
          send(connection, buffer, static_cast<size_t>(got), MSG_NOSIGNAL);
        }
        close(connection);
      }
    });
  }
  ~EchoServer() {
    shutdown(fd_, SHUT_RDWR);
    thread_.join();
    close(fd_);
  }
  int port() const { return port_; }

 private:
  const int fd_;
  int port_ = 0;
  std::thread thread_;
};

class Client {
 public:
  explicit Client(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    const timeval limit = {5, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  }
  ~Client() { close(fd_); }

  void Send(const std::string& text) {
    send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  void End() { shutdown(fd_, SHUT_WR); }
  // Receives up to the end of the connection.
  std::string ReceiveAll() {
    std::string all;
    char buffer[10000];
    ssize_t got = 0;
    while ((got = recv(fd_, buffer, sizeof(buffer), 0)) > 0) {
      all.append(buffer, static_cast<size_t>(got));
    }
    return all;
  }

 private:
  const int fd_;
};

class TcpRelayTest : public testing::Test {
 protected:
  std::string Echo(const std::string& text) {
    Client client(relay_->port());
    client.Send(text);
    client.End();
    return client.ReceiveAll();
  }

  EchoServer server_;
  const std::unique_ptr<TcpRelay> relay_ = *TcpRelay::Start(server_.port());
};

TEST_F(TcpRelayTest, Forwards) {
  EXPECT_EQ(Echo("hello"), "hello");
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE(Echo(large) == large);
  EXPECT_EQ(relay_->forwarded(), 3'000'005);
  EXPECT_EQ(relay_->connections(), 2);
}

TEST_F(TcpRelayTest, Delays) {
  relay_->SetDelay(30'000'000);
  const int64_t start = MonotonicNanos();
  EXPECT_EQ(Echo("hello"), "hello");
  EXPECT_GE(MonotonicNanos() - start, 60'000'000);
}

TEST_F(TcpRelayTest, Resets) {
  relay_->SetResetProbability(1);
  EXPECT_EQ(Echo("hello"), "");
  EXPECT_EQ(relay_->resets(), 1);
  relay_->SetResetProbability(0);
  EXPECT_EQ(Echo("hello"), "hello");
}

TEST_F(TcpRelayTest, ResetsAfterANumberOfBytes) {
  relay_->ResetAfter(100'000);
  const std::string large(30'000'000, 'x');
  EXPECT_LT(Echo(large).size(), large.size());
  EXPECT_EQ(Echo("hello"), "hello");
}

TEST_F(TcpRelayTest, IsSilent) {
  relay_->SetSilent(true);
  Client client(relay_->port());
  client.Send("hello");
  client.End();
  Clock::Monotonic()->SleepNanos(50'000'000);
  EXPECT_EQ(relay_->forwarded(), 0);
  relay_->SetSilent(false);
  EXPECT_EQ(client.ReceiveAll(), "hello");
}

TEST_F(TcpRelayTest, ChangesItsTarget) {
  EchoServer other;
  relay_->SetTarget(1);
  EXPECT_EQ(Echo("hello"), "");
  relay_->SetTarget(other.port());
  EXPECT_EQ(Echo("hello"), "hello");
}

}  // namespace
}  // namespace assay
