#include "suites/cause/first_difference.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

TEST(GraphLinesOfTest, KeepsLinesOfTheNodesWithoutNumbers) {
  EXPECT_EQ(GraphLinesOf("graph g {\n"
                         "  %12: float32[4] = conv2d(%3, %w) {} \"a\"\n"
                         "  %13: float32[4] = relu(%12) \"b\" from [\"b\"]\n"
                         "  %14: float32[4] = relu(%13) \"ab\"\n}\n",
                         {"a", "b"}),
            "%: float32[4] = conv2d(%, %w) {} \"a\"\n"
            "%: float32[4] = relu(%) \"b\" from [\"b\"]\n");
}

using Stages = std::vector<DumpedStage>;

TEST(CompareStagesTest, EqualStagesHaveNoDifference) {
  const Stages stages = {{"imported", "a\n"}, {"fuse", "b\n"}};
  EXPECT_EQ(CompareStages(stages, stages).stage, "");
}

TEST(CompareStagesTest, NamesThePassThatComputesSomethingElse) {
  const StageDifference difference =
      CompareStages(Stages{{"imported", "a\n"}, {"fuse", "b\nc\n"}},
                    Stages{{"imported", "a\n"}, {"fuse", "b\nd\n"}});
  EXPECT_EQ(difference.stage, "fuse");
  EXPECT_EQ(difference.before, "c");
  EXPECT_EQ(difference.after, "d");
}

TEST(CompareStagesTest, NamesThePassThatIsLeftOut) {
  EXPECT_EQ(
      CompareStages(Stages{{"imported", "a"}, {"layout", "b"}, {"fuse", "c"}},
                    Stages{{"imported", "a"}, {"fuse", "d"}})
          .stage,
      "layout");
  EXPECT_EQ(
      CompareStages(Stages{{"imported", "a"}, {"fuse", "d"}},
                    Stages{{"imported", "a"}, {"layout", "b"}, {"fuse", "c"}})
          .stage,
      "layout");
  EXPECT_EQ(CompareStages(Stages{{"imported", "a"}, {"layout", "b"}},
                          Stages{{"imported", "a"}})
                .stage,
            "layout");
}

class FirstDifferenceTest : public ::testing::Test {
 protected:
  void Write(const std::string& build,
             const std::map<std::string, std::string>& files) {
    const std::string folder = JoinPath(scratch_->path(), build);
    ASSERT_TRUE(MakeDirs(folder).ok());
    for (const auto& [name, text] : files) {
      ASSERT_TRUE(WriteFileAtomic(JoinPath(folder, name), text).ok());
    }
  }
  // The difference of the kernel k1 of `base` and k2 of `run`.
  StageDifference Difference() {
    const auto difference =
        FirstDifference({"conv"}, {JoinPath(scratch_->path(), "base"), {"k1"}},
                        {JoinPath(scratch_->path(), "run"), {"k2"}});
    EXPECT_TRUE(difference.ok()) << difference.status();
    return difference.value_or(StageDifference());
  }

  absl::StatusOr<TempDir> scratch_ = TempDir::Create();
};

constexpr char kGraph[] = "%1 = conv2d(%0) \"conv\"\n";

TEST_F(FirstDifferenceTest, ScheduleIsNamedBeforeItsConsequences) {
  Write("base", {{"graph.000.imported.txt", kGraph},
                 {"kernel.k1.0.te.txt", "sum"},
                 {"kernel.k1.1.schedule.txt", "split(i, 8)\nunroll(j)\n"},
                 {"kernel.k1.2.lowered.tir.txt", "k1 for 8"},
                 {"kernel.k1.s", "k1: add"}});
  Write("run", {{"graph.000.imported.txt", kGraph},
                {"kernel.k2.0.te.txt", "sum"},
                {"kernel.k2.1.schedule.txt", "split(i, 4)\nunroll(j)\n"},
                {"kernel.k2.2.lowered.tir.txt", "k2 for 4"},
                {"kernel.k2.s", "k2: sub"}});
  const StageDifference difference = Difference();
  EXPECT_EQ(difference.stage, "schedule");
  EXPECT_EQ(difference.before, "split(i, 8)");
  EXPECT_EQ(difference.after, "split(i, 4)");
}

TEST_F(FirstDifferenceTest, LoopPassAndCodeGeneratorAreToldApart) {
  std::map<std::string, std::string> base = {
      {"graph.000.imported.txt", kGraph},
      {"kernel.k1.0.te.txt", "sum"},
      {"kernel.k1.1.schedule.txt", "unroll(j)"},
      {"kernel.k1.2.lowered.tir.txt", "k1 loop"},
      {"kernel.k1.8.unroll.tir.txt", "k1 a a"},
      {"kernel.k1.ll", "fmul"},
      {"kernel.k1.opt.ll", "fma"}};
  Write("base", base);
  std::map<std::string, std::string> run = {
      {"graph.000.imported.txt", kGraph},
      {"kernel.k2.0.te.txt", "sum"},
      {"kernel.k2.1.schedule.txt", "unroll(j)"},
      {"kernel.k2.2.lowered.tir.txt", "k2 loop"},
      {"kernel.k2.8.unroll.tir.txt", "k2 a a"},
      {"kernel.k2.ll", "fmul"},
      {"kernel.k2.opt.ll", "fmul fadd"}};
  Write("run", run);
  EXPECT_EQ(Difference().stage, "LLVM");
  Write("run", {{"kernel.k2.ll", "fmul fast"}});
  EXPECT_EQ(Difference().stage, "code generation");
  Write("run", {{"kernel.k2.8.unroll.tir.txt", "k2 loop a"}});
  EXPECT_EQ(Difference().stage, "loop pass unroll");
}

TEST_F(FirstDifferenceTest, OnlyTheNumberOfTheKernelDiffers) {
  Write("base", {{"graph.000.imported.txt", kGraph}, {"kernel.k1.s", "k1:"}});
  Write("run", {{"graph.000.imported.txt", "%7 = conv2d(%6) \"conv\"\n"},
                {"kernel.k2.s", "k2:"}});
  EXPECT_EQ(Difference().stage, "");
}

TEST_F(FirstDifferenceTest, MissingDumpIsNamed) {
  Write("base", {{"graph.000.imported.txt", kGraph}});
  const auto difference =
      FirstDifference({"conv"}, {JoinPath(scratch_->path(), "base"), {"k1"}},
                      {JoinPath(scratch_->path(), "nowhere"), {"k2"}});
  EXPECT_EQ(difference.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace assay::suites
