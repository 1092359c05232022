#include "rpc/client/peer_status.h"

#include <cstddef>
#include <cstdint>

#include "rpc/transport/status.h"

namespace assay::rpc {
namespace {

// Returns the number of bytes of the character at the start of `text`, or 0 if
// these bytes are not UTF-8 or are a control character.
size_t CharacterSize(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  uint32_t code = first & (0xff >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool control = code < 0xa0;
  return code >= kLeast[size] && code <= 0x10ffff && !surrogate && !control
             ? size
             : 0;
}

}  // namespace

std::string OneLine(absl::string_view text) {
  std::string line;
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) {
      line += text.front() == '\n' || text.front() == '\t' ? ' ' : '?';
    } else {
      line.append(text.data(), size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return line;
}

absl::Status PeerStatus(const grpc::Status& status) {
  const absl::Status error = FromGrpc(status);
  const std::string message =
      OneLine(error.message().substr(0, kMaxStatusMessage));
  return WithReason(absl::Status(error.code(), message), ReasonOf(error));
}

}  // namespace assay::rpc
