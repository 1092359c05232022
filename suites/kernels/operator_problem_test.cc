#include "suites/kernels/operator_problem.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

std::string RoundTrip(const char* op, const char* shape) {
  const auto problem = ParseOperatorProblem(op, shape);
  return problem.ok() ? problem->ToString()
                      : std::string(problem.status().message());
}

std::string ResultType(const char* op, const char* shape) {
  const auto problem = ParseOperatorProblem(op, shape);
  if (!problem.ok()) return std::string(problem.status().message());
  const auto model = OperatorModel(*problem, 0);
  if (!model.ok()) return std::string(model.status().message());
  return (*model)->outputs()[0].value.type().ToString();
}

TEST(OperatorProblemTest, PrintsWhatItParses) {
  EXPECT_EQ(RoundTrip("conv2d", "1x64x56x56,64x3x3,s1,p1"),
            "1x64x56x56,64x3x3,p1");
  EXPECT_EQ(RoundTrip("conv2d", "1x64x56x56,64x3x3,g64,p1,s2"),
            "1x64x56x56,64x3x3,s2,p1,g64");
  EXPECT_EQ(RoundTrip("matmul", "512x256x128"), "512x256x128");
  EXPECT_EQ(RoundTrip("dense", "1x2048,1000"), "1x2048,1000");
  EXPECT_EQ(RoundTrip("softmax", "12x128"), "12x128");
}

TEST(OperatorProblemTest, ErrorsNameTheFlagAndThePart) {
  EXPECT_THAT(RoundTrip("conv3d", "1"),
              HasSubstr("`--op` is `conv3d`; there are `conv2d`, "));
  EXPECT_EQ(RoundTrip("matmul", "2048x2048x2048"), "2048x2048x2048");
  EXPECT_THAT(RoundTrip("matmul", "1048576x1x262144"),
              HasSubstr("is no shape of 3 numbers"));
  EXPECT_EQ(RoundTrip("matmul", "512x512"),
            "`--shape=512x512`: `512x512` is no shape of 3 numbers; for "
            "matmul write something like 512x512x512");
  EXPECT_THAT(RoundTrip("conv2d", "1x64x56x56,64x3x3,k3"),
              HasSubstr("`k3` is not understood"));
  EXPECT_THAT(RoundTrip("conv2d", "1x64x56x56,64x3x3,s0"),
              HasSubstr("`s0` is not understood"));
  EXPECT_THAT(RoundTrip("conv2d", "1x64x56x56"),
              HasSubstr("has too few parts"));
  EXPECT_THAT(RoundTrip("conv2d", "1x64x56x56,64x3x3,g5"),
              HasSubstr("`g5` does not divide channels and filters"));
  EXPECT_THAT(RoundTrip("relu", "0x4"), HasSubstr("`0x4` is no shape"));
  EXPECT_THAT(RoundTrip("relu", "1048576x1048576"), HasSubstr("is no shape"));
}

TEST(OperatorProblemTest, EveryOperatorMakesAModel) {
  EXPECT_EQ(ResultType("conv2d", "1x8x9x9,16x3x3,s2,p1,g4"),
            "float32[1,16,5,5]");
  EXPECT_EQ(ResultType("dense", "2x8,10"), "float32[2,10]");
  EXPECT_EQ(ResultType("matmul", "3x4x5"), "float32[3,4]");
  EXPECT_EQ(ResultType("max_pool2d", "1x2x8x8,3x3,s2,p1"), "float32[1,2,4,4]");
  EXPECT_EQ(ResultType("avg_pool2d", "1x2x8x8,2x2,s2"), "float32[1,2,4,4]");
  EXPECT_EQ(ResultType("global_avg_pool2d", "1x2x8x8"), "float32[1,2,1,1]");
  EXPECT_EQ(ResultType("softmax", "4x5"), "float32[4,5]");
  EXPECT_EQ(ResultType("layer_norm", "4x5"), "float32[4,5]");
  EXPECT_EQ(ResultType("relu", "4"), "float32[4]");
  EXPECT_EQ(ResultType("add", "4x5"), "float32[4,5]");
  EXPECT_THAT(ResultType("conv2d", "1x8x2x2,16x5x5"),
              HasSubstr("`--shape=1x8x2x2,16x5x5`: "));
}

TEST(OperatorProblemTest, HelpHasAnExampleThatParses) {
  EXPECT_THAT(OperatorHelp(),
              HasSubstr("conv2d             1x64x56x56,64x3x3"));
  EXPECT_THAT(OperatorHelp(), HasSubstr("layer_norm"));
}

}  // namespace
}  // namespace assay::suites
