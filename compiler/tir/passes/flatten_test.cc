#include "compiler/tir/passes/flatten.h"

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

TEST(FlattenTest, OneIndexInElements) {
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
      %b[i * 4 + j] = %a[j * 8 + i] + %s[0]
    }
  }
}
)");
}

TEST(FlattenTest, OneDimensionIsFlatAlready) {
  constexpr char kText[] = R"(func f(in %a: float32[4], out %b: float32[4]) {
  for i in [0, 4) {
    %b[i] = %a[3 - i]
  }
}
)";
  EXPECT_EQ(RunPass(Flatten, kText), kText);
}

}  // namespace
}  // namespace assay::tir
