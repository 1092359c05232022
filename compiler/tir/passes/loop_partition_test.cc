#include "compiler/tir/passes/loop_partition.h"

#include <string>

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

// Expects that the pass turns `before` into `after`, the bodies of functions
// with this signature. Bodies start with a line break.
void ExpectPartition(const std::string& signature, const std::string& before,
                     const std::string& after) {
  const auto function = [&](const std::string& body) {
    return "func " + signature + " {" + body + "}\n";
  };
  EXPECT_EQ(RunPass(PartitionLoops, function(before)), function(after));
}

TEST(PartitionLoopsTest, RemovesGuardOfSplit) {
  ExpectPartition("f(in %a: float32[14], out %b: float32[14])", R"(
  for o in [0, 4) {
    for i in [0, 4) {
      if o * 4 + i < 14 {
        %b[o * 4 + i] = %a[o * 4 + i]
      }
    }
  }
)",
                  R"(
  for o in [0, 3) {
    for i in [0, 4) {
      %b[o * 4 + i] = %a[o * 4 + i]
    }
  }
  for i in [0, 2) {
    %b[i + 12] = %a[i + 12]
  }
)");
}

TEST(PartitionLoopsTest, SplitsPaddedRowIntoThreeParts) {
  ExpectPartition("f(in %a: float32[6], in %w: float32[3], out %b: float32[6])",
                  R"(
  for x in [0, 6) {
    %b[x] = 0f
    unrolled k in [0, 3) {
      %b[x] = %b[x] + select(1 <= x + k && x + k < 7, %a[x + k - 1], 0f) * %w[k]
    }
  }
)",
                  R"(
  %b[0] = 0f
  unrolled k in [0, 3) {
    %b[0] = %b[0] + select(1 <= k, %a[k - 1], 0f) * %w[k]
  }
  for x in [1, +4) {
    %b[x] = 0f
    unrolled k in [0, 3) {
      %b[x] = %b[x] + %a[x + k - 1] * %w[k]
    }
  }
  %b[5] = 0f
  unrolled k in [0, 3) {
    %b[5] = %b[5] + select(k < 2, %a[k + 4], 0f) * %w[k]
  }
)");
}

TEST(PartitionLoopsTest, PeelsFirstBlockOfReduction) {
  ExpectPartition("f(in %a: float32[8,4], out %b: float32[1])", R"(
  for k.o in [0, 8) {
    if k.o == 0 {
      %b[0] = 0f
    }
    for k.i in [0, 4) {
      %b[0] = %b[0] + %a[k.o, k.i]
    }
  }
)",
                  R"(
  %b[0] = 0f
  for k.i in [0, 4) {
    %b[0] = %b[0] + %a[0, k.i]
  }
  for k.o in [1, +7) {
    for k.i in [0, 4) {
      %b[0] = %b[0] + %a[k.o, k.i]
    }
  }
)");
}

TEST(PartitionLoopsTest, SplitsBeforeLastShiftedTile) {
  ExpectPartition("f(in %a: float32[14], out %b: float32[14])", R"(
  for o in [0, 4) {
    vectorized i in [0, 4) {
      %b[min(o * 4, 10) + i] = %a[min(o * 4, 10) + i]
    }
  }
)",
                  R"(
  for o in [0, 3) {
    vectorized i in [0, 4) {
      %b[o * 4 + i] = %a[o * 4 + i]
    }
  }
  vectorized i in [0, 4) {
    %b[i + 10] = %a[i + 10]
  }
)");
}

// The clamp alone would not justify a copy of the inner loop, but the condition
// that depends on it does.
TEST(PartitionLoopsTest, FindsConditionsOnClampedIndices) {
  ExpectPartition("f(in %a: float32[14], out %b: float32[14])", R"(
  for o in [0, 4) {
    for i in [0, 4) {
      %b[min(o * 4, 10) + i] = select(min(o * 4, 10) + i < 13, %a[min(o * 4, 10) + i], 0f)
    }
  }
)",
                  R"(
  for o in [0, 3) {
    for i in [0, 4) {
      %b[o * 4 + i] = %a[o * 4 + i]
    }
  }
  for i in [0, 3) {
    %b[i + 10] = %a[i + 10]
  }
  %b[13] = 0f
)");
}

TEST(PartitionLoopsTest, SplitsConcatenationIntoLoopPerInput) {
  ExpectPartition("f(in %a: float32[4], in %b: float32[2], out %c: float32[6])",
                  R"(
  for i in [0, 6) {
    %c[i] = select(i < 4, %a[i], %b[i - 4])
  }
)",
                  R"(
  for i in [0, 4) {
    %c[i] = %a[i]
  }
  for i in [4, +2) {
    %c[i] = %b[i - 4]
  }
)");
}

TEST(PartitionLoopsTest, LoopInvariantLimitNarrowsRange) {
  ExpectPartition("f(in %a: float32[14], out %b: float32[14])", R"(
  parallel o in [0, 4) {
    for i in [0, 4) {
      if o * 4 + i < 14 {
        %b[o * 4 + i] = %a[o * 4 + i]
      }
    }
  }
)",
                  R"(
  parallel o in [0, 4) {
    for i in [0, min(14 - o * 4, 4)) {
      %b[o * 4 + i] = %a[o * 4 + i]
    }
  }
)");
  ExpectPartition("f(in %a: float32[8], out %b: float32[8,8])", R"(
  parallel y in [0, 8) {
    for x in [0, 8) {
      %b[y, x] = 0f
    }
    for k in [0, 5) {
      if 2 <= y * 2 + k * 3 && %a[k] < 0f && y * 2 + k * 3 < 11 {
        %b[y, k] = %a[k]
      }
    }
  }
)",
                  R"(
  parallel y in [0, 8) {
    for x in [0, 8) {
      %b[y, x] = 0f
    }
    for k in [max((1 - y * 2) / 3 + 1, 0), +(1 - y * 2) / 3 - max((1 - y * 2) / 3 + 1, 0) + 4) {
      if %a[k] < 0f {
        %b[y, k] = %a[k]
      }
    }
  }
)");
}

TEST(PartitionLoopsTest, VectorLoopsNarrowByConstantsOnly) {
  ExpectPartition("f(in %a: float32[14], out %b: float32[14])", R"(
  for o in [0, 2) {
    vectorized i in [0, 8) {
      if o * 8 + i < 14 {
        %b[o * 8 + i] = %a[o * 8 + i]
      }
    }
  }
)",
                  R"(
  vectorized i in [0, 8) {
    %b[i] = %a[i]
  }
  vectorized i in [0, 6) {
    %b[i + 8] = %a[i + 8]
  }
)");
  constexpr char kStays[] = R"(
  parallel o in [0, 2) {
    vectorized i in [0, 8) {
      if o * 8 + i < 14 {
        %b[o * 8 + i] = %a[o * 8 + i]
      }
    }
  }
)";
  ExpectPartition("f(in %a: float32[14], out %b: float32[14])", kStays, kStays);
  // The inner loop would have a different end in each lane.
  constexpr char kInside[] = R"(
  vectorized o in [0, 4) {
    %b[o] = 0f
    for i in [0, 4) {
      if o + i < 4 {
        %b[o] = %b[o] + %a[o + i]
      }
    }
  }
)";
  ExpectPartition("f(in %a: float32[4], out %b: float32[4])", kInside, kInside);
}

TEST(PartitionLoopsTest, KeepsLoopsWithoutBenefit) {
  // The conditions depend on data, alternate between iterations, or depend on
  // another loop; and there are too many stores to copy.
  constexpr char kText[] = R"(
  for i in [0, 8) {
    %b[i, 0] = select(%a[i] < 0f, 0f, %a[i])
    %b[i, 1] = select(i % 2 == 0, 0f, %a[i])
    unrolled j in [0, 300) {
      %b[i, j + 2] = select(i < 4, 0f, %a[i])
      %b[i, j + 299] = 0f
    }
    unrolled j in [0, 300) {
      %b[i, j + 300] = select(i < 4, 0f, %a[i])
    }
  }
)";
  ExpectPartition("f(in %a: float32[8], out %b: float32[8,600])", kText, kText);
}

TEST(PartitionLoopsTest, SplitsIntoAtMostThreeParts) {
  ExpectPartition("f(out %b: float32[40])", R"(
  for i in [0, 40) {
    %b[i] = select(i < 10, 1f, select(i < 20, 2f, select(i < 30, 3f, 4f)))
  }
)",
                  R"(
  for i in [0, 10) {
    %b[i] = 1f
  }
  for i in [10, +10) {
    %b[i] = 2f
  }
  for i in [20, +20) {
    %b[i] = select(i < 30, 3f, 4f)
  }
)");
}

}  // namespace
}  // namespace assay::tir
