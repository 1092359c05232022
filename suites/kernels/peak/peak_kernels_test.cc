#include "suites/kernels/peak/peak_kernels.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/codegen.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// Returns the lines of the kernel's assembly for a Sapphire Rapids that contain
// `instruction`.
int CountInstructions(const PeakKernel& kernel, absl::string_view instruction) {
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids");
  EXPECT_TRUE(target.ok()) << target.status();
  const auto function = tir::ParseFunction(kernel.text);
  EXPECT_TRUE(function.ok()) << function.status() << "\n" << kernel.text;
  if (!target.ok() || !function.ok()) return -1;
  int count = 0;
  codegen::Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view text) {
    if (kind != "s") return;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      count += absl::StrContains(line, instruction) ? 1 : 0;
    }
  };
  const auto code = codegen::Generate({*function}, *target, options);
  EXPECT_TRUE(code.ok()) << code.status();
  return count;
}

TEST(PeakKernelsTest, TextsAreValidLoopIr) {
  for (const PeakKernel& kernel :
       {FloatKernel(8, 100, 2), DotKernel("dot4_s8s8", 4, 100, 2),
        TileKernel("tile_dot4_u8s8", 100, 2),
        TileKernel("tile_dot2_bf16", 100, 2), ReadKernel(8, 3, 2, 1024),
        CopyKernel(16, 3, 2, 1024)}) {
    const auto function = tir::ParseFunction(kernel.text);
    EXPECT_TRUE(function.ok()) << function.status() << "\n" << kernel.text;
    EXPECT_EQ(function->inputs.size() + function->outputs.size(),
              kernel.sizes.size());
  }
}

TEST(PeakKernelsTest, AmountsCountOperationsAndBytes) {
  // Twelve accumulators.
  EXPECT_EQ(FloatKernel(8, 100, 2).amount, 2 * 12 * 8 * 100 * 2);
  EXPECT_EQ(DotKernel("dot4_u8s8", 16, 100, 3).amount,
            2 * 4 * 12 * 16 * 100 * 3);
  // Four tiles of accumulators.
  EXPECT_EQ(TileKernel("tile_dot4_u8s8", 10, 2).amount,
            2.0 * 16 * 16 * 64 * 4 * 10 * 2);
  EXPECT_EQ(TileKernel("tile_dot2_bf16", 10, 2).amount,
            2.0 * 16 * 16 * 32 * 4 * 10 * 2);
  EXPECT_EQ(ReadKernel(8, 3, 2, 1024).amount, 4 * 1024 * 3 * 2);
  EXPECT_EQ(CopyKernel(8, 3, 2, 1024).amount, 4 * 1024 * 3 * 2);
}

// The loop has one instruction per accumulator.
TEST(PeakKernelsTest, ComputesWithSingleInstructions) {
  EXPECT_EQ(CountInstructions(FloatKernel(16, 100, 1), "\tvfmadd"), 12);
  EXPECT_EQ(CountInstructions(DotKernel("dot4_u8s8", 16, 100, 1), "\tvpdpbusd"),
            12);
  EXPECT_EQ(CountInstructions(TileKernel("tile_dot4_u8s8", 100, 1), "\ttdpb"),
            4);
  EXPECT_EQ(CountInstructions(TileKernel("tile_dot2_bf16", 100, 1), "\ttdpb"),
            4);
}

}  // namespace
}  // namespace assay::suites
