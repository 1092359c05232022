#include "rpc/transport/status.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace assay::rpc {

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  std::string message(status.message());
  if (message.size() > kMaxStatusMessage) {
    message = absl::StrCat(message.substr(0, kMaxStatusMessage - 3), "…");
  }
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), message);
}

absl::Status FromGrpc(const grpc::Status& status) {
  const int code = status.error_code();
  const int last = static_cast<int>(absl::StatusCode::kUnauthenticated);
  return absl::Status(code >= 0 && code <= last
                          ? static_cast<absl::StatusCode>(code)
                          : absl::StatusCode::kUnknown,
                      status.error_message());
}

}  // namespace assay::rpc
