#include "compiler/tools/opt.h"

#include <string>

#include "absl/strings/match.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::tools {
namespace {

constexpr char kModel[] = R"(graph net(%x: float32[1,8]) -> (y=%3) {
  %1: float32[1,8] = relu(%x) "Relu_0"
  %2: float32[1,8] = tanh(%1) "Tanh_1"
  %4: float32[1,8] = tanh(%x) "Dead_2"
  %3: float32[1,8] = exp(%2) "Exp_2"
}
)";

class OptTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.model = JoinPath(dir_->path(), "net.txt");
    options_.target = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3";
    ASSERT_TRUE(WriteFileAtomic(options_.model, kModel).ok());
  }

  absl::StatusOr<TempDir> dir_ = TempDir::Create();
  OptOptions options_;
};

TEST_F(OptTest, PrintsTheGraphAfterThePasses) {
  const auto text = Optimize(options_);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(absl::StrContains(*text, "graph fused_relu_tanh_exp(")) << *text;
  EXPECT_FALSE(absl::StrContains(*text, "Dead_2")) << *text;
}

TEST_F(OptTest, SummarizesKernelsAndMemory) {
  options_.summary = true;
  EXPECT_EQ(*Optimize(options_),
            "    1  relu+tanh+exp\n    1  kernels\n"
            "memory of intermediates: 0 bytes; 0 are alive at once, 0 are "
            "their sum\n");
  options_.compile.passes.level = 0;
  EXPECT_EQ(
      *Optimize(options_),
      "    1  exp\n    1  relu\n    2  tanh\n    4  kernels\n"
      "memory of intermediates: 128 bytes; 128 are alive at once, 192 are "
      "their sum\n");
}

TEST_F(OptTest, RejectsModelThatExceedsMaxMemory) {
  // 32 bytes each for input and output, and an arena of two 64-byte values.
  options_.summary = true;
  options_.compile.passes.level = 0;
  options_.compile.max_memory = 192;
  EXPECT_TRUE(Optimize(options_).ok());
  options_.compile.max_memory = 191;
  const absl::Status status = Optimize(options_).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_EQ(status.message(),
            "the arena, in which `Tanh_1` is the largest value, needs 128 "
            "bytes, more than the 127 bytes that --max_memory leaves");
}

TEST_F(OptTest, PrintsLastPassOfTheBisection) {
  options_.compile.passes.bisect_limit = 1;
  const auto text = Optimize(options_);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(absl::StrContains(*text, "// ran 1 of ")) << *text;
  EXPECT_TRUE(
      absl::StrContains(*text, "the last is fake_quantization_to_integer\n"))
      << *text;
}

TEST_F(OptTest, RejectsPassesThatMakeNoKernels) {
  options_.compile.passes.passes = "dead_code";
  EXPECT_TRUE(graph::ErrorHas(
      Optimize(options_).status(),
      "operator `Relu_0` (relu) is in no kernel; the graph passes must end "
      "with `fuse_operators`"));
}

TEST_F(OptTest, ListsPasses) {
  const std::string list = ListPasses();
  EXPECT_TRUE(absl::StartsWith(list, "1  fake_quantization_to_integer\n"))
      << list;
  EXPECT_TRUE(absl::EndsWith(list, "0  fuse_operators\n")) << list;
}

TEST_F(OptTest, ReproducesAFailure) {
  ASSERT_TRUE(WriteFileAtomic(options_.model, R"(
      graph bad(%x: float32[1,2], %m: float32[2]) -> (%2) {
        %1: float32[2] = constant {value=[1,2]}
        %2: float32[1,2] = batch_norm(%x, %1, %1, %m, %1) {epsilon=0} "BN_4"
      })")
                  .ok());
  options_.compile.reproducer_dir = dir_->path();
  const absl::Status status = Optimize(options_).status();
  const std::string path = dir_->path() + "/bad.reproducer.txt";
  EXPECT_TRUE(graph::ErrorHas(status, path));
  EXPECT_TRUE(graph::ErrorHas(Reproduce(path), "mean is not a constant"));
  EXPECT_TRUE(graph::ErrorHas(Reproduce(options_.model), "no reproducer"));
}

}  // namespace
}  // namespace assay::tools
