#include "suites/comparison/align_kernels.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// Parses calls such as `conv:c1,r1:ab12 cast:`, each with its kind, its sources
// and, if known, its code digest.
std::vector<runtime::KernelCall> Calls(const std::string& text) {
  std::vector<runtime::KernelCall> calls;
  for (const auto word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::vector<std::string> parts = absl::StrSplit(word, ':');
    runtime::KernelCall call;
    call.kind = parts[0];
    call.sources = absl::StrSplit(parts[1], ',', absl::SkipEmpty());
    if (parts.size() == 3) call.code_digest = parts[2];
    calls.push_back(std::move(call));
  }
  return calls;
}

// Returns a line such as `0 1 = 0 (c1 r1)` for each part: the calls of the
// base, those of the run, and the nodes.
std::string Align(const std::string& base, const std::string& run) {
  std::string text;
  for (const AlignedKernels& piece : AlignKernels(Calls(base), Calls(run))) {
    absl::StrAppend(&text, absl::StrJoin(piece.base, " "), " = ",
                    absl::StrJoin(piece.run, " "), " (",
                    absl::StrJoin(piece.sources, " "), ")",
                    piece.same_code ? " same code" : "", "\n");
  }
  return text;
}

TEST(AlignKernelsTest, EqualFusionAlignsSingleKernels) {
  EXPECT_EQ(Align("conv:c1,r1 pool:p", "conv:c1,r1 pool:p"),
            "0 = 0 (c1 r1)\n"
            "1 = 1 (p)\n");
}

TEST(AlignKernelsTest, DifferentFusionMergesKernels) {
  // Fused operators are split, or the add is fused with another convolution.
  EXPECT_EQ(Align("conv:c1,b1,r1 conv:c2,a2 pool:p",
                  "pool:p conv:c1 relu:b1,r1 conv:c2 add:a2"),
            "0 = 1 2 (c1 b1 r1)\n"
            "1 = 3 4 (c2 a2)\n"
            "2 = 0 (p)\n");
  EXPECT_EQ(Align("conv:c1,a conv:c2", "conv:c1 conv:c2,a"),
            "0 1 = 0 1 (c1 a c2)\n");
  // Two kernels for one node: Winograd's transform and its product.
  EXPECT_EQ(Align("transform:c1 matmul:c1", "conv:c1"), "0 1 = 0 (c1)\n");
}

TEST(AlignKernelsTest, KernelsWithoutNodesAreMatchedByKind) {
  EXPECT_EQ(Align("layout: conv:c layout:", "conv:c layout: cast:"),
            "0 = 1 ()\n"
            "1 = 0 (c)\n"
            "2 =  ()\n"
            " = 2 ()\n");
}

TEST(AlignKernelsTest, MarksPartsWithTheSameCode) {
  EXPECT_EQ(Align("conv:c1:a conv:c2:b pool:p relu:r:",
                  "conv:c1:a conv:c2:a "
                  "pool:p relu:r:"),
            "0 = 0 (c1) same code\n"
            "1 = 1 (c2)\n"
            "2 = 2 (p)\n"
            "3 = 3 (r)\n");
  // The code must agree pairwise, in order, for the same number of kernels.
  EXPECT_EQ(
      Align("conv:c1:a relu:c1:b conv:c2:a relu:c2:b conv:c3:a",
            "conv:c1:a relu:c1:b conv:c2:b relu:c2:a conv:c3:a conv:c3:a"),
      "0 1 = 0 1 (c1) same code\n"
      "2 3 = 2 3 (c2)\n"
      "4 = 4 5 (c3)\n");
}

TEST(AlignKernelsTest, AcceptsNoCalls) { EXPECT_EQ(Align("", ""), ""); }

}  // namespace
}  // namespace assay::suites
