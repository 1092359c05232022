#include "rpc/client/peer_status.h"

#include <string>

#include "gtest/gtest.h"
#include "rpc/transport/status.h"

namespace assay::rpc {
namespace {

TEST(PeerStatusTest, KeepsCodeAndMessage) {
  EXPECT_EQ(PeerStatus(grpc::Status(grpc::StatusCode::ABORTED, "`x` ended…")),
            absl::AbortedError("`x` ended…"));
  EXPECT_TRUE(PeerStatus(grpc::Status::OK).ok());
  const absl::Status missing =
      WithReason(absl::NotFoundError("x"), ErrorInfo::NO_BLOB);
  EXPECT_EQ(PeerStatus(ToGrpc(missing)), missing);
  EXPECT_EQ(PeerStatus(grpc::Status(static_cast<grpc::StatusCode>(99), "?")),
            absl::UnknownError("?"));
}

TEST(PeerStatusTest, LimitsTheMessage) {
  const grpc::Status status(grpc::StatusCode::INTERNAL,
                            std::string(100000, 'x'));
  EXPECT_EQ(PeerStatus(status).message().size(), 2000u);
}

TEST(PeerStatusTest, HasNoControlCharacters) {
  EXPECT_EQ(OneLine("two\nlines\tand a \x1b[31mcolor\x7f\r"),
            "two lines and a ?[31mcolor??");
  EXPECT_EQ(OneLine(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(OneLine("\xc2\x9b"), "??");  // a control character of Latin-1
}

TEST(PeerStatusTest, IsValidUtf8) {
  EXPECT_EQ(OneLine("ä — 漢 😀"), "ä — 漢 😀");
  EXPECT_EQ(OneLine("\xff\xfe"), "??");
  EXPECT_EQ(OneLine("\xe6\xbc"), "??");            // cut
  EXPECT_EQ(OneLine("\xc0\xaf"), "??");            // longer than necessary
  EXPECT_EQ(OneLine("\xe0\x80\xaf"), "???");       // also
  EXPECT_EQ(OneLine("\xed\xa0\x80"), "???");       // a surrogate
  EXPECT_EQ(OneLine("\xf4\x90\x80\x80"), "????");  // after the last character
  EXPECT_EQ(OneLine("\xe6x"), "?x");
}

}  // namespace
}  // namespace assay::rpc
