#include "suites/tune/build/build_request.h"

#include <string>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Text() {
  return SerializeRequest(
      {"4f0e",
       *target::Target::Parse("bytecode -mcpu=generic -num-cores=3"),
       {"matmul.blocked", *ops::Config::Parse("mc=7")},
       "graph \"g\"\n  %1\n"});
}

TEST(BuildRequestTest, RoundTrips) {
  EXPECT_THAT(Text(), Not(HasSubstr("\n")));
  const auto request = ParseRequest(Text());
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->task, "4f0e");
  EXPECT_EQ(request->target.ToString(), "bytecode -mcpu=generic -num-cores=3");
  EXPECT_EQ(request->choice.implementation, "matmul.blocked");
  EXPECT_EQ(request->choice.config, *ops::Config::Parse("mc=7"));
  EXPECT_EQ(request->graph, "graph \"g\"\n  %1\n");
  EXPECT_EQ(SerializeRequest(*request), Text());
}

TEST(BuildRequestTest, ErrorsNameTheMember) {
  const auto error = [](const std::string& from, const std::string& to) {
    const auto request =
        ParseRequest(absl::StrReplaceAll(Text(), {{from, to}}));
    EXPECT_EQ(request.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(request.status().message());
  };
  EXPECT_EQ(error("{", "x"), "the request is not JSON");
  EXPECT_THAT(error("\"task\"", "\"t\""), HasSubstr("`request.task`"));
  EXPECT_THAT(error("bytecode", "x"), HasSubstr("x"));
  EXPECT_THAT(error("[[", "[[["), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace assay::suites
