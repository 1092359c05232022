#include "tests/farm/attack/raw_connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

constexpr int kTimeoutSeconds = 10;
constexpr unsigned char kHttp2[] = {2, 'h', '2'};

SSL* NewSsl() {
  static SSL_CTX* const context = [] {
    // A write to a closed connection must not end the process.
    signal(SIGPIPE, SIG_IGN);
    return SSL_CTX_new(TLS_client_method());
  }();
  SSL* const ssl = SSL_new(context);
  CHECK(ssl != nullptr);
  CHECK(SSL_set_alpn_protos(ssl, kHttp2, sizeof(kHttp2)) == 0);
  return ssl;
}

absl::StatusOr<int> Connect(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return ErrnoError("create", "a socket");
  const timeval timeout = {kTimeoutSeconds, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
  const int no_delay = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof(no_delay));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) ==
      0) {
    return fd;
  }
  const absl::Status error = ErrnoError("connect to", absl::StrCat(port));
  close(fd);
  return absl::UnavailableError(error.message());
}

}  // namespace

absl::StatusOr<std::unique_ptr<RawConnection>> RawConnection::Open(int port,
                                                                   bool tls) {
  const absl::StatusOr<int> fd = Connect(port);
  if (!fd.ok()) return fd.status();
  SSL* ssl = nullptr;
  if (tls) {
    ssl = NewSsl();
    SSL_set_fd(ssl, *fd);
  }
  std::unique_ptr<RawConnection> connection(new RawConnection(*fd, ssl));
  if (ssl != nullptr && SSL_connect(ssl) != 1) {
    return absl::UnavailableError(
        absl::StrCat("no TLS connection to the port ", port));
  }
  return connection;
}

RawConnection::~RawConnection() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  close(fd_);
}

bool RawConnection::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const auto size = static_cast<int>(bytes.size());
    const auto sent = ssl_ != nullptr
                          ? SSL_write(ssl_, bytes.data(), size)
                          : send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

RawConnection::Answer RawConnection::Read(int quiet_ms) {
  Answer answer;
  char buffer[4096];
  while (true) {
    pollfd wait = {fd_, POLLIN, 0};
    const bool waits = ssl_ != nullptr && SSL_pending(ssl_) > 0;
    if (!waits && poll(&wait, 1, quiet_ms) <= 0) return answer;
    const auto size = ssl_ != nullptr ? SSL_read(ssl_, buffer, sizeof(buffer))
                                      : recv(fd_, buffer, sizeof(buffer), 0);
    if (size <= 0) {
      answer.closed = true;
      return answer;
    }
    answer.bytes.append(buffer, static_cast<size_t>(size));
  }
}

std::string RawConnection::ClientHello() {
  SSL* const ssl = NewSsl();
  // The connection owns both.
  BIO* const in = BIO_new(BIO_s_mem());
  BIO* const out = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl, in, out);
  SSL_connect(ssl);  // waits for the answer
  char buffer[4096];
  const int size = BIO_read(out, buffer, sizeof(buffer));
  SSL_free(ssl);
  return std::string(buffer, size < 0 ? 0 : static_cast<size_t>(size));
}

}  // namespace assay
