// RawConnection: a connection to a program of this machine, on which tests send
// bytes that no client would send.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto connection,
//                          RawConnection::Open(port, /*tls=*/true));
//   connection->Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
//   const RawConnection::Answer answer = connection->Read(100);
#ifndef ASSAY_TESTS_FARM_ATTACK_RAW_CONNECTION_H_
#define ASSAY_TESTS_FARM_ATTACK_RAW_CONNECTION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// SSL of libssl.
struct ssl_st;

namespace assay {

class RawConnection {
 public:
  struct Answer {
    std::string bytes = {};
    bool closed = false;  // by the program
  };

  // Connects to 127.0.0.1. With `tls`, all bytes are sent in a TLS connection
  // for HTTP/2. Who the program is, is not checked. Returns Unavailable if the
  // program does not take the connection within ten seconds.
  static absl::StatusOr<std::unique_ptr<RawConnection>> Open(int port,
                                                             bool tls);
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  ~RawConnection();  // closes the connection

  // Returns false if the program has closed the connection.
  bool Send(absl::string_view bytes);

  // Returns what comes until the connection is closed, or nothing has come for
  // `quiet_ms`.
  Answer Read(int quiet_ms);

  // Returns the first bytes that a client of TLS sends.
  static std::string ClientHello();

 private:
  RawConnection(int fd, ssl_st* ssl) : fd_(fd), ssl_(ssl) {}

  const int fd_;
  ssl_st* const ssl_;  // null without TLS
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_RAW_CONNECTION_H_
