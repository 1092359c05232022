// Compares operators with bounded result extents with the reference, as lowered
// and after the loop passes.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/ops/testing/kernel_check.h"

namespace assay::ops {
namespace {

std::string CheckSuppression(int images, int classes, int boxes, int bound,
                             const std::string& attrs) {
  const std::string types = absl::StrCat("(int64[", bound, ",3], int64[])");
  return CheckText(absl::StrCat(
      "graph g(%b: float32[", images, ",", boxes, ",4], %s: float32[", images,
      ",", classes, ",", boxes, "]) -> (%1, %1.1) {\n  %1: ", types,
      " = non_max_suppression(%b, %s) {", attrs, "}\n}"));
}

TEST(NonMaxSuppressionTest, MatchesReference) {
  // A single box; `most` above and below the number of boxes.
  EXPECT_EQ(CheckSuppression(1, 1, 1, 1, "most=1, iou_threshold=0.5"), "");
  EXPECT_EQ(CheckSuppression(1, 2, 5, 10, "most=9, iou_threshold=0.1"), "");
  EXPECT_EQ(CheckSuppression(2, 3, 40, 24, "most=4, iou_threshold=0.1"), "");
  // Score thresholds that keep some boxes or none.
  EXPECT_EQ(CheckSuppression(1, 3, 33, 60,
                             "most=20, iou_threshold=0.3, score_threshold=0.2"),
            "");
  EXPECT_EQ(CheckSuppression(1, 3, 33, 60,
                             "most=20, iou_threshold=0, score_threshold=1"),
            "");
  EXPECT_EQ(
      CheckSuppression(2, 1, 30, 60, "most=40, iou_threshold=0.2, center=true"),
      "");
  // More selected boxes than are compared at a time.
  EXPECT_EQ(CheckSuppression(1, 1, 300, 300, "most=300, iou_threshold=0.8"),
            "");
  EXPECT_EQ(CheckSuppression(1, 2, 257, 258, "most=129, iou_threshold=0.9"),
            "");
  // No boxes requested.
  EXPECT_EQ(CheckSuppression(1, 2, 5, 1, "most=0, iou_threshold=0"), "");
}

// Few distinct values, including zero.
CheckOptions Few() {
  CheckOptions options;
  options.low = -2;
  options.high = 2;
  return options;
}

TEST(NonZeroTest, MatchesReference) {
  for (const char* type : {"int32", "int64", "uint8", "bool"}) {
    CheckOptions options = Few();
    if (std::string(type) == "bool" || std::string(type) == "uint8") {
      options.low = 0;
      options.high = 1;
    }
    EXPECT_EQ(CheckText(absl::StrCat("graph g(%x: ", type,
                                     "[2,3,7]) -> (%1, %1.1) {\n  %1: "
                                     "(int64[3,42], int64[]) = non_zero(%x)"
                                     "\n}"),
                        options),
              "")
        << type;
  }
  EXPECT_EQ(CheckText("graph g(%x: float32[5]) -> (%1, %1.1) {\n"
                      "  %1: (int64[1,5], int64[]) = non_zero(%x)\n}"),
            "");
}

std::string CheckUnique(const std::string& x, int rows,
                        const std::string& attrs) {
  const std::string row = absl::StrCat("int64[", rows, "]");
  return CheckText(
      absl::StrCat("graph g(%x: ", x, ") -> (%1, %1.1, %1.2, %1.3) {\n  %1: (",
                   row, ", ", row, ", ", row, ", int64[]) = unique(%x) {",
                   attrs, "}\n}"),
      Few());
}

TEST(UniqueTest, MatchesReference) {
  for (const char* sorted : {"sorted=true", "sorted=false"}) {
    EXPECT_EQ(CheckUnique("int64[23]", 23, absl::StrCat("axis=0, ", sorted)),
              "");
    EXPECT_EQ(CheckUnique("int32[1]", 1, absl::StrCat("axis=0, ", sorted)), "");
    EXPECT_EQ(CheckUnique("int32[17,2]", 17, absl::StrCat("axis=0, ", sorted)),
              "");
    EXPECT_EQ(CheckUnique("int8[1,9,2]", 9, absl::StrCat("axis=1, ", sorted)),
              "");
    EXPECT_EQ(CheckUnique("float32[12]", 12, absl::StrCat("axis=0, ", sorted)),
              "");
  }
}

}  // namespace
}  // namespace assay::ops
