#include "compiler/tir/passes/vectorize.h"

#include "compiler/tir/passes/pass_testing.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

Stmt VectorizeAndSimplify(const Stmt& s) { return Simplify(Vectorize(s)); }

TEST(VectorizeTest, LoopBecomesOneVectorStatement) {
  EXPECT_EQ(
      RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[32], in %w: float32[1], out %b: float32[32]) {
  for x in [0, 4) {
    vectorized i in [0, 8) {
      %b[x * 8 + i] = max(%a[x * 8 + i] * %w[0], 0f)
    }
  }
})"),
      R"(func f(in %a: float32[32], in %w: float32[1], out %b: float32[32]) {
  for x in [0, 4) {
    %b[ramp(x * 8, 1, 8)] = max(%a[ramp(x * 8, 1, 8)] * broadcast(%w[0], 8), broadcast(0f, 8))
  }
}
)");
}

TEST(VectorizeTest, LoopsInsideStayAroundTheVector) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[32], out %b: float32[8]) {
  vectorized i in [0, 8) {
    %b[i] = 0f
    for r in [0, 4) {
      %b[i] = %b[i] + %a[r * 8 + i]
    }
  }
})"),
            R"(func f(in %a: float32[32], out %b: float32[8]) {
  %b[ramp(0, 1, 8)] = broadcast(0f, 8)
  for r in [0, 4) {
    %b[ramp(0, 1, 8)] = %b[ramp(0, 1, 8)] + %a[ramp(r * 8, 1, 8)]
  }
}
)");
}

TEST(VectorizeTest, ABranchOnTheLaneRunsLaneByLane) {
  EXPECT_EQ(RunPass(Vectorize, R"(
func f(in %a: float32[13], out %b: float32[13]) {
  for x in [0, 2) {
    vectorized i in [0, 8) {
      if x * 8 + i < 13 {
        %b[x * 8 + i] = %a[x * 8 + i]
      }
    }
  }
})"),
            R"(func f(in %a: float32[13], out %b: float32[13]) {
  for x in [0, 2) {
    for i in [0, 8) {
      if x * 8 + i < 13 {
        %b[x * 8 + i] = %a[x * 8 + i]
      }
    }
  }
}
)");
}

TEST(VectorizeTest, ABranchOnSomethingElseStays) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[16], out %b: float32[16]) {
  for x in [0, 2) {
    vectorized i in [0, 8) {
      if x < 1 {
        %b[i] = select(x == 0, %a[i], 0f)
      }
    }
  }
})"),
            R"(func f(in %a: float32[16], out %b: float32[16]) {
  for x in [0, 2) {
    if x < 1 {
      %b[ramp(0, 1, 8)] = select(x == 0, %a[ramp(0, 1, 8)], broadcast(0f, 8))
    }
  }
}
)");
}

}  // namespace
}  // namespace assay::tir
