#include "tests/farm/attack/attack_mix.h"

#include <cstdint>
#include <vector>

#include "tests/farm/attack/hostile_bytes.h"
#include "tests/farm/attack/hostile_messages.h"

namespace assay {
namespace {

// How many of a hundred messages are of this kind.
struct Share {
  const char* kind;
  int percent;
};
const std::vector<Share>& SharesOf(absl::string_view program) {
  static const auto* const tracker = new std::vector<Share>{
      {kFuzzed, 30},     {kWrongToken, 15}, {kStaleLease, 10},
      {kClaim, 10},      {kPathName, 15},   {kCancelled, 8},
      {kRandomBytes, 4}, {kHalfOpenTls, 4}, {kBrokenHttp2, 4}};
  static const auto* const server = new std::vector<Share>{
      {kFuzzed, 22},   {kWrongToken, 12}, {kStaleLease, 10}, {kOtherLease, 6},
      {kClaim, 10},    {kPathName, 12},   {kTruncated, 8},   {kLiveSession, 4},
      {kCancelled, 4}, {kRandomBytes, 4}, {kHalfOpenTls, 4}, {kBrokenHttp2, 4}};
  static const auto* const proxy = new std::vector<Share>{
      {kFuzzed, 16},    {kWrongToken, 12}, {kStaleLease, 10}, {kOtherLease, 6},
      {kClaim, 10},     {kPathName, 10},   {kTruncated, 8},   {kLiveSession, 4},
      {kCancelled, 4},  {kAgent, 8},       {kRandomBytes, 4}, {kHalfOpenTls, 4},
      {kBrokenHttp2, 4}};
  return program == kTracker ? *tracker : program == kServer ? *server : *proxy;
}

}  // namespace

std::string DrawKind(absl::string_view program, Rng& rng) {
  int64_t number = rng.UniformInt(0, 99);
  for (const Share& share : SharesOf(program)) {
    if (number < share.percent) return share.kind;
    number -= share.percent;
  }
  return kFuzzed;
}

bool IsOfBytes(absl::string_view kind) {
  return kind == kRandomBytes || kind == kHalfOpenTls || kind == kBrokenHttp2;
}

}  // namespace assay
