#include "compiler/tir/passes/hoist_conditions.h"

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

TEST(HoistConditionsTest, HoistsLoopInvariantConditions) {
  EXPECT_EQ(RunPass(HoistConditions, R"(
func f(out %b: float32[4,8]) {
  for n in [0, 4) {
    pragma other 1 {
      for i in [0, 4) {
        for j in [0, 2) {
          if n < 2 {
            %b[n, i * 2 + j] = 1f
          } else {
            %b[n, i * 2 + j] = 2f
          }
        }
      }
    }
  }
})"),
            R"(func f(out %b: float32[4,8]) {
  for n in [0, 4) {
    if n < 2 {
      pragma other 1 {
        for i in [0, 4) {
          for j in [0, 2) {
            %b[n, i * 2 + j] = 1f
          }
        }
      }
    } else {
      pragma other 1 {
        for i in [0, 4) {
          for j in [0, 2) {
            %b[n, i * 2 + j] = 2f
          }
        }
      }
    }
  }
}
)");
}

TEST(HoistConditionsTest, SplitsConjunctions) {
  EXPECT_EQ(RunPass(HoistConditions, R"(
func f(in %a: float32[8], out %b: float32[4,8]) {
  for n in [0, 4) {
    for i in [0, 8) {
      %b[n, i] = 0f
    }
    for i in [0, 8) {
      if i < 6 && n < 2 && 1 <= i {
        %b[n, i] = 1f
      }
    }
    for i in [0, 8) {
      if %a[i] < 0f && n < 3 {
        %b[n, i] = 1f
      } else {
        %b[n, i] = 2f
      }
    }
  }
})"),
            R"(func f(in %a: float32[8], out %b: float32[4,8]) {
  for n in [0, 4) {
    for i in [0, 8) {
      %b[n, i] = 0f
    }
    if n < 2 {
      for i in [0, 8) {
        if i < 6 && 1 <= i {
          %b[n, i] = 1f
        }
      }
    }
    if n < 3 {
      for i in [0, 8) {
        if %a[i] < 0f {
          %b[n, i] = 1f
        } else {
          %b[n, i] = 2f
        }
      }
    } else {
      for i in [0, 8) {
        %b[n, i] = 2f
      }
    }
  }
}
)");
}

TEST(HoistConditionsTest, HoistsSelectStoredByPerfectNest) {
  EXPECT_EQ(RunPass(HoistConditions, R"(
func pad(in %a: float32[4,6,8], out %b: float32[6,8,8]) {
  parallel y in [0, 6) {
    for x in [0, 8) {
      vectorized c in [0, 8) {
        %b[y, x, c] = select(1 <= y && y < 5 && 1 <= x && x < 7, %a[y - 1, x - 1, c], 0f)
      }
    }
  }
})"),
            R"(func pad(in %a: float32[4,6,8], out %b: float32[6,8,8]) {
  parallel y in [0, 6) {
    if 1 <= y && y < 5 {
      for x in [0, 8) {
        vectorized c in [0, 8) {
          %b[y, x, c] = select(1 <= x && x < 7, %a[y - 1, x - 1, c], 0f)
        }
      }
    } else {
      for x in [0, 8) {
        vectorized c in [0, 8) {
          %b[y, x, c] = 0f
        }
      }
    }
  }
}
)");
}

TEST(HoistConditionsTest, KeepsVariantAndPartialConditions) {
  constexpr char kText[] = R"(func f(in %a: float32[4], out %b: float32[4,8]) {
  for n in [0, 4) {
    for i in [0, 8) {
      %b[n, i] = 0f
      if n < 2 {
        %b[n, i] = 1f
      }
    }
    for i in [0, 8) {
      if %a[n] < 2f {
        %b[n, i] = 1f
      }
    }
    vectorized i in [0, 8) {
      %b[n, i] = select(n < 2, %b[n, i], 3f)
    }
  }
}
)";
  EXPECT_EQ(RunPass(HoistConditions, kText), kText);
}

TEST(HoistConditionsTest, HoistsConditionOfAccumulatedValue) {
  EXPECT_EQ(RunPass(HoistConditions, R"(
func f(in %a: float32[8], out %b: float32[4]) {
  for n in [0, 4) {
    %b[n] = 0f
    for k in [0, 4) {
      for i in [0, 8) {
        %b[n] = %b[n] + select(n < 2 && i < 5, %a[i], 0f)
      }
    }
    for i in [0, 8) {
      %b[n] = %b[n] + select(n < 2, %a[i], 1f)
    }
    for i in [0, 8) {
      %b[n] = %b[0] + select(n < 2, %a[i], 0f)
    }
  }
})"),
            R"(func f(in %a: float32[8], out %b: float32[4]) {
  for n in [0, 4) {
    %b[n] = 0f
    if n < 2 {
      for k in [0, 4) {
        for i in [0, 8) {
          %b[n] = %b[n] + select(i < 5, %a[i], 0f)
        }
      }
    }
    for i in [0, 8) {
      %b[n] = %b[n] + select(n < 2, %a[i], 1f)
    }
    for i in [0, 8) {
      %b[n] = %b[0] + select(n < 2, %a[i], 0f)
    }
  }
}
)");
}

}  // namespace
}  // namespace assay::tir
