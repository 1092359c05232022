#include "suites/tune/network/network_judge.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"

namespace assay::suites {
namespace {

constexpr char kNetwork[] =
    R"(graph net(%x: float32[16,32], %w: float32[32,16]) -> (y=%2) {
  %1: float32[16,16] = matmul(%x, %w) "MatMul_0"
  %2: float32[16,16] = relu(%1) "Relu_0"
})";

runtime::Artifact Compiled(const std::string& text) {
  const auto artifact = driver::Compile(*graph::GraphFromText(text),
                                        *driver::ResolveTarget("bytecode"));
  CHECK(artifact.ok()) << artifact.status();
  return *artifact;
}

class NetworkJudgeTest : public ::testing::Test {
 protected:
  NetworkJudgeTest() {
    model_.name = "net";
    model_.graph = graph::GraphFromText(kNetwork);
    options_.budget_s = 0.1;
  }

  Model model_;
  AcceptanceOptions options_;
  runtime::InProcessRunner runner_;
};

TEST_F(NetworkJudgeTest, MeasuresBothPrograms) {
  NetworkJudge judge(model_, &runner_, /*threads=*/1, options_);
  const runtime::Artifact program = Compiled(kNetwork);
  for (int i = 0; i < 2; ++i) {
    const auto comparison = judge.Compare(program, program);
    ASSERT_TRUE(comparison.ok()) << comparison.status();
    EXPECT_GT(comparison->point_ns, 0);
    EXPECT_GT(comparison->default_ns, 0);
    EXPECT_FALSE(comparison->loads.empty());
  }
}

TEST_F(NetworkJudgeTest, WrongProgramsAreAnError) {
  NetworkJudge judge(model_, &runner_, /*threads=*/1, options_);
  const runtime::Artifact right = Compiled(kNetwork);
  const runtime::Artifact wrong = Compiled(absl::StrReplaceAll(
      kNetwork, {{"relu(%1) \"Relu_0\"", "exp(%1) \"Exp_0\""}}));
  EXPECT_TRUE(absl::IsInternal(judge.Compare(right, wrong).status()));
}

}  // namespace
}  // namespace assay::suites
