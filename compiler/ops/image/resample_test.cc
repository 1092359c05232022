// Compares resample and grid_sample with the reference.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/ops/testing/kernel_check.h"

namespace assay::ops {
namespace {

// Includes indices that are out of range at both ends of the axes.
CheckOptions Wide() {
  CheckOptions options;
  options.low = -2;
  options.high = 9;
  return options;
}

std::string CheckResample(const std::string& x, const std::string& result,
                          int out, int taps, int axis) {
  const std::string table = absl::StrCat("[", out, ",", taps, "]");
  return CheckText(
      absl::StrCat("graph g(%x: float32", x, ", %i: int32", table,
                   ", %w: float32", table, ") -> (%2) {\n  %1: float32", result,
                   " = resample(%x, %i, %w) {axis=", axis, "}\n  %2: float32",
                   result, " = relu(%1)\n}"),
      Wide());
}

TEST(ResampleTest, EveryAxis) {
  EXPECT_EQ(CheckResample("[1,3,5,7]", "[1,3,5,19]", 19, 2, 3), "");
  EXPECT_EQ(CheckResample("[1,3,5,24]", "[1,3,11,24]", 11, 4, 2), "");
  EXPECT_EQ(CheckResample("[2,5,3]", "[2,2,3]", 2, 9, 1), "");
  EXPECT_EQ(CheckResample("[6]", "[13]", 13, 2, 0), "");
  EXPECT_EQ(CheckResample("[4,1]", "[1,1]", 1, 1, 0), "");
}

std::string CheckGrid(const std::string& x, const std::string& grid,
                      const std::string& result, const std::string& attrs) {
  CheckOptions options;
  options.low = -1.75f;
  options.high = 1.75f;
  options.absolute = 1e-4;
  return CheckText(absl::StrCat("graph g(%x: float32", x, ", %g: float32", grid,
                                ") -> (%1) {\n  %1: float32", result,
                                " = grid_sample(%x, %g) {", attrs, "}\n}"),
                   options);
}

TEST(GridSampleTest, EveryMode) {
  for (const int taps : {1, 2, 4}) {
    for (const char* outside : {"", ", border=true", ", reflect=true"}) {
      for (const char* corners : {"", ", align_corners=true"}) {
        EXPECT_EQ(CheckGrid("[2,3,5,7]", "[2,4,6,2]", "[2,3,4,6]",
                            absl::StrCat("taps=", taps, outside, corners)),
                  "")
            << taps << outside << corners;
      }
    }
  }
  EXPECT_EQ(CheckGrid("[1,2,3,4,5]", "[1,2,3,2,3]", "[1,2,2,3,2]", "taps=2"),
            "");
  EXPECT_EQ(CheckGrid("[1,2,1,1]", "[1,3,3,2]", "[1,2,3,3]",
                      "taps=2, reflect=true, align_corners=true"),
            "");
}

}  // namespace
}  // namespace assay::ops
