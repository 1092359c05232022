#include "compiler/tir/passes/common_subexpressions.h"

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

TEST(BindCommonSubexpressionsTest, BindsLoopInvariantTerms) {
  EXPECT_EQ(
      RunPass(BindCommonSubexpressions, R"(
func f(in %a: float32[8], out %b: float32[2,4,8], out %c: float32[8]) {
  parallel f in [0, 8) {
    for k in [0, 8) {
      %b[f / 4 * 32 + f % 4 * 8 + k] = %a[f % 4 + k / 2]
    }
    %c[f / 4 + f / 4 * 3 + f % 4] = %a[(f + 1) / 2]
  }
})"),
      R"(func f(in %a: float32[8], out %b: float32[2,4,8], out %c: float32[8]) {
  parallel f in [0, 8) {
    let t0 = f / 4
    let t1 = f % 4
    for k in [0, 8) {
      %b[t0 * 32 + t1 * 8 + k] = %a[t1 + k / 2]
    }
    %c[t0 + t0 * 3 + t1] = %a[(f + 1) / 2]
  }
}
)");
}

TEST(BindCommonSubexpressionsTest, ValuesUseEarlierVariables) {
  EXPECT_EQ(
      RunPass(BindCommonSubexpressions, R"(
func f(in %a: float32[100], out %b: float32[100], out %c: float32[100]) {
  for f in [0, 100) {
    %b[f / 5 % 4 * 25 + f / 20 * 5 + f % 5] = %a[f / 5 % 4]
    %c[f / 5 % 4 * 25 + f / 20 * 5 + f % 5] = %a[f / 5]
  }
})"),
      R"(func f(in %a: float32[100], out %b: float32[100], out %c: float32[100]) {
  for f in [0, 100) {
    let t0 = f / 5
    let t1 = t0 % 4
    let t2 = f / 20
    let t3 = f % 5
    %b[t1 * 25 + t2 * 5 + t3] = %a[t1]
    %c[t1 * 25 + t2 * 5 + t3] = %a[t0]
  }
}
)");
}

TEST(BindCommonSubexpressionsTest, BindsInInnermostLoopItDependsOn) {
  EXPECT_EQ(
      RunPass(BindCommonSubexpressions, R"(
func f(in %a: float32[16], out %b: float32[20], out %c: float32[16]) {
  for i in [0, 5) {
    for j in [0, 4) {
      %b[min(i * 4, 16) + j] = %a[i * j % 16]
    }
  }
  for i in [0, 4) {
    for j in [0, 4) {
      %c[i * 4 + j % 4] = %a[i * j] + %a[i * j + j % 4]
    }
  }
})"),
      R"(func f(in %a: float32[16], out %b: float32[20], out %c: float32[16]) {
  for i in [0, 5) {
    let t0 = min(i * 4, 16)
    for j in [0, 4) {
      %b[t0 + j] = %a[i * j % 16]
    }
  }
  for i in [0, 4) {
    for j in [0, 4) {
      let t1 = j % 4
      let t2 = i * j
      %c[i * 4 + t1] = %a[t2] + %a[t2 + t1]
    }
  }
}
)");
}

TEST(BindCommonSubexpressionsTest, DoesNotBindSumsLoadsAndFloats) {
  constexpr char kText[] =
      R"(func f(in %n: int32[4], in %a: float32[8], out %b: float32[8]) {
  for i in [0, 4) {
    %b[i * 2 + 1] = (%a[i * 2 + 1] + 1f) * (%a[i * 2 + 1] + 1f)
    %b[i * 2] = %a[%n[i] % 4] + %a[%n[i] % 4]
  }
}
)";
  EXPECT_EQ(RunPass(BindCommonSubexpressions, kText), kText);
}

}  // namespace
}  // namespace assay::tir
