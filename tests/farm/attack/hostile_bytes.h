// HostileBytes: sends bytes that are no calls to a program of the farm.
//
//   random bytes        no TLS at all, or what looks like its beginning
//   half-open TLS       a part of a handshake, after which nothing comes; some
//                       of these connections are kept open
//   broken HTTP/2       frames with wrong sizes, types, streams and contents,
//                       floods, and messages that claim up to 4 GiB, in a TLS
//                       connection
//
// Not thread-safe.
#ifndef ASSAY_TESTS_FARM_ATTACK_HOSTILE_BYTES_H_
#define ASSAY_TESTS_FARM_ATTACK_HOSTILE_BYTES_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/base/random.h"
#include "tests/farm/attack/raw_connection.h"

namespace assay {

inline constexpr char kRandomBytes[] = "random bytes";
inline constexpr char kHalfOpenTls[] = "half-open TLS";
inline constexpr char kBrokenHttp2[] = "broken HTTP/2";

class HostileBytes {
 public:
  // Connects to 127.0.0.1. `method` is the path of a method that exists.
  // Keeps at most `max_open` connections open.
  HostileBytes(int port, std::string method, size_t max_open);

  // Opens a connection, sends bytes of this kind, and returns how the program
  // has answered: `closed`, `open`, `GOAWAY`, `RST_STREAM` or `HEADERS`.
  // Returns Unavailable if the program does not take connections.
  absl::StatusOr<std::string> Send(const std::string& kind, Rng& rng);

  // Returns the number of kept connections that the program has not closed.
  int CountOpen();

 private:
  std::string Frames(Rng& rng) const;

  const int port_;
  const std::string method_;
  const size_t max_open_;
  std::deque<std::unique_ptr<RawConnection>> open_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HOSTILE_BYTES_H_
