#include "compiler/ops/data_movement/transposed_tiles.h"

#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// A graph that stores a value in blocks of `to` channels instead of `from`;
// with 0 channels it is plain.
std::string Text(const std::string& type, int from, int to) {
  const auto encoded = [&](int block) {
    return block == 0 ? type : absl::StrCat(type, "@blocks(", block, ")");
  };
  return absl::StrCat("graph g(%x: ", encoded(from),
                      ") -> (%1) { %1: ", encoded(to), " = encode(%x) }");
}

bool HasTiles(const std::string& text, const char* target_text) {
  const auto target = target::Target::Parse(target_text);
  const auto kernel = BuildKernel(*graph::GraphFromText(text), *target);
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  return absl::StrContains(kernel->schedule.ToString(),
                           "pixels.set_scope(local)");
}

// Pixel counts that are a multiple of the vector length, one more, or less than
// one vector; blocks that are not a power of two or longer than a vector.
TEST(TransposedTilesTest, RoundTripsAtOddSizes) {
  struct Case {
    int n, c, h, w, block;
  };
  for (const Case& s :
       {Case{1, 8, 4, 8, 8}, Case{2, 16, 7, 7, 8}, Case{1, 32, 5, 7, 16},
        Case{1, 6, 3, 11, 3}, Case{1, 24, 3, 6, 12}, Case{2, 10, 1, 9, 5},
        Case{1, 16, 1, 1, 8}, Case{1, 4, 2, 2, 2}, Case{1, 7, 5, 5, 1}}) {
    const std::string type =
        absl::StrCat("float32[", s.n, ",", s.c, ",", s.h, ",", s.w, "]");
    EXPECT_EQ(CheckText(Text(type, 0, s.block)), "")
        << type << " to " << s.block;
    EXPECT_EQ(CheckText(Text(type, s.block, 0)), "")
        << type << " from " << s.block;
  }
}

TEST(TransposedTilesTest, OtherTypes) {
  for (const char* type : {"int8", "float16", "int64"}) {
    const std::string shaped = absl::StrCat(type, "[1,16,5,7]");
    EXPECT_EQ(CheckText(Text(shaped, 0, 8)), "");
    EXPECT_EQ(CheckText(Text(shaped, 8, 0)), "");
  }
}

TEST(TransposedTilesTest, BlocksToBlocks) {
  EXPECT_EQ(CheckText(Text("float32[1,16,5,7]", 8, 16)), "");
  EXPECT_EQ(CheckText(Text("float32[1,12,3,5]", 6, 4)), "");
}

// A blocked value without pixels has as many axes as a plain one with a row.
TEST(TransposedTilesTest, ConvertsVectorsOfChannels) {
  EXPECT_EQ(CheckText(Text("float32[3,16]", 0, 8)), "");
  EXPECT_EQ(CheckText(Text("float32[3,16]", 8, 0)), "");
  EXPECT_EQ(CheckText(Text("float32[3,16]", 4, 8)), "");
}

TEST(TransposedTilesTest, RequiresAVectorOfPixels) {
  const char* avx2 = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3";
  EXPECT_TRUE(HasTiles(Text("float32[1,16,3,3]", 0, 8), avx2));
  EXPECT_TRUE(HasTiles(Text("float32[1,16,3,3]", 8, 0), avx2));
  EXPECT_FALSE(HasTiles(Text("float32[1,16,1,1]", 8, 0), avx2));
}

// An image of few channels has one block, whose pixels are divided.
TEST(TransposedTilesTest, AllThreadsHaveWork) {
  const char* three_cores =
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -num-cores=3";
  for (const std::string& text :
       {Text("float32[1,3,96,96]", 0, 3), Text("float32[1,8,96,96]", 8, 0)}) {
    const auto graph = graph::GraphFromText(text);
    const auto kernel = BuildKernel(*graph, CheckTarget(three_cores));
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const std::string schedule = kernel->schedule.ToString();
    const int third = 96 * 96 / 8 / 3;
    EXPECT_TRUE(absl::StrContains(schedule, absl::StrCat(", ", third, ") -> ")))
        << schedule;
    EXPECT_EQ(CheckKernel(*graph, three_cores), "");
  }
}

// Element-wise producers and consumers are fused into the rows and columns.
TEST(TransposedTilesTest, FusesElementwiseOperators) {
  const std::string pack =
      "graph g(%x: float32[1,16,5,7], %s: float32[16,1,1], %b: "
      "float32[16,1,1]) -> (%4) {\n"
      "  %1: float32[1,16,5,7] = multiply(%x, %s)\n"
      "  %2: float32[1,16,5,7]@blocks(8) = encode(%1)\n"
      "  %3: float32[1,16,5,7]@blocks(8) = add(%2, %b)\n"
      "  %4: float32[1,16,5,7]@blocks(8) = relu(%3)\n}";
  EXPECT_EQ(CheckText(pack), "");
  EXPECT_TRUE(HasTiles(pack, kCheckTargets[0]));
  const std::string unpack =
      "graph g(%x: float32[1,16,5,7]@blocks(8), %y: float32[1,16,5,7]) -> "
      "(%3) {\n"
      "  %1: float32[1,16,5,7]@blocks(8) = relu(%x)\n"
      "  %2: float32[1,16,5,7] = encode(%1)\n"
      "  %3: float32[1,16,5,7] = add(%2, %y)\n}";
  EXPECT_EQ(CheckText(unpack), "");
  EXPECT_TRUE(HasTiles(unpack, kCheckTargets[0]));
}

// Operators that index single pixels or change the shape use element loops.
TEST(TransposedTilesTest, FallsBackIfOperatorsMoveElements) {
  for (const char* text :
       {"graph g(%x: float32[1,16,5,7]@blocks(8), %y: float32[7]) -> (%2) {\n"
        "  %1: float32[1,16,5,7] = encode(%x)\n"
        "  %2: float32[1,16,5,7] = add(%1, %y)\n}",
        "graph g(%x: float32[1,16,5,7]@blocks(8)) -> (%2) {\n"
        "  %1: float32[1,16,5,7] = encode(%x)\n"
        "  %2: float32[1,560] = reshape(%1) {shape=[1,560]}\n}",
        "graph g(%x: float32[1,16,5,7]) -> (%2) {\n"
        "  %1: float32[1,16,5,7] = slice(%x) {begins=[0,15,0,0], "
        "steps=[1,-1,1,1], sizes=[1,16,5,7]}\n"
        "  %2: float32[1,16,5,7]@blocks(8) = encode(%1)\n}",
        "graph g(%x: float32[1,16,5,7]) -> (%2) {\n"
        "  %1: float32[1,16,5,7]@blocks(4) = encode(%x)\n"
        "  %2: float32[1,16,5,7] = encode(%1)\n}"}) {
    EXPECT_EQ(CheckText(text), "") << text;
  }
}

}  // namespace
}  // namespace assay::ops
