#include "tests/farm/tcp_relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

constexpr int64_t kMaxQueuedBytes = 4 << 20;
// How soon an idle relay does what its functions say.
constexpr int kIdleMillis = 10;

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int CloseWithReset(int fd) {
  const linger no_wait = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &no_wait, sizeof(no_wait));
  return close(fd);
}

void SendAtOnce(int fd) {
  const int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

}  // namespace

// Side 0 is the client, and side 1 the target.
struct TcpRelay::Connection {
  struct Piece {
    int64_t due_nanos = 0;
    std::string bytes;
  };
  int fd[2] = {-1, -1};
  bool ended[2] = {false, false};  // the side has closed its output
  bool shut[2] = {false, false};   // the end was forwarded to this side
  // What is on its way to the side.
  std::deque<Piece> queue[2];
  int64_t queued[2] = {0, 0};
};

absl::StatusOr<std::unique_ptr<TcpRelay>> TcpRelay::Start(int target_port,
                                                          uint64_t seed) {
  const int listener =
      socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  if (listener < 0 ||
      bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener, 128) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) !=
          0) {
    return ErrnoError("listen on", "127.0.0.1");
  }
  return std::unique_ptr<TcpRelay>(
      new TcpRelay(listener, ntohs(address.sin_port), target_port, seed));
}

TcpRelay::TcpRelay(int listener, int port, int target, uint64_t seed)
    : listener_(listener), port_(port), target_(target), rng_(seed) {
  thread_ = std::thread([this] { Loop(); });
}

TcpRelay::~TcpRelay() {
  stop_ = true;
  thread_.join();
  for (const auto& connection : open_) {
    for (const int fd : connection->fd) CloseWithReset(fd);
  }
  close(listener_);
}

void TcpRelay::Loop() {
  while (!stop_) {
    std::vector<pollfd> polled = {{listener_, POLLIN, 0}};
    bool waits = false;
    for (const auto& connection : open_) {
      for (int side = 0; side < 2; ++side) {
        const bool reads = !silent_ && !connection->ended[side] &&
                           connection->queued[1 - side] < kMaxQueuedBytes;
        if (reads) polled.push_back({connection->fd[side], POLLIN, 0});
        waits |= connection->queued[side] > 0;
      }
    }
    // Pieces that are late are sent with a resolution of one millisecond.
    poll(polled.data(), polled.size(), waits && !silent_ ? 1 : kIdleMillis);
    Accept();
    const int64_t reset_at = reset_at_;
    if (reset_at >= 0 && forwarded_ >= reset_at) {
      reset_at_ = -1;
      reset_all_ = true;
    }
    const bool reset = reset_all_.exchange(false);
    const int64_t now = MonotonicNanos();
    for (auto it = open_.begin(); it != open_.end();) {
      if (!reset && (silent_ || Serve(**it, now))) {
        ++it;
        continue;
      }
      // After a regular end, a reset would discard what is not yet delivered.
      const bool regular = (*it)->shut[0] && (*it)->shut[1];
      for (const int fd : (*it)->fd) regular ? close(fd) : CloseWithReset(fd);
      it = open_.erase(it);
    }
  }
}

void TcpRelay::Accept() {
  while (true) {
    const int client =
        accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) return;
    const int target = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = Loopback(target_);
    if (target < 0 ||
        connect(target, reinterpret_cast<const sockaddr*>(&address),
                sizeof(address)) != 0) {
      if (target >= 0) close(target);
      CloseWithReset(client);
      continue;
    }
    fcntl(target, F_SETFL, O_NONBLOCK);
    SendAtOnce(client);
    SendAtOnce(target);
    auto connection = std::make_unique<Connection>();
    connection->fd[0] = client;
    connection->fd[1] = target;
    open_.push_back(std::move(connection));
    ++connections_;
  }
}

bool TcpRelay::Serve(Connection& connection, int64_t now) {
  for (int side = 0; side < 2; ++side) {
    if (!Receive(connection, side, now)) {
      ++resets_;
      return false;
    }
  }
  for (int side = 0; side < 2; ++side) {
    if (!Send(connection, side, now)) return false;
  }
  return !connection.shut[0] || !connection.shut[1];
}

bool TcpRelay::Receive(Connection& connection, int side, int64_t now) {
  char buffer[64 << 10];
  const int other = 1 - side;
  while (!connection.ended[side] &&
         connection.queued[other] < kMaxQueuedBytes) {
    const ssize_t size = recv(connection.fd[side], buffer, sizeof(buffer), 0);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    if (size == 0) {
      connection.ended[side] = true;
      break;
    }
    if (rng_.UniformFloat(0, 1) < reset_probability_) return false;
    connection.queue[other].push_back(
        {now + delay_nanos_, std::string(buffer, static_cast<size_t>(size))});
    connection.queued[other] += size;
  }
  return true;
}

bool TcpRelay::Send(Connection& connection, int side, int64_t now) {
  std::deque<Connection::Piece>& queue = connection.queue[side];
  while (!queue.empty() && queue.front().due_nanos <= now) {
    std::string& bytes = queue.front().bytes;
    const ssize_t size =
        send(connection.fd[side], bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    connection.queued[side] -= size;
    if (side == 1) forwarded_ += size;
    if (static_cast<size_t>(size) < bytes.size()) {
      bytes.erase(0, static_cast<size_t>(size));
      return true;
    }
    queue.pop_front();
  }
  if (queue.empty() && connection.ended[1 - side] && !connection.shut[side]) {
    shutdown(connection.fd[side], SHUT_WR);
    connection.shut[side] = true;
  }
  return true;
}

}  // namespace assay
