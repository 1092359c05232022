#include "compiler/tir/passes/unroll.h"

#include "compiler/tir/passes/pass_testing.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

Stmt UnrollAndSimplify(const Stmt& s) { return Simplify(Unroll(s)); }

TEST(UnrollTest, CopiesBodyPerIteration) {
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

TEST(UnrollTest, EveryCopyHasItsOwnAllocation) {
  EXPECT_EQ(RunPass(Unroll, R"(
func f(out %b: float32[2]) {
  unrolled i in [0, 2) {
    alloc %t: local float32[1]
    %t[0] = 1f
    %b[i] = %t[0]
  }
})"),
            R"(func f(out %b: float32[2]) {
  {
    alloc %t: local float32[1]
    %t[0] = 1f
    %b[0] = %t[0]
  }
  alloc %t: local float32[1]
  %t[0] = 1f
  %b[1] = %t[0]
}
)");
}

TEST(UnrollTest, PragmaUnrollsSmallLoops) {
  EXPECT_EQ(RunPass(Unroll, R"(
func f(out %b: float32[4,2]) {
  pragma auto_unroll_max_step 4 {
    for i in [0, 4) {
      for j in [0, 2) {
        %b[i, j] = 1f
      }
    }
  }
})"),
            R"(func f(out %b: float32[4,2]) {
  for i in [0, 4) {
    %b[i, 0] = 1f
    %b[i, 1] = 1f
  }
}
)");
}

TEST(UnrollTest, UnrollsByFactorWithRemainderLoop) {
  EXPECT_EQ(RunPass(UnrollAndSimplify, R"(
func f(in %a: float32[7,4], out %b: float32[1]) {
  %b[0] = 0f
  pragma unroll_factor 2 {
    for k in [0, 7) {
      for i in [1, +3) {
        %b[0] = %b[0] + %a[k, i]
      }
    }
  }
  pragma unroll_factor 4 {
    for k in [2, +4) {
      %b[0] = %b[0] + %a[k, 0]
    }
  }
  pragma unroll_factor 8 {
    for k in [0, 2) {
      %b[0] = %b[0] + %a[k, 1]
    }
  }
})"),
            R"(func f(in %a: float32[7,4], out %b: float32[1]) {
  %b[0] = 0f
  for k.u in [0, 3) {
    for i in [1, +3) {
      %b[0] = %b[0] + %a[k.u * 2, i]
    }
    for i in [1, +3) {
      %b[0] = %b[0] + %a[k.u * 2 + 1, i]
    }
  }
  for i in [1, +3) {
    %b[0] = %b[0] + %a[6, i]
  }
  %b[0] = %b[0] + %a[2, 0]
  %b[0] = %b[0] + %a[3, 0]
  %b[0] = %b[0] + %a[4, 0]
  %b[0] = %b[0] + %a[5, 0]
  %b[0] = %b[0] + %a[0, 1]
  %b[0] = %b[0] + %a[1, 1]
}
)");
}

TEST(UnrollTest, KeepsOtherPragmasAndLoops) {
  constexpr char kText[] = R"(func f(out %b: float32[4]) {
  pragma other 4 {
    for i in [0, 4) {
      %b[i] = 1f
    }
  }
}
)";
  EXPECT_EQ(RunPass(Unroll, kText), kText);
}

TEST(UnrollTest, HugeLoopBecomesSerial) {
  EXPECT_EQ(RunPass(Unroll, R"(
func f(out %b: float32[5000]) {
  unrolled i in [0, 5000) {
    %b[i] = 1f
  }
})"),
            R"(func f(out %b: float32[5000]) {
  for i in [0, 5000) {
    %b[i] = 1f
  }
}
)");
}

}  // namespace
}  // namespace assay::tir
