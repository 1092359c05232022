#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/tune/build/serve_builds.h"
#include "suites/tune/build/testing/product_request.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(PointCompilerTest, CompilesTheGraphAndTheChoiceOfEachRequest) {
  PointCompiler compiler;
  std::set<std::string> codes;
  for (const BuildRequest& request :
       {ProductRequest(1), ProductRequest(2), ProductRequest(2, 24),
        ProductRequest(2), ProductRequest(1)}) {
    const auto artifact = compiler.Compile(request);
    ASSERT_TRUE(artifact.ok()) << artifact.status();
    const auto alone = PointCompiler().Compile(request);
    ASSERT_TRUE(alone.ok()) << alone.status();
    EXPECT_EQ(*artifact, *alone);
    ASSERT_THAT(artifact->calls, SizeIs(1));
    codes.insert(artifact->calls[0].code_digest);
  }
  EXPECT_THAT(codes, SizeIs(3));
}

TEST(PointCompilerTest, ChoicesThatDoNotFitAreErrors) {
  BuildRequest request = ProductRequest(1);
  request.choice.implementation = "matmul.nosuch";
  const absl::Status status = PointCompiler().Compile(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("matmul.nosuch"));
}

TEST(PointCompilerTest, MalformedGraphsAreErrors) {
  PointCompiler compiler;
  ASSERT_TRUE(compiler.Compile(ProductRequest(1)).ok());
  BuildRequest request = ProductRequest(1);
  request.graph = "grape";
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = compiler.Compile(request).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  EXPECT_TRUE(compiler.Compile(ProductRequest(1)).ok());
}

}  // namespace
}  // namespace assay::suites
