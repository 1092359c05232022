#include "tests/farm/attack/hostile_bytes.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
// Types of frames (RFC 9113).
constexpr int kData = 0;
constexpr int kHeaders = 1;
constexpr int kReset = 3;
constexpr int kSettings = 4;
constexpr int kPing = 6;
constexpr int kGoAway = 7;
constexpr int kWindowUpdate = 8;
constexpr int kContinuation = 9;
constexpr int kTypes = 10;
constexpr int kEndHeaders = 4;
constexpr int kFrameHeader = 9;

// How long an answer is waited for.
constexpr int kQuietMs = 20;

std::string RandomBytes(int64_t size, Rng& rng) {
  std::string bytes(static_cast<size_t>(size), '\0');
  for (char& byte : bytes) byte = static_cast<char>(rng.UniformInt(0, 255));
  return bytes;
}

std::string BigEndian(uint32_t number, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) {
    text += static_cast<char>(number >> (8 * i) & 0xff);
  }
  return text;
}

// A frame whose header claims `size` bytes.
std::string FrameOf(uint32_t size, int type, int flags, uint32_t stream,
                    absl::string_view payload) {
  return absl::StrCat(BigEndian(size, 3), BigEndian(type, 1),
                      BigEndian(flags, 1), BigEndian(stream, 4), payload);
}
std::string Frame(int type, int flags, uint32_t stream,
                  absl::string_view payload) {
  return FrameOf(static_cast<uint32_t>(payload.size()), type, flags, stream,
                 payload);
}

// A field without compression. Requires less than 127 bytes each.
std::string Field(absl::string_view name, absl::string_view value) {
  return absl::StrCat(std::string(1, '\0'),
                      BigEndian(static_cast<uint32_t>(name.size()), 1), name,
                      BigEndian(static_cast<uint32_t>(value.size()), 1), value);
}

std::string CallHeaders(const std::string& method) {
  return absl::StrCat(Field(":method", "POST"), Field(":scheme", "https"),
                      Field(":path", method), Field(":authority", "localhost"),
                      Field("content-type", "application/grpc"),
                      Field("te", "trailers"), Field("grpc-timeout", "1S"));
}

// Says what the frames of an answer mean for the connection.
std::string Describe(const RawConnection::Answer& answer) {
  bool reset = false;
  bool headers = false;
  absl::string_view bytes = answer.bytes;
  while (bytes.size() >= kFrameHeader) {
    const auto byte = [&](int i) { return static_cast<uint8_t>(bytes[i]); };
    const size_t size = byte(0) << 16 | byte(1) << 8 | byte(2);
    if (byte(3) == kGoAway) return "GOAWAY";
    if (byte(3) == kReset) reset = true;
    if (byte(3) == kHeaders) headers = true;
    if (bytes.size() < kFrameHeader + size) break;
    bytes.remove_prefix(kFrameHeader + size);
  }
  if (reset) return "RST_STREAM";
  if (headers) return "HEADERS";
  return answer.closed ? "closed" : "open";
}

}  // namespace

HostileBytes::HostileBytes(int port, std::string method, size_t max_open)
    : port_(port), method_(std::move(method)), max_open_(max_open) {}

// Frames after a correct beginning.
std::string HostileBytes::Frames(Rng& rng) const {
  const std::string call =
      Frame(kHeaders, kEndHeaders, 1, CallHeaders(method_));
  const auto repeat = [](int times, const std::string& frame) {
    std::string frames;
    for (int i = 0; i < times; ++i) frames += frame;
    return frames;
  };
  switch (rng.UniformInt(0, 13)) {
    case 0:  // anything
      return FrameOf(static_cast<uint32_t>(rng.UniformInt(0, (1 << 24) - 1)),
                     static_cast<int>(rng.UniformInt(0, 255)),
                     static_cast<int>(rng.UniformInt(0, 255)),
                     static_cast<uint32_t>(rng.UniformInt(0, INT32_MAX)),
                     RandomBytes(rng.UniformInt(0, 200), rng));
    case 1: {  // a known type with random contents
      std::string frames;
      for (int64_t i = rng.UniformInt(1, 8); i > 0; --i) {
        frames += Frame(static_cast<int>(rng.UniformInt(0, kTypes)),
                        static_cast<int>(rng.UniformInt(0, 255)),
                        static_cast<uint32_t>(rng.UniformInt(0, 5)),
                        RandomBytes(rng.UniformInt(0, 40), rng));
      }
      return frames;
    }
    case 2:  // settings of a wrong size
      return Frame(kSettings, 0, 0, RandomBytes(5, rng));
    case 3:  // settings that change the size of windows again and again
      return repeat(200, Frame(kSettings, 0, 0, RandomBytes(6, rng)));
    case 4:  // a window that overflows
      return repeat(3, Frame(kWindowUpdate, 0, 0, BigEndian(INT32_MAX, 4)));
    case 5:  // data on a stream that does not exist
      return Frame(kData, 0, static_cast<uint32_t>(rng.UniformInt(0, 3)),
                   "data");
    case 6:  // compressed fields that refer to nothing
      return Frame(kHeaders, kEndHeaders, 1, RandomBytes(60, rng));
    case 7: {  // a flood of calls that are cancelled at once
      std::string frames;
      for (uint32_t i = 0; i < 100; ++i) {
        frames += Frame(kHeaders, kEndHeaders, 2 * i + 1, CallHeaders(method_));
        frames += Frame(kReset, 0, 2 * i + 1, BigEndian(8, 4));
      }
      return frames;
    }
    case 8:  // fields without end
      return Frame(kHeaders, 0, 1, CallHeaders(method_)) +
             repeat(100, Frame(kContinuation, 0, 1,
                               repeat(20, Field(std::string(60, 'n'),
                                                std::string(60, 'v')))));
    case 9:  // a flood of pings
      return repeat(500, Frame(kPing, 0, 0, std::string(8, 'p')));
    case 10:  // a message that claims 1 GiB
      return call + Frame(kData, 0, 1,
                          absl::StrCat(std::string(1, '\0'),
                                       BigEndian(1U << 30, 4), "message"));
    case 11:  // a message that claims 4 GiB, and is compressed
      return call + Frame(kData, 1, 1,
                          absl::StrCat(BigEndian(1, 1),
                                       BigEndian(UINT32_MAX, 4), "message"));
    case 12:  // a frame that claims 16 MiB
      return call + FrameOf((1 << 24) - 1, kData, 0, 1, "message");
    default:  // a call that stops in its fields
      return call.substr(0, static_cast<size_t>(rng.UniformInt(
                                0, static_cast<int64_t>(call.size()))));
  }
}

absl::StatusOr<std::string> HostileBytes::Send(const std::string& kind,
                                               Rng& rng) {
  const bool tls = kind == kBrokenHttp2;
  ASSAY_ASSIGN_OR_RETURN(auto connection, RawConnection::Open(port_, tls));
  if (kind == kHalfOpenTls) {
    const std::string hello = RawConnection::ClientHello();
    const auto size = static_cast<int64_t>(hello.size());
    connection->Send(hello.substr(
        0, static_cast<size_t>(
               rng.UniformInt(0, 1) == 0 ? rng.UniformInt(0, size) : size)));
    open_.push_back(std::move(connection));
    if (open_.size() > max_open_) open_.pop_front();
    return std::string("open");
  }
  if (tls) {
    connection->Send(kPreface);
    if (rng.UniformInt(0, 7) > 0) connection->Send(Frame(kSettings, 0, 0, ""));
    connection->Send(Frames(rng));
  } else {
    std::string bytes = RandomBytes(rng.UniformInt(0, 3000), rng);
    const int64_t begin = rng.UniformInt(0, 2);
    // Some look like the start of HTTP/2 or of a TLS handshake.
    if (begin == 0) bytes.insert(0, kPreface);
    if (begin == 1) bytes.insert(0, "\x16\x03\x01\x02");
    connection->Send(bytes);
  }
  return Describe(connection->Read(kQuietMs));
}

int HostileBytes::CountOpen() {
  int count = 0;
  for (const auto& connection : open_) {
    if (!connection->Read(0).closed) ++count;
  }
  return count;
}

}  // namespace assay
