#include "runtime/base/flag_values.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "gtest/gtest.h"

namespace assay {
namespace {

class FlagValuesTest : public testing::Test {
 protected:
  FlagValuesTest() {
    app_.add_option("--model", model_);
    app_.add_option("--tracker", model_)->expected(0, 1);
    app_.add_flag("--exact", exact_);
    app_.add_subcommand("best")->add_option("--out", model_);
  }
  absl::Status Check(const std::vector<std::string>& arguments) {
    return CheckFlagValues(app_, arguments);
  }

  CLI::App app_;
  std::string model_;
  bool exact_ = false;
};

TEST_F(FlagValuesTest, RejectsAFlagWithoutItsValue) {
  EXPECT_EQ(Check({"--exact", "--model=", "--threads=2"}).message(),
            "`--model=` has no value (see `--help`)");
  EXPECT_EQ(Check({"best", "--out="}).message(),
            "`--out=` has no value (see `--help`)");
}

TEST_F(FlagValuesTest, AcceptsOtherArguments) {
  EXPECT_TRUE(Check({}).ok());
  EXPECT_TRUE(Check({"--model=a", "--model", "b", "--exact"}).ok());
  EXPECT_TRUE(Check({"--tracker="}).ok());
  EXPECT_TRUE(Check({"--model=x=", "a=", "--unknown="}).ok());
  EXPECT_TRUE(Check({"--", "--model="}).ok());
}

TEST_F(FlagValuesTest, ParsesFlags) {
  const auto help = ParseFlags(app_, {"--model=a", "--exact"});
  ASSERT_TRUE(help.ok()) << help.status();
  EXPECT_FALSE(help->has_value());
  EXPECT_EQ(model_, "a");
  EXPECT_TRUE(exact_);
}

TEST_F(FlagValuesTest, ReturnsTheHelpText) {
  const auto help = ParseFlags(app_, {"--help"});
  ASSERT_TRUE(help.ok()) << help.status();
  EXPECT_NE(help->value_or("").find("--tracker"), std::string::npos);
}

TEST_F(FlagValuesTest, WrongFlagsAreUsageErrors) {
  EXPECT_EQ(ParseFlags(app_, {"--model="}).status().message(),
            "`--model=` has no value (see `--help`)");
  EXPECT_NE(
      ParseFlags(app_, {"--fast"}).status().message().find("(see `--help`)"),
      absl::string_view::npos);
}

}  // namespace
}  // namespace assay
