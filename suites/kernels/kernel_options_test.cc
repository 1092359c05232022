#include "suites/kernels/kernel_options.h"

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

const KernelSuiteFlags& Suite() {
  static const auto& suite = *new KernelSuiteFlags{
      "conv", "Measures.", {"onednn", "onnxruntime"}, true};
  return suite;
}

absl::StatusOr<KernelOptions> Parse(const std::vector<std::string>& arguments) {
  return ParseKernelOptions(Suite(), arguments, /*all_threads=*/4);
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  return std::string(Parse(arguments).status().message());
}

TEST(KernelOptionsTest, Defaults) {
  const auto options = Parse({});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->threads, (std::vector<int>{1, 4}));
  EXPECT_EQ(options->references, Suite().references);
  EXPECT_EQ(options->epilogues, (std::vector<bool>{false, true}));
  EXPECT_EQ(options->sample_nanos, 2'000'000);
  EXPECT_EQ(options->max_error, 1e-4);
  EXPECT_TRUE(Selected(*options, "anything"));
}

TEST(KernelOptionsTest, ParsesAllFlags) {
  const auto options =
      Parse({"--threads=0,2,4", "--filter=resnet18", "--reference=onednn",
             "--repetitions=5", "--min_time=0.01", "--epilogue=on",
             "--max_error=0", "--out=results", "--dump_dir=/tmp/d"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->threads, (std::vector<int>{4, 2}));
  EXPECT_EQ(options->references, (std::vector<std::string>{"onednn"}));
  EXPECT_EQ(options->rounds, 5);
  EXPECT_EQ(options->max_error, 0);
  EXPECT_EQ(options->sample_nanos, 10'000'000);
  EXPECT_EQ(options->epilogues, (std::vector<bool>{true}));
  EXPECT_EQ(options->out, FromCallersFolder("results"));
  EXPECT_EQ(options->dump_dir, "/tmp/d");
  EXPECT_TRUE(Selected(*options, "resnet18/conv1"));
  EXPECT_FALSE(Selected(*options, "vgg16/conv1_1"));
}

TEST(KernelOptionsTest, ErrorsNameTheFlag) {
  EXPECT_EQ(ErrorOf({"--threads=-1"}),
            "`--threads` is -1; it must be at least 0");
  EXPECT_EQ(ErrorOf({"--reference=openblas"}),
            "`--reference` is `openblas`; there are `onednn`, `onnxruntime`");
  EXPECT_EQ(ErrorOf({"--repetitions=0"}),
            "`--repetitions` is 0; it must be at least 1");
  EXPECT_EQ(ErrorOf({"--min_time=0"}),
            "`--min_time` is 0; it must be above 0 and at most 60 seconds");
  EXPECT_EQ(ErrorOf({"--epilogue=maybe"}),
            "`--epilogue` is `maybe`; it must be `on`, `off` or `both`");
  EXPECT_NE(ErrorOf({"--fast"}).find("(see `--help`)"), std::string::npos);
}

TEST(KernelOptionsTest, HelpNamesFlagsAndExitCodes) {
  const auto options = Parse({"--help"});
  ASSERT_TRUE(options.ok() && options->help.has_value());
  for (const char* text : {"--epilogue", "//suites:conv", "Exit codes"}) {
    EXPECT_NE(options->help->find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace assay::suites
