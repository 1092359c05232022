#include "rpc/program/watchdog.h"

#include <errno.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "rpc/program/acceptor.h"
#include "runtime/base/exit_code.h"

namespace assay::rpc {
namespace {

// A server of HTTP/2 sends a frame with its settings first (RFC 9113): three
// bytes for the size, one for the type, and five more.
constexpr int kFrameHeader = 9;
constexpr int kTypeAt = 3;
constexpr char kSettings = 4;
constexpr unsigned char kHttp2[] = {2, 'h', '2'};

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

SSL_CTX* ClientContext() {
  static SSL_CTX* const context = [] {
    // OpenSSL writes to connections that may be closed.
    struct sigaction current = {};
    if (sigaction(SIGPIPE, nullptr, &current) == 0 &&
        current.sa_handler == SIG_DFL) {
      signal(SIGPIPE, SIG_IGN);
    }
    return SSL_CTX_new(TLS_client_method());
  }();
  return context;
}

socklen_t SizeOf(const sockaddr_storage& address) {
  return address.ss_family == AF_INET6 ? sizeof(sockaddr_in6)
                                       : sizeof(sockaddr_in);
}

absl::Status Failed(const char* what) {
  return absl::ErrnoToStatus(
      errno, absl::StrCat("cannot ", what, " the program's own port"));
}

// Reads the header of a frame with `read`, which is like read().
template <typename Read>
absl::Status ExpectSettings(const Read& read) {
  char header[kFrameHeader] = {};
  int done = 0;
  while (done < kFrameHeader) {
    errno = 0;
    const auto size = read(header + done, kFrameHeader - done);
    if (size <= 0) return Failed("read from");
    done += static_cast<int>(size);
  }
  if (header[kTypeAt] == kSettings) return absl::OkStatus();
  return absl::InternalError("the program's own port does not speak HTTP/2");
}

}  // namespace

std::function<void(const absl::Status&)> EndUnreachableProgram(EventLog* log) {
  return [log](const absl::Status& status) {
    log->Write("unreachable", {{"error", std::string(status.message())}});
    _exit(ReportExitCode(absl::InternalError(
        absl::StrCat("the program cannot be reached any more and ends: ",
                     status.message()))));
  };
}

Watchdog::Watchdog(WatchdogOptions options)
    : options_(std::move(options)), thread_([this] { Run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    if (fd_ >= 0) shutdown(fd_, SHUT_RDWR);
  }
  changed_.notify_all();
  thread_.join();
}

bool Watchdog::SleepOrStop() {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock,
                           std::chrono::nanoseconds(options_.interval_nanos),
                           [this] { return stopping_; });
}

void Watchdog::Run() {
  int failures = 0;
  while (!SleepOrStop()) {
    const absl::Status status = Try();
    failures = status.ok() ? 0 : failures + 1;
    if (failures < options_.attempts) continue;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (stopping_) return;
    }
    options_.on_unreachable(status);
    return;
  }
}

absl::Status Watchdog::Try() {
  const int fd =
      socket(options_.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // The lack of descriptors is what the watchdog looks for, too.
  if (fd < 0) return Failed("open a socket for");
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    fd_ = fd;
    if (stopping_) shutdown(fd, SHUT_RDWR);
  }
  const absl::Status status = TryWith(fd);
  const std::lock_guard<std::mutex> lock(mutex_);
  fd_ = -1;
  close(fd);
  return status;
}

absl::Status Watchdog::TryWith(int fd) {
  const auto micros = options_.limit_nanos / 1000;
  const timeval limit = {static_cast<time_t>(micros / 1'000'000),
                         static_cast<suseconds_t>(micros % 1'000'000)};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  const auto* const to = reinterpret_cast<const sockaddr*>(&options_.address);
  const socklen_t size = SizeOf(options_.address);
  // The own address, so that the table knows the peer before it is accepted.
  sockaddr_storage from = options_.address;
  if (from.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(from).sin6_port = 0;
  } else {
    reinterpret_cast<sockaddr_in&>(from).sin_port = 0;
  }
  socklen_t from_size = size;
  if (bind(fd, reinterpret_cast<sockaddr*>(&from), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&from), &from_size) != 0) {
    return Failed("bind a socket for");
  }
  if (options_.connections != nullptr) {
    options_.connections->Expect(PeerOf(from));
  }
  if (connect(fd, to, size) != 0) return Failed("connect to");
  if (!options_.tls) {
    return ExpectSettings([fd](char* to, int n) {
      return recv(fd, to, static_cast<size_t>(n), 0);
    });
  }
  // Who answers is certain, so the certificate is not verified.
  const std::unique_ptr<SSL, FreeSsl> ssl(SSL_new(ClientContext()));
  if (ssl == nullptr || SSL_set_fd(ssl.get(), fd) != 1 ||
      SSL_set_alpn_protos(ssl.get(), kHttp2, sizeof(kHttp2)) != 0) {
    return absl::InternalError("cannot prepare a TLS connection");
  }
  errno = 0;
  if (SSL_connect(ssl.get()) != 1) return Failed("open a TLS connection to");
  return ExpectSettings(
      [&ssl](char* to, int n) { return SSL_read(ssl.get(), to, n); });
}

}  // namespace assay::rpc
