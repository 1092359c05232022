#include "suites/kernels/operator_options.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<OperatorOptions> Parse(std::vector<std::string> arguments) {
  return ParseOperatorOptions(arguments, /*all_threads=*/4);
}

std::string ErrorOf(std::vector<std::string> more) {
  more.insert(more.begin(), {"--op=matmul", "--shape=8x8x8"});
  return std::string(Parse(more).status().message());
}

TEST(OperatorOptionsTest, Defaults) {
  const auto options = Parse({"--op=matmul", "--shape=8x8x8"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->problem.ToString(), "8x8x8");
  EXPECT_THAT(options->threads, ElementsAre(1, 4));
  EXPECT_TRUE(options->compile.choose_layout);
  EXPECT_EQ(options->compile.max_error, 1e-4);
  EXPECT_FALSE(options->machine_readable);
}

TEST(OperatorOptionsTest, ParsesAllFlags) {
  const auto options =
      Parse({"--op=conv2d", "--shape=1x16x8x8,16x3x3,p1", "--config",
             "tile_ow=[-1,7] unroll_kw=1",
             "--implementation=conv2d.direct_nchwc", "--layout=plain",
             "--max_error=0", "--threads=0,2", "--benchmark_min_time=0.01",
             "--benchmark_format=json", "--dump_dir=dump"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->compile.config, "tile_ow=[-1,7] unroll_kw=1");
  EXPECT_EQ(options->compile.implementation, "conv2d.direct_nchwc");
  EXPECT_FALSE(options->compile.choose_layout);
  EXPECT_EQ(options->compile.max_error, 0);
  EXPECT_EQ(options->compile.dump_dir, FromCallersFolder("dump"));
  EXPECT_THAT(options->threads, ElementsAre(4, 2));
  EXPECT_THAT(options->benchmark_flags, ElementsAre("--benchmark_min_time=0.01",
                                                    "--benchmark_format=json"));
  EXPECT_TRUE(options->machine_readable);
}

TEST(OperatorOptionsTest, ErrorsNameTheFlag) {
  EXPECT_EQ(ErrorOf({"--threads=-1"}),
            "`--threads` is -1; it must be at least 0");
  EXPECT_EQ(ErrorOf({"--layout=nchw"}),
            "`--layout` is `nchw`; it must be `auto` or `plain`");
  EXPECT_EQ(ErrorOf({"--max_error=-1"}),
            "`--max_error` is -1; it must be at least 0");
  EXPECT_THAT(ErrorOf({"--fast"}), HasSubstr("(see `--help`)"));
  EXPECT_THAT(Parse({"--op=relu"}).status().message(), HasSubstr("--shape"));
}

TEST(OperatorOptionsTest, HelpNamesFlagsShapesAndExitCodes) {
  const auto options = Parse({"--help"});
  ASSERT_TRUE(options.ok() && options->help.has_value());
  for (const char* text : {"--benchmark_min_time", "//suites:kernel",
                           "1x64x56x56,64x3x3,s1,p1", "Exit codes"}) {
    EXPECT_THAT(*options->help, HasSubstr(text));
  }
}

}  // namespace
}  // namespace assay::suites
