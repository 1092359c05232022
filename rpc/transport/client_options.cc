#include "rpc/transport/client_options.h"

#include <stdlib.h>

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "rpc/security/private_file.h"
#include "rpc/security/token_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMaxTokenFileBytes = 4096;

// Returns the value of the flag or, if it is not there, of the variable.
std::string FlagOr(const std::string& flag, const char* variable) {
  if (!flag.empty()) return flag;
  const char* value = getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

bool HasTracker(const ClientFlags& flags) {
  return !FlagOr(flags.tracker, "ASSAY_TRACKER").empty();
}

absl::StatusOr<ClientOptions> ReadClientOptions(const ClientFlags& flags) {
  ClientOptions options;
  const std::string tracker = FlagOr(flags.tracker, "ASSAY_TRACKER");
  if (tracker.empty()) {
    return absl::InvalidArgumentError(
        "no tracker is named: give `--tracker=HOST:PORT` or set ASSAY_TRACKER");
  }
  const absl::StatusOr<Address> address = ParseAddress(tracker);
  if (!address.ok() || !address->device.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the tracker `", tracker.substr(0, 400),
                     "` is not an address like `HOST:PORT`"));
  }
  options.tracker = *address;

  if (flags.plain_text && !flags.tls.empty()) {
    return absl::InvalidArgumentError(
        "`--tls` and `--plain_text` are both given; give one of them");
  }
  options.transport.plain_text = flags.plain_text;
  if (!flags.plain_text) {
    options.transport.tls_folder =
        FromCallersFolder(FlagOr(flags.tls, "ASSAY_TLS"));
    if (options.transport.tls_folder.empty()) {
      return absl::InvalidArgumentError(
          "no certificates are named: give `--tls=DIR` or set ASSAY_TLS, or "
          "give `--plain_text` for a tracker on this machine");
    }
  } else if (!IsLoopback(options.tracker.endpoint)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--plain_text` is refused because the tracker `", tracker,
                     "` is not on this machine; give `--tls=DIR`"));
  }

  options.token_file =
      FromCallersFolder(FlagOr(flags.token_file, "ASSAY_TOKEN_FILE"));
  if (options.token_file.empty()) {
    return absl::InvalidArgumentError(
        "no token is named: give `--token_file=FILE` or set ASSAY_TOKEN_FILE");
  }
  ASSAY_ASSIGN_OR_RETURN(options.token, ReadToken(options.token_file));
  return options;
}

absl::StatusOr<std::string> ReadToken(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(std::string token,
                         ReadPrivateFile(path, kMaxTokenFileBytes));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) {
    token.pop_back();
  }
  const bool is_token =
      token.size() >= kMinTokenLength && token.size() <= kMaxTokenLength &&
      std::all_of(token.begin(), token.end(), [](char c) {
        return absl::ascii_isgraph(static_cast<unsigned char>(c));
      });
  if (is_token) return token;
  return absl::InvalidArgumentError(absl::StrCat(
      "`", path, "` does not consist of one token of ", kMinTokenLength, " to ",
      kMaxTokenLength, " printable characters"));
}

}  // namespace assay::rpc
