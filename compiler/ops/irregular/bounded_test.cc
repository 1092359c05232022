// Operators whose results have bounded extents, against the reference, as
// lowered and after the loop passes.
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

TEST(NonMaxSuppressionTest, SelectsWhatTheReferenceSelects) {
  // One box; fewer boxes than may be selected; fewer than there are.
  EXPECT_EQ(CheckSuppression(1, 1, 1, 1, "most=1, iou_threshold=0.5"), "");
  EXPECT_EQ(CheckSuppression(1, 2, 5, 10, "most=9, iou_threshold=0.1"), "");
  EXPECT_EQ(CheckSuppression(2, 3, 40, 24, "most=4, iou_threshold=0.1"), "");
  // Thresholds that leave some boxes, and none.
  EXPECT_EQ(CheckSuppression(1, 3, 33, 60,
                             "most=20, iou_threshold=0.3, score_threshold=0.2"),
            "");
  EXPECT_EQ(CheckSuppression(1, 3, 33, 60,
                             "most=20, iou_threshold=0, score_threshold=1"),
            "");
  EXPECT_EQ(
      CheckSuppression(2, 1, 30, 60, "most=40, iou_threshold=0.2, center=true"),
      "");
  // Nothing asked for.
  EXPECT_EQ(CheckSuppression(1, 2, 5, 1, "most=0, iou_threshold=0"), "");
}

}  // namespace
}  // namespace assay::ops
