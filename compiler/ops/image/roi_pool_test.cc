// Compares roi_align and max_roi_pool with the reference.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/ops/testing/kernel_check.h"

namespace assay::ops {
namespace {

// Regions lie inside and outside the image; some have begin > end.
CheckOptions About() {
  CheckOptions options;
  options.low = -2;
  options.high = 11;
  options.absolute = 1e-4;
  return options;
}

TEST(RoiAlignTest, EveryMode) {
  for (const char* half : {"", ", half_pixel=true"}) {
    for (const char* max : {"", ", max=true"}) {
      for (const int sampling : {0, 1, 2}) {
        EXPECT_EQ(
            CheckText(absl::StrCat(
                          "graph g(%x: float32[2,3,9,7], %r: float32[5,4], %n: "
                          "int64[5]) -> (%1) {\n  %1: float32[5,3,2,3] = "
                          "roi_align(%x, %r, %n) {output=[2,3], sampling=",
                          sampling, ", scale=0.75", max, half, "}\n}"),
                      About()),
            "")
            << half << max << sampling;
      }
    }
  }
}

// More points than pixels: 32 channels are two vectors of 16, and 5 channels
// are one. In the second case, all extents of the image are equal.
TEST(RoiAlignTest, ManyPoints) {
  for (const char* image : {"1,32,6,7", "5,5,5,5", "2,7,4,3"}) {
    for (const char* max : {"", ", max=true"}) {
      const std::vector<std::string> extents = absl::StrSplit(image, ',');
      EXPECT_EQ(
          CheckText(
              absl::StrCat("graph g(%x: float32[", image,
                           "], %r: float32[40,4], %n: int64[40]) -> (%1) {\n  "
                           "%1: float32[40,",
                           extents[1],
                           ",2,3] = roi_align(%x, %r, %n) {output=[2,3], "
                           "sampling=2, scale=0.75",
                           max, "}\n}"),
              About()),
          "")
          << image << max;
    }
  }
}

TEST(MaxRoiPoolTest, RegionsInsideAndOutside) {
  for (const char* scale : {"1", "0.5"}) {
    EXPECT_EQ(CheckText(absl::StrCat(
                            "graph g(%x: float32[2,3,9,7], %r: float32[7,5]) "
                            "-> (%1) {\n  %1: float32[7,3,2,3] = "
                            "max_roi_pool(%x, %r) {output=[2,3], scale=",
                            scale, "}\n}"),
                        About()),
              "");
  }
}

// A single bin covers the whole image; of three bins, the middle one does.
TEST(MaxRoiPoolTest, RegionsFarLargerThanTheImage) {
  CheckOptions far = About();
  far.low = -1e30f;
  far.high = 1e30f;
  EXPECT_EQ(CheckText("graph g(%x: float32[1,2,4,5], %r: float32[9,5]) -> (%1) "
                      "{\n  %1: float32[9,2,1,3] = max_roi_pool(%x, %r) "
                      "{output=[1,3], scale=1}\n}",
                      far),
            "");
}

}  // namespace
}  // namespace assay::ops
