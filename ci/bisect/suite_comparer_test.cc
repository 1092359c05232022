#include "ci/bisect/suite_comparer.h"

#include "gtest/gtest.h"

namespace assay::ci {
namespace {

TEST(PatternOfTest, MatchesTheCellAlone) {
  EXPECT_EQ(PatternOf("net/host/fusion_on/threads_1"),
            "net/host/fusion_on/threads_1");
  EXPECT_EQ(PatternOf("a*b?[c]\\"), "a\\*b\\?\\[c]\\\\");
}

}  // namespace
}  // namespace assay::ci
