#include "rpc/transport/credentials.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "grpcpp/security/tls_certificate_provider.h"
#include "grpcpp/security/tls_credentials_options.h"
#include "rpc/security/private_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

namespace tls = grpc::experimental;

// Certificates are looked at so often, in seconds.
constexpr unsigned kRefreshSeconds = 5;
constexpr int64_t kMaxPemBytes = int64_t{1} << 20;

// Returns the host of a `HOST:PORT` or `[HOST]:PORT`.
absl::string_view HostOf(absl::string_view address) {
  for (const absl::string_view scheme : {"dns:///", "dns:", "ipv4:", "ipv6:"}) {
    if (absl::ConsumePrefix(&address, scheme)) break;
  }
  if (absl::ConsumePrefix(&address, "[")) {
    return address.substr(0, address.find(']'));
  }
  return address.substr(0, address.rfind(':'));
}

absl::Status CheckTransport(const Transport& transport,
                            const std::string& address) {
  if (transport.plain_text != transport.tls_folder.empty()) {
    return absl::InvalidArgumentError(
        transport.plain_text
            ? "TLS and plain text are both chosen; choose one of them"
            : "give a folder of TLS files, or choose plain text");
  }
  if (transport.plain_text && !IsLoopback(address)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", address,
                     "` is not on this machine, and connections to other "
                     "machines need TLS"));
  }
  return absl::OkStatus();
}

// Checks that the contents of `path` have the line `-----BEGIN …KIND-----`.
absl::Status CheckPem(const std::string& path, absl::string_view kind,
                      const absl::StatusOr<std::string>& contents) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, contents);
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "-----BEGIN ") &&
        absl::EndsWith(absl::StripSuffix(line, "\r"),
                       absl::StrCat(kind, "-----"))) {
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", path, "` has no ", kind, " in PEM form"));
}

}  // namespace

bool IsLoopback(absl::string_view address) {
  if (absl::StartsWith(address, "unix:")) return true;
  const absl::string_view host = HostOf(address);
  if (host == "localhost" || host == "::1") return true;
  // 127.0.0.0/8, but not a name such as `127.0.0.1.example.com`.
  int parts = 0;
  for (const absl::string_view part : absl::StrSplit(host, '.')) {
    int number = -1;
    if (!absl::SimpleAtoi(part, &number) || number < 0 || number > 255 ||
        (parts == 0 && number != 127)) {
      return false;
    }
    ++parts;
  }
  return parts == 4;
}

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const Transport& transport, const std::string& address) {
  ASSAY_RETURN_IF_ERROR(CheckTransport(transport, address));
  if (transport.plain_text) return grpc::InsecureServerCredentials();
  const std::string certificate = JoinPath(transport.tls_folder, "server.pem");
  const std::string key = JoinPath(transport.tls_folder, "server.key");
  ASSAY_RETURN_IF_ERROR(CheckPem(certificate, "CERTIFICATE",
                                 ReadFile(certificate, kMaxPemBytes)));
  ASSAY_RETURN_IF_ERROR(CheckPem(key, "PRIVATE KEY", ReadPrivateFile(key)));
  tls::TlsServerCredentialsOptions options(
      std::make_shared<tls::FileWatcherCertificateProvider>(key, certificate,
                                                            kRefreshSeconds));
  options.watch_identity_key_cert_pairs();
  options.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  return tls::TlsServerCredentials(options);
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>>
MakeChannelCredentials(const Transport& transport, const std::string& address) {
  ASSAY_RETURN_IF_ERROR(CheckTransport(transport, address));
  if (transport.plain_text) return grpc::InsecureChannelCredentials();
  const std::string authority = JoinPath(transport.tls_folder, "ca.pem");
  ASSAY_RETURN_IF_ERROR(
      CheckPem(authority, "CERTIFICATE", ReadFile(authority, kMaxPemBytes)));
  tls::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(
      std::make_shared<tls::FileWatcherCertificateProvider>(authority,
                                                            kRefreshSeconds));
  options.watch_root_certs();
  options.set_verify_server_certs(true);
  return tls::TlsCredentials(options);
}

}  // namespace assay::rpc
