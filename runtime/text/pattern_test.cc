#include "runtime/text/pattern.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

TEST(PatternTest, MatchesParts) {
  const auto pattern = Pattern::Parse("conv|^dense$");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_TRUE(pattern->Matches("a conv2d"));
  EXPECT_TRUE(pattern->Matches("dense"));
  EXPECT_FALSE(pattern->Matches("dense1"));
  const Pattern copy = *pattern;
  EXPECT_TRUE(copy.Matches("conv"));
}

TEST(PatternTest, ErrorsQuoteThePattern) {
  EXPECT_THAT(std::string(Pattern::Parse("a(").status().message()),
              testing::HasSubstr("`a(` is no regular expression: "));
}

}  // namespace
}  // namespace assay::runtime
