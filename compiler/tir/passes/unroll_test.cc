#include "compiler/tir/passes/unroll.h"

#include "compiler/tir/passes/pass_testing.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

Stmt UnrollAndSimplify(const Stmt& s) { return Simplify(Unroll(s)); }

TEST(UnrollTest, CopiesTheBodyPerIteration) {
  EXPECT_EQ(RunPass(UnrollAndSimplify, R"(
func f(in %a: float32[6], out %b: float32[6]) {
  unrolled i in [0, 3) {
    unrolled j in [1, +1) {
      %b[i * 2 + j] = %a[i]
    }
    %b[i * 2] = 0f
  }
})"),
            R"(func f(in %a: float32[6], out %b: float32[6]) {
  %b[1] = %a[0]
  %b[0] = 0f
  %b[3] = %a[1]
  %b[2] = 0f
  %b[5] = %a[2]
  %b[4] = 0f
}
)");
}

TEST(UnrollTest, ABodyThatAllocatesBecomesASerialLoop) {
  EXPECT_EQ(RunPass(Unroll, R"(
func f(out %b: float32[6]) {
  unrolled i in [0, 6) {
    alloc %t: local float32[1]
    %t[0] = 1f
    %b[i] = %t[0]
  }
})"),
            R"(func f(out %b: float32[6]) {
  for i in [0, 6) {
    alloc %t: local float32[1]
    %t[0] = 1f
    %b[i] = %t[0]
  }
}
)");
}

}  // namespace
}  // namespace assay::tir
