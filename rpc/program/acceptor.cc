#include "rpc/program/acceptor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int kBacklog = 4'096;
// Connections that are accepted from a listener before others have their turn.
constexpr int kBatch = 16;
// Connections that the server has not closed yet although it should, beyond the
// limits of the table.
constexpr size_t kMaxClosing = 16;
constexpr int kClosingMs = 5;
constexpr int kRelieveMs = 20;
constexpr int kAnonymousMs = 1'000;
constexpr int kPortAttempts = 8;
constexpr int kMaxPort = 65'535;

struct HostAndPort {
  std::string host;
  int port = 0;
};

absl::StatusOr<HostAndPort> Split(const std::string& address) {
  const absl::Status error = absl::InvalidArgumentError(
      absl::StrCat("`", address, "` is not an address like `HOST:PORT`"));
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return error;
  HostAndPort split;
  absl::string_view host = absl::string_view(address).substr(0, colon);
  if (absl::ConsumePrefix(&host, "[") && !absl::ConsumeSuffix(&host, "]")) {
    return error;
  }
  split.host = std::string(host);
  if (!absl::SimpleAtoi(address.substr(colon + 1), &split.port) ||
      split.port < 0 || split.port > kMaxPort) {
    return error;
  }
  return split;
}

void SetPort(sockaddr_storage* address, int port) {
  const auto network = htons(static_cast<uint16_t>(port));
  if (address->ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6*>(address)->sin6_port = network;
  } else {
    reinterpret_cast<sockaddr_in*>(address)->sin_port = network;
  }
}

int PortOf(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

sockaddr_storage AnyAddress(int family) {
  sockaddr_storage any = {};
  any.ss_family = static_cast<sa_family_t>(family);
  return any;
}

// Returns the addresses of a host. `0.0.0.0` and `::` stand for all addresses
// of the machine, of both families.
absl::StatusOr<std::vector<sockaddr_storage>> Resolve(const std::string& host) {
  std::vector<sockaddr_storage> addresses;
  if (host == "0.0.0.0" || host == "::") {
    addresses = {AnyAddress(AF_INET6), AnyAddress(AF_INET)};
    return addresses;
  }
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (error != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot find the address of `", host, "`: ", gai_strerror(error)));
  }
  for (const addrinfo* a = found; a != nullptr; a = a->ai_next) {
    if (a->ai_family != AF_INET && a->ai_family != AF_INET6) continue;
    sockaddr_storage address = {};
    std::memcpy(&address, a->ai_addr, a->ai_addrlen);
    addresses.push_back(address);
  }
  freeaddrinfo(found);
  return addresses;
}

// Returns a socket that listens on the address, or -errno.
int OpenListener(const sockaddr_storage& address) {
  const int fd =
      socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  // Connections inherit it.
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  if (address.ss_family == AF_INET6) {
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
  }
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address),
           address.ss_family == AF_INET6 ? sizeof(sockaddr_in6)
                                         : sizeof(sockaddr_in)) == 0 &&
      listen(fd, kBacklog) == 0) {
    return fd;
  }
  const int error = errno;
  close(fd);
  return -error;
}

sockaddr_storage LocalAddress(int fd) {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

// Returns an address of this machine for one on which it listens.
sockaddr_storage Reachable(sockaddr_storage address) {
  if (address.ss_family == AF_INET6) {
    auto& ipv6 = reinterpret_cast<sockaddr_in6&>(address);
    if (IN6_IS_ADDR_UNSPECIFIED(&ipv6.sin6_addr)) {
      ipv6.sin6_addr = in6addr_loopback;
    }
  } else {
    auto& ipv4 = reinterpret_cast<sockaddr_in&>(address);
    if (ipv4.sin_addr.s_addr == htonl(INADDR_ANY)) {
      ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
  }
  return address;
}

bool LacksResources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS ||
         error == ENOMEM;
}

}  // namespace

std::string PeerOf(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  const int port = PortOf(address);
  if (address.ss_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &ipv4.sin_addr, text, sizeof(text));
    return absl::StrCat("ipv4:", text, ":", port);
  }
  const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(address);
  if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {
    inet_ntop(AF_INET, &ipv6.sin6_addr.s6_addr[12], text, sizeof(text));
    return absl::StrCat("ipv4:", text, ":", port);
  }
  inet_ntop(AF_INET6, &ipv6.sin6_addr, text, sizeof(text));
  return absl::StrCat("ipv6:[", text, "]:", port);
}

Acceptor::Acceptor(ConnectionTable* connections)
    : connections_(connections),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      spare_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

Acceptor::~Acceptor() {
  Stop();
  if (wake_ >= 0) close(wake_);
  if (spare_ >= 0) close(spare_);
}

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(
    const std::string& address, ConnectionTable* connections) {
  ASSAY_ASSIGN_OR_RETURN(const HostAndPort split, Split(address));
  std::unique_ptr<Acceptor> acceptor(new Acceptor(connections));
  if (acceptor->wake_ < 0) {
    return absl::ErrnoToStatus(errno, "cannot create an event");
  }
  absl::Status status;
  // A free port of one address can be in use at another one.
  const int attempts = split.port == 0 ? kPortAttempts : 1;
  for (int i = 0; i < attempts; ++i) {
    status = acceptor->ListenOn(split.host, split.port);
    if (!absl::IsUnavailable(status)) break;
  }
  if (absl::IsUnavailable(status)) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen on `", address, "`: ", status.message()));
  }
  ASSAY_RETURN_IF_ERROR(status);
  acceptor->local_address_ = Reachable(LocalAddress(acceptor->listeners_[0]));
  return acceptor;
}

// Addresses that this machine does not have, such as those of IPv6 on many,
// are passed over if there are others.
absl::Status Acceptor::ListenOn(const std::string& host, int port) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<sockaddr_storage> addresses,
                         Resolve(host));
  int missing = 0;
  port_ = port;
  for (sockaddr_storage& address : addresses) {
    SetPort(&address, port_);
    const int fd = OpenListener(address);
    if (fd >= 0) {
      listeners_.push_back(fd);
      port_ = PortOf(LocalAddress(fd));
      continue;
    }
    missing = -fd;
    if (missing == EAFNOSUPPORT || missing == EADDRNOTAVAIL) continue;
    break;
  }
  const bool failed =
      missing != 0 && missing != EAFNOSUPPORT && missing != EADDRNOTAVAIL;
  if (!failed && !listeners_.empty()) return absl::OkStatus();
  for (const int fd : listeners_) close(fd);
  listeners_.clear();
  if (missing == EADDRINUSE || missing == EADDRNOTAVAIL ||
      missing == EAFNOSUPPORT) {
    return absl::UnavailableError(
        "the address is in use or is not of this machine");
  }
  return absl::ErrnoToStatus(missing, absl::StrCat("cannot listen on ", host));
}

void Acceptor::Start(std::function<void(int fd)> take) {
  take_ = std::move(take);
  thread_ = std::thread([this] { Run(); });
}

void Acceptor::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    (void)!write(wake_, &one, sizeof(one));
    thread_.join();
  }
  for (const int fd : listeners_) close(fd);
  listeners_.clear();
}

int Acceptor::WaitMs() const {
  if (closing_) return kClosingMs;
  if (relieved_) return kRelieveMs;
  return connections_->anonymous() > 0 ? kAnonymousMs : -1;
}

void Acceptor::Run() {
  while (true) {
    std::vector<pollfd> waits = {{wake_, POLLIN, 0}};
    Sweep();
    const bool full = open_.size() >= connections_->open() + kMaxClosing;
    if (!full && !relieved_) {
      for (const int fd : listeners_) waits.push_back({fd, POLLIN, 0});
    }
    const int ready = poll(waits.data(), waits.size(), WaitMs());
    relieved_ = false;
    if (waits[0].revents != 0) return;
    if (ready > 0) {
      Sweep();
      for (const pollfd& wait : waits) {
        if (wait.fd != wake_ && wait.revents != 0) AcceptFrom(wait.fd);
      }
    }
    Close(connections_->Expire(MonotonicNanos()));
  }
}

void Acceptor::AcceptFrom(int listener) {
  for (int i = 0; i < kBatch; ++i) {
    sockaddr_storage peer = {};
    socklen_t size = sizeof(peer);
    const int fd = accept4(listener, reinterpret_cast<sockaddr*>(&peer), &size,
                           SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      Admit(fd, peer);
      continue;
    }
    if (LacksResources(errno)) Relieve();
    // Other errors are those of one connection, or there is none.
    if (errno != EINTR && errno != ECONNABORTED) return;
  }
}

void Acceptor::Admit(int fd, const sockaddr_storage& peer) {
  struct stat status = {};
  fstat(fd, &status);
  const int64_t id = next_id_++;
  const ConnectionTable::Decision decision =
      connections_->Add(id, PeerOf(peer), MonotonicNanos());
  Close(decision.to_close);
  if (!decision.admitted) {
    close(fd);
    return;
  }
  open_[id] = {fd, status.st_ino};
  take_(fd);
}

void Acceptor::Sweep() {
  for (auto i = open_.begin(); i != open_.end();) {
    struct stat status = {};
    const bool is_open = fstat(i->second.fd, &status) == 0 &&
                         S_ISSOCK(status.st_mode) &&
                         status.st_ino == i->second.inode;
    if (is_open) {
      ++i;
      continue;
    }
    connections_->Remove(i->first);
    i = open_.erase(i);
  }
  closing_ = open_.size() > connections_->open();
}

// The server may close the descriptor at any time, and its number may then be
// that of something else. A duplicate cannot change any more.
void Acceptor::Close(const std::vector<int64_t>& ids) {
  for (const int64_t id : ids) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    closing_ = true;
    int copy = fcntl(found->second.fd, F_DUPFD_CLOEXEC, 0);
    const bool needs_spare = copy < 0 && errno == EMFILE && spare_ >= 0;
    if (needs_spare) {
      close(spare_);
      copy = fcntl(found->second.fd, F_DUPFD_CLOEXEC, 0);
    }
    struct stat status = {};
    if (copy >= 0 && fstat(copy, &status) == 0 && S_ISSOCK(status.st_mode) &&
        status.st_ino == found->second.inode) {
      shutdown(copy, SHUT_RDWR);
    }
    if (copy >= 0) close(copy);
    if (needs_spare) spare_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
}

// Makes room, and does not try again at once.
void Acceptor::Relieve() {
  const int error = errno;
  Close(connections_->Evict());
  relieved_ = true;
  errno = error;
}

}  // namespace assay::rpc
