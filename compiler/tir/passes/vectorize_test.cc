#include "compiler/tir/passes/vectorize.h"

#include <string>

#include "compiler/tir/passes/pass_testing.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

Stmt VectorizeAndSimplify(const Stmt& s) { return Simplify(Vectorize(s)); }

TEST(VectorizeTest, LoopBecomesVectorStatement) {
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

TEST(VectorizeTest, KeepsInnerLoopsAroundVector) {
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

TEST(VectorizeTest, TailRunsLaneByLane) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
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
    if x < 1 {
      %b[ramp(0, 1, 8)] = %a[ramp(0, 1, 8)]
    } else {
      for i in [0, 8) {
        if i < 5 {
          %b[i + 8] = %a[i + 8]
        }
      }
    }
  }
}
)");
}

TEST(VectorizeTest, WorstLaneDependsOnSignOfSlope) {
  EXPECT_EQ(RunPass(Vectorize, R"(
func f(out %b: int32[8]) {
  for x in [0, 8) {
    %b[x] = 0
  }
  for x in [0, 5) {
    vectorized i in [0, 4) {
      if 1 <= x - i && x + i < 7 {
        %b[x - i] = 1
      }
    }
  }
})"),
            R"(func f(out %b: int32[8]) {
  for x in [0, 8) {
    %b[x] = 0
  }
  for x in [0, 5) {
    if 1 <= x - 3 && x + 3 < 7 {
      %b[broadcast(x, 4) - ramp(0, 1, 4)] = broadcast(1, 4)
    } else {
      for i in [0, 4) {
        if 1 <= x - i && x + i < 7 {
          %b[x - i] = 1
        }
      }
    }
  }
}
)");
}

TEST(VectorizeTest, NonAffineConditionRunsLaneByLane) {
  EXPECT_EQ(RunPass(Vectorize, R"(
func f(in %a: float32[8], out %b: float32[8]) {
  vectorized i in [0, 8) {
    %b[i] = 0f
    if 0f < %a[i] {
      %b[i] = %a[i]
    }
  }
})"),
            R"(func f(in %a: float32[8], out %b: float32[8]) {
  %b[ramp(0, 1, 8)] = broadcast(0f, 8)
  for i in [0, 8) {
    if 0f < %a[i] {
      %b[i] = %a[i]
    }
  }
}
)");
}

TEST(VectorizeTest, KeepsLaneInvariantBranch) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[16], out %b: float32[8]) {
  for x in [0, 3) {
    vectorized i in [0, 8) {
      if x < 2 {
        %b[i] = select(x == 0, %a[i], 0f)
      }
    }
  }
})"),
            R"(func f(in %a: float32[16], out %b: float32[8]) {
  for x in [0, 3) {
    if x < 2 {
      %b[ramp(0, 1, 8)] = select(x == 0, %a[ramp(0, 1, 8)], broadcast(0f, 8))
    }
  }
}
)");
}

TEST(VectorizeTest, LaneDependentSelectConditionBecomesVector) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[6], out %b: float32[8]) {
  vectorized i in [0, 8) {
    %b[i] = select(1 <= i && i < 7, %a[i - 1], 0f)
  }
})"),
            R"(func f(in %a: float32[6], out %b: float32[8]) {
  %b[ramp(0, 1, 8)] = select(broadcast(1, 8) <= ramp(0, 1, 8) && ramp(0, 1, 8) < broadcast(7, 8), %a[ramp(-1, 1, 8)], broadcast(0f, 8))
}
)");
}

TEST(VectorizeTest, ExpandsAllocationToAllLanes) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[16], out %b: float32[4]) {
  vectorized i in [0, 4) {
    alloc %t: local float32[2]
    %t[0] = 0f
    %t[1] = %a[i]
    for r in [0, i + 1) {
      %t[0] = %t[0] + %a[i * 4 + r]
    }
    %b[i] = %t[0] + %t[1]
  }
})"),
            R"(func f(in %a: float32[16], out %b: float32[4]) {
  alloc %t: local float32[8]
  %t[ramp(0, 1, 4)] = broadcast(0f, 4)
  %t[ramp(4, 1, 4)] = %a[ramp(0, 1, 4)]
  for i in [0, 4) {
    for r in [0, i + 1) {
      %t[i] = %t[i] + %a[r + i * 4]
    }
  }
  %b[ramp(0, 1, 4)] = %t[ramp(0, 1, 4)] + %t[ramp(4, 1, 4)]
}
)");
}

// Otherwise the read of %a would be a gather.
TEST(VectorizeTest, BufferWithTheSameValuesInAllLanesIsNotExpanded) {
  EXPECT_EQ(
      RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[64], in %n: int32[4], out %b: float32[16]) {
  for x in [0, 4) {
    vectorized i in [0, 4) {
      alloc %t: local int32[1]
      %t[0] = min(max(%n[x], 0), 15)
      %b[x * 4 + i] = %a[%t[0] * 4 + i]
    }
  }
})"),
      R"(func f(in %a: float32[64], in %n: int32[4], out %b: float32[16]) {
  for x in [0, 4) {
    alloc %t: local int32[1]
    %t[0] = min(max(%n[x], 0), 15)
    %b[ramp(x * 4, 1, 4)] = %a[ramp(%t[0] * 4, 1, 4)]
  }
}
)");
}

TEST(VectorizeTest, BufferThatOnlySomeLanesChangeIsExpanded) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(in %a: float32[4], out %b: float32[4]) {
  vectorized i in [0, 4) {
    alloc %t: local float32[1]
    %t[0] = 0f
    if %a[i] < 0f {
      %t[0] = 1f
    }
    %b[i] = %t[0]
  }
})"),
            R"(func f(in %a: float32[4], out %b: float32[4]) {
  alloc %t: local float32[4]
  %t[ramp(0, 1, 4)] = broadcast(0f, 4)
  for i in [0, 4) {
    if %a[i] < 0f {
      %t[i] = 1f
    }
  }
  %b[ramp(0, 1, 4)] = %t[ramp(0, 1, 4)]
}
)");
}

TEST(VectorizeTest, NestedVectorizedLoopBecomesSerial) {
  EXPECT_EQ(RunPass(VectorizeAndSimplify, R"(
func f(out %b: int32[4,2]) {
  vectorized i in [0, 4) {
    vectorized j in [0, 2) {
      %b[i * 2 + j] = i - j
    }
  }
})"),
            R"(func f(out %b: int32[4,2]) {
  for j in [0, 2) {
    %b[ramp(j, 2, 4)] = ramp(0 - j, 1, 4)
  }
}
)");
}

TEST(VectorizeTest, StoresToOneAddressStaySerial) {
  constexpr char kAfter[] = R"(func f(out %b: int32[1]) {
  for i in [0, 8) {
    %b[0] = 3
  }
}
)";
  std::string before = kAfter;
  before.replace(before.find("for"), 3, "vectorized");
  EXPECT_EQ(RunPass(Vectorize, before), kAfter);
}

TEST(VectorizeTest, TooManyLanesStaySerial) {
  constexpr char kAfter[] = R"(func f(out %b: int32[129]) {
  for i in [0, 129) {
    %b[i] = 3
  }
}
)";
  std::string before = kAfter;
  before.replace(before.find("for"), 3, "vectorized");
  EXPECT_EQ(RunPass(Vectorize, before), kAfter);
}

}  // namespace
}  // namespace assay::tir
