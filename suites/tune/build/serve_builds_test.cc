#include "suites/tune/build/serve_builds.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string Request(const std::string& task) {
  return absl::StrCat(
      SerializeRequest({task, *target::Target::Parse("bytecode"), {}, ""}),
      "\n");
}

std::vector<std::string> Lines(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  ServeBuilds(
      in, out,
      [](const BuildRequest& request) -> absl::StatusOr<runtime::Artifact> {
        if (request.task == "bad") {
          return absl::NotFoundError("two\nlines");
        }
        runtime::Artifact artifact;
        artifact.code = std::string(200'000, 'x');
        return artifact;
      });
  return absl::StrSplit(out.str(), '\n', absl::SkipEmpty());
}

TEST(ServeBuildsTest, AnswersInParts) {
  const std::vector<std::string> lines = Lines(Request("good"));
  ASSERT_THAT(lines, SizeIs(7));
  EXPECT_EQ(lines.front(), "ready");
  EXPECT_EQ(lines.back(), "ok");
  std::string bytes;
  for (size_t i = 1; i < 6; ++i) {
    EXPECT_THAT(lines[i], StartsWith("part "));
    std::string part;
    ASSERT_TRUE(absl::Base64Unescape(lines[i].substr(5), &part));
    bytes += part;
  }
  const auto artifact = runtime::Parse(bytes);
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  EXPECT_EQ(artifact->code.size(), 200'000u);
}

TEST(ServeBuildsTest, FailuresAreAnswersOfOneLine) {
  EXPECT_THAT(Lines(Request("bad") + "nonsense\n"),
              ElementsAre("ready", "fail NOT_FOUND two lines",
                          "fail INVALID_ARGUMENT the request is not JSON"));
}

}  // namespace
}  // namespace assay::suites
