#include "tests/farm/attack/documented_statuses.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr char kProto[] = R"(// A service. All calls can return
//   UNAVAILABLE  the program is starting;
//   DATA_LOSS
// Later text, and NOT_FOUND in it.
syntax = "proto3";

package a.b;

service Thing {
  // Finds it.
  //   NOT_FOUND  there is none.
  rpc Find(Request) returns (Answer);

  // The following calls are dangerous.
  //   ABORTED  it has broken.

  // Takes it.
  //   INTERNAL  it cannot be taken.
  rpc Take(stream Request) returns (stream Answer);

  rpc Give(Request) returns (Answer);
}

// A message.
//   OUT_OF_RANGE  is not of a method.
message Request {}
)";

TEST(DocumentedStatusesTest, ReadsTheCommentsOfMethods) {
  DocumentedStatuses statuses;
  ASSERT_TRUE(statuses.Read(kProto).ok());
  for (const char* method : {"/a.b.Thing/Find", "/a.b.Thing/Take"}) {
    EXPECT_TRUE(statuses.Has(method, "OK"));
    EXPECT_TRUE(statuses.Has(method, "UNAVAILABLE"));
    EXPECT_TRUE(statuses.Has(method, "DATA_LOSS"));
    EXPECT_FALSE(statuses.Has(method, "OUT_OF_RANGE"));
  }
  EXPECT_TRUE(statuses.Has("/a.b.Thing/Find", "NOT_FOUND"));
  EXPECT_FALSE(statuses.Has("/a.b.Thing/Find", "ABORTED"));
  EXPECT_FALSE(statuses.Has("/a.b.Thing/Take", "NOT_FOUND"));
  EXPECT_TRUE(statuses.Has("/a.b.Thing/Take", "ABORTED"));
  EXPECT_TRUE(statuses.Has("/a.b.Thing/Take", "INTERNAL"));
  EXPECT_TRUE(statuses.Has("/a.b.Thing/Give", "ABORTED"));
  EXPECT_FALSE(statuses.Has("/a.b.Thing/Give", "INTERNAL"));
  EXPECT_TRUE(statuses.Has("/a.b.Thing/Lose", "UNAVAILABLE"));
  EXPECT_FALSE(statuses.Has("/a.b.Thing/Lose", "NOT_FOUND"));
  EXPECT_FALSE(statuses.Has("/a.b.Other/Find", "UNAVAILABLE"));
}

TEST(DocumentedStatusesTest, ProgramsThatPassCallsOnHaveMoreStatuses) {
  DocumentedStatuses statuses;
  ASSERT_TRUE(statuses.Read(kProto).ok());
  statuses.AddToService(
      "// The proxy can return\n//   UNAUTHENTICATED  no lease.\nservice P {\n",
      "a.b.Thing");
  EXPECT_TRUE(statuses.Has("/a.b.Thing/Find", "UNAUTHENTICATED"));
  statuses.AddToService("//   CANCELLED  x\nservice P {\n", "a.b.Other");
  EXPECT_FALSE(statuses.Has("/a.b.Thing/Find", "CANCELLED"));
}

TEST(DocumentedStatusesTest, AFileWithoutMethodsIsAnError) {
  EXPECT_TRUE(absl::IsInvalidArgument(DocumentedStatuses().Read("message A")));
}

}  // namespace
}  // namespace assay
