#include "reports/store/checked_line.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/sha256.h"

namespace assay::reports {
namespace {

constexpr absl::string_view kBeforeId = R"({"id":")";
constexpr absl::string_view kAfterId = R"(",)";
constexpr size_t kIdSize = 64;

}  // namespace

std::string CheckedLine(absl::string_view body) {
  return absl::StrCat(kBeforeId, Sha256Hex(body), kAfterId, body, "\n");
}

absl::StatusOr<absl::string_view> BodyOf(absl::string_view line) {
  absl::ConsumeSuffix(&line, "\n");
  // Version control systems may convert line breaks.
  absl::ConsumeSuffix(&line, "\r");
  constexpr size_t kBodyAt = kBeforeId.size() + kIdSize + kAfterId.size();
  if (line.size() <= kBodyAt || !absl::StartsWith(line, kBeforeId) ||
      line.substr(kBodyAt - kAfterId.size(), kAfterId.size()) != kAfterId) {
    return absl::InvalidArgumentError("is not a record");
  }
  const absl::string_view body = line.substr(kBodyAt);
  if (Sha256Hex(body) != IdOf(line)) {
    return absl::DataLossError("does not match its checksum");
  }
  return body;
}

absl::string_view IdOf(absl::string_view line) {
  return line.substr(kBeforeId.size(), kIdSize);
}

}  // namespace assay::reports
