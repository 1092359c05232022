#include "rpc/transport/status.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace assay::rpc {
namespace {

// The payload of an error with its reason.
constexpr char kReasonUrl[] = "assay.rpc/reason";

}  // namespace

absl::Status WithReason(absl::Status error, ErrorInfo::Reason reason) {
  if (reason == ErrorInfo::OTHER) return error;
  ErrorInfo info;
  info.set_reason(reason);
  const std::string details = info.SerializeAsString();
  error.SetPayload(kReasonUrl, absl::Cord(details));
  return error;
}

ErrorInfo::Reason ReasonOf(const absl::Status& error) {
  const auto details = error.GetPayload(kReasonUrl);
  ErrorInfo info;
  return details.has_value() && info.ParseFromString(std::string(*details))
             ? info.reason()
             : ErrorInfo::OTHER;
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  std::string message(status.message());
  if (message.size() > kMaxStatusMessage) {
    message = absl::StrCat(message.substr(0, kMaxStatusMessage - 3), "…");
  }
  const auto details = status.GetPayload(kReasonUrl);
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), message,
                      details.has_value() ? std::string(*details) : "");
}

absl::Status FromGrpc(const grpc::Status& status) {
  const int code = status.error_code();
  const int last = static_cast<int>(absl::StatusCode::kUnauthenticated);
  const absl::Status error(code >= 0 && code <= last
                               ? static_cast<absl::StatusCode>(code)
                               : absl::StatusCode::kUnknown,
                           status.error_message());
  ErrorInfo info;
  return info.ParseFromString(status.error_details())
             ? WithReason(error, info.reason())
             : error;
}

}  // namespace assay::rpc
