#include "rpc/transport/status.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

TEST(StatusTest, AllCodesSurviveBothWays) {
  for (int code = 0; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code),
                              code == 0 ? "" : "the message");
    EXPECT_EQ(ToGrpc(status).error_code(), code);
    EXPECT_EQ(FromGrpc(ToGrpc(status)), status);
  }
}

TEST(StatusTest, UnknownCodesAreUnknown) {
  for (int code : {-1, 17, 1000}) {
    const grpc::Status status(static_cast<grpc::StatusCode>(code), "text");
    EXPECT_EQ(FromGrpc(status), absl::UnknownError("text"));
  }
}

TEST(StatusTest, ReasonsSurviveBothWays) {
  const absl::Status missing = absl::NotFoundError("`x` is not here");
  EXPECT_EQ(ReasonOf(missing), ErrorInfo::OTHER);
  const absl::Status error = WithReason(missing, ErrorInfo::NO_BLOB);
  EXPECT_EQ(ReasonOf(error), ErrorInfo::NO_BLOB);
  EXPECT_EQ(FromGrpc(ToGrpc(error)), error);
  for (const std::string details : {"", "nonsense", "\xff\xff"}) {
    const grpc::Status status(grpc::StatusCode::NOT_FOUND, "text", details);
    EXPECT_EQ(FromGrpc(status), absl::NotFoundError("text")) << details;
  }
}

TEST(StatusTest, LongMessagesAreCut) {
  const std::string exact(kMaxStatusMessage, 'x');
  EXPECT_EQ(ToGrpc(absl::InternalError(exact)).error_message(), exact);
  const grpc::Status cut = ToGrpc(absl::InternalError(exact + "y"));
  EXPECT_EQ(cut.error_message(), std::string(kMaxStatusMessage - 3, 'x') + "…");
}

}  // namespace
}  // namespace assay::rpc
