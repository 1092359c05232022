// Tiles that are written by rows and read by columns.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/host_target.h"
#include "compiler/codegen/llvm/testing/differential.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

// Transposes ten tiles of `rows` by `width` elements.
tir::Function Transposition(const std::string& type, int rows, int width) {
  const int size = rows * width;
  std::string text = absl::StrCat(
      "func f(in %x: ", type, "[", 10 * size, "], out %y: ", type, "[",
      10 * size, "]) {\n  for t in [0, 10) {\n    alloc %tile: local ", type,
      "[", size, "]\n");
  for (int r = 0; r < rows; ++r) {
    absl::StrAppend(&text, "    %tile[ramp(", r * width, ", 1, ", width,
                    ")] = %x[ramp(t * ", size, " + ", r * width, ", 1, ", width,
                    ")]\n");
  }
  for (int c = 0; c < width; ++c) {
    absl::StrAppend(&text, "    %y[ramp(t * ", size, " + ", c * rows, ", 1, ",
                    rows, ")] = %tile[ramp(", c, ", ", width, ", ", rows,
                    ")]\n");
  }
  text += "  }\n}\n";
  const auto f = tir::ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status() << text;
  return *f;
}

TEST(TileTest, SupportsAnySize) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  for (const int rows : {2, 3, 4, 8, 12, 16}) {
    for (const int width : {2, 3, 4, 5, 8, 12, 16}) {
      EXPECT_TRUE(AgreesWithInterpreter(Transposition("float32", rows, width),
                                        *host, 3, /*seed=*/1))
          << rows << " x " << width;
    }
  }
}

TEST(TileTest, SupportsAnyElementType) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  for (const char* type : {"int8", "float16", "int64", "float64", "bool"}) {
    for (const auto& [rows, width] : {std::pair(8, 8), std::pair(16, 4)}) {
      for (const int opt_level : {0, 3}) {
        EXPECT_TRUE(AgreesWithInterpreter(Transposition(type, rows, width),
                                          *host, opt_level, /*seed=*/2))
            << type << " " << rows << " x " << width;
      }
    }
  }
}

// The number of vector instructions in the whole kernel.
int VectorInstructions(const char* target_text, int rows, int width,
                       const char* vector_register) {
  const auto target = target::Target::Parse(target_text);
  EXPECT_TRUE(target.ok()) << target.status();
  int count = 0;
  Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view text) {
    if (kind != "s") return;
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (absl::StartsWith(line, "\t.")) continue;
      count += absl::StrContains(line, vector_register) ? 1 : 0;
    }
  };
  const auto image =
      GenerateLlvm({Transposition("float32", rows, width)}, *target, options);
  EXPECT_TRUE(image.ok()) << image.status();
  return count;
}

// One load and one store per vector, and k log2(k) shuffles per k vectors.
TEST(TileTest, UsesShufflesInsteadOfGathers) {
  EXPECT_LE(VectorInstructions("llvm -mtriple=x86_64-linux-gnu "
                               "-mcpu=x86-64-v3",
                               8, 8, "%ymm"),
            8 + 24 + 8);
  EXPECT_LE(VectorInstructions("llvm -mtriple=x86_64-linux-gnu "
                               "-mcpu=x86-64-v4",
                               16, 16, "%zmm"),
            16 + 64 + 16 + 8);
  // Without loads and stores.
  EXPECT_LE(VectorInstructions("llvm -mtriple=aarch64-linux-gnu "
                               "-mcpu=cortex-a72",
                               4, 4, ", v"),
            8);
}

}  // namespace
}  // namespace assay::codegen
