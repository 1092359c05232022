#include "suites/harness/flags/farm_flags.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

class FarmFlagsTest : public testing::Test {
 protected:
  ~FarmFlagsTest() override {
    unsetenv("ASSAY_TRACKER");
    unsetenv("ASSAY_SIGNING_KEY");
  }

  static absl::StatusOr<FarmOptions> Parse(
      const std::vector<std::string>& arguments) {
    FarmOptions options;
    CLI::App app;
    const FinishFlags finish = AddFarmFlags(app, &options);
    try {
      app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
      return absl::InvalidArgumentError(error.what());
    }
    const absl::Status status = finish("/home/me");
    if (!status.ok()) return status;
    return options;
  }

  static std::string ErrorOf(const std::vector<std::string>& arguments) {
    return std::string(Parse(arguments).status().message());
  }
};

TEST_F(FarmFlagsTest, WithoutFlagsThereIsNoFarm) {
  const auto options = Parse({});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_FALSE(options->has_tracker());
  EXPECT_EQ(options->wait_s, 3600);
}

TEST_F(FarmFlagsTest, ReadsAllFlags) {
  const auto options =
      Parse({"--tracker=lab:9190", "--tracker_tls=tls", "--token_file=/token",
             "--signing_key=key", "--priority=7", "--wait=30"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_TRUE(options->has_tracker());
  EXPECT_EQ(options->tracker, "lab:9190");
  EXPECT_EQ(options->tls, "/home/me/tls");
  EXPECT_FALSE(options->plain_text);
  EXPECT_EQ(options->token_file, "/token");
  EXPECT_EQ(options->signing_key, "/home/me/key");
  EXPECT_EQ(options->priority, 7);
  EXPECT_EQ(options->wait_s, 30);
  EXPECT_TRUE(Parse({"--tracker=x:1", "--tracker_plain_text"})->plain_text);
}

TEST_F(FarmFlagsTest, AVariableReplacesTheFlag) {
  setenv("ASSAY_TRACKER", "variable:1", 1);
  setenv("ASSAY_SIGNING_KEY", "key", 1);
  EXPECT_EQ(Parse({})->tracker, "variable:1");
  EXPECT_EQ(Parse({})->signing_key, "/home/me/key");
  EXPECT_EQ(Parse({"--tracker=flag:2"})->tracker, "flag:2");
  EXPECT_EQ(Parse({"--signing_key=/other"})->signing_key, "/other");
}

TEST_F(FarmFlagsTest, AnEmptyFlagTurnsTheVariableOff) {
  setenv("ASSAY_TRACKER", "variable:1", 1);
  const auto options = Parse({"--tracker="});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_FALSE(options->has_tracker());
}

TEST_F(FarmFlagsTest, RejectsFlagsWithoutATracker) {
  for (const std::string flag :
       {"--tracker_tls=x", "--tracker_plain_text", "--token_file=x",
        "--signing_key=x", "--priority=1", "--wait=1"}) {
    EXPECT_EQ(ErrorOf({flag}),
              "`" + flag.substr(0, flag.find('=')) + "` needs `--tracker`");
  }
}

TEST_F(FarmFlagsTest, RejectsInvalidValues) {
  EXPECT_THAT(
      ErrorOf({"--tracker=x:1", "--tracker_tls=x", "--tracker_plain_text"}),
      HasSubstr("both given"));
  for (const std::string flag : {"--priority=-1", "--priority=101", "--wait=-1",
                                 "--wait=nan", "--wait=1e9"}) {
    EXPECT_NE(ErrorOf({"--tracker=x:1", flag}), "") << flag;
  }
}

}  // namespace
}  // namespace assay::suites
