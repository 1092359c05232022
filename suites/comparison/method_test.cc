#include "suites/comparison/method.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(MethodTest, DependsOnTheOptions) {
  stats::PairedOptions options;
  const std::string digest = MethodDigest(options);
  EXPECT_EQ(digest.size(), 12u);
  EXPECT_EQ(MethodDigest(options), digest);
  options.margin = 0.02;
  EXPECT_NE(MethodDigest(options), digest);
}

}  // namespace
}  // namespace assay::suites
