#include "compiler/tir/passes/flatten.h"

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

TEST(FlattenTest, ComputesIndexInElements) {
  EXPECT_EQ(
      RunPass(Flatten, R"(
func f(in %a: float32[4,8], in %s: float32[], out %b: float32[8,4]) {
  for i in [0, 8) {
    for j in [0, 4) {
      %b[i, j] = %a[j, i] + %s[]
    }
  }
})"),
      R"(func f(in %a: float32[4,8], in %s: float32[], out %b: float32[8,4]) {
  for i in [0, 8) {
    for j in [0, 4) {
      %b[i * 4 + j] = %a[i + j * 8] + %s[0]
    }
  }
}
)");
}

TEST(FlattenTest, KeepsOneDimensionalIndices) {
  constexpr char kText[] = R"(func f(in %a: float32[4], out %b: float32[4]) {
  for i in [0, 4) {
    %b[i] = %a[3 - i]
  }
}
)";
  EXPECT_EQ(RunPass(Flatten, kText), kText);
}

// One loop over all pixels of an image.
TEST(FlattenTest, RecombinesQuotientAndRemainder) {
  EXPECT_EQ(RunPass(Flatten, R"(
func f(in %a: float32[4,7,5], out %b: float32[4,35]) {
  for c in [0, 4) {
    vectorized p in [0, 35) {
      %b[c, p] = %a[c, p / 5, p % 5]
    }
  }
})"),
            R"(func f(in %a: float32[4,7,5], out %b: float32[4,35]) {
  for c in [0, 4) {
    vectorized p in [0, 35) {
      %b[c * 35 + p] = %a[c * 35 + p]
    }
  }
}
)");
}

}  // namespace
}  // namespace assay::tir
