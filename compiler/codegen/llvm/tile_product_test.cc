// Tile products: results on a processor with a matrix unit, and the
// instructions in the innermost loop.
#include <string>
#include <utility>
#include <vector>

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

struct Types {
  std::string a, b, sum;
  std::string intrinsic;
  int depth;
};

const std::vector<Types>& AllTypes() {
  static const auto* const types = new std::vector<Types>{
      {"bfloat16", "bfloat16", "float32", "tile_dot2_bf16", 2},
      {"uint8", "int8", "int32", "tile_dot4_u8s8", 4},
      {"int8", "int8", "int32", "tile_dot4_s8s8", 4},
      {"int8", "uint8", "int32", "tile_dot4_s8u8", 4},
      {"uint8", "uint8", "int32", "tile_dot4_u8u8", 4},
  };
  return *types;
}

// The product of `steps` tiles of a and b with 2 x 2 tiles of accumulators:
// a[steps, 2 tiles], b[steps, 2 tiles], c[2, 2 tiles].
tir::Function Product(const Types& t, int steps) {
  const int elements = 256 * t.depth;
  const std::string zero = t.sum == "float32" ? "0f" : "0";
  std::string text = absl::StrCat(
      "func f(in %a: ", t.a, "[", steps * 2 * elements, "], in %b: ", t.b, "[",
      steps * 2 * elements, "], out %c: ", t.sum, "[1024]) {\n",
      "  alloc %acc: local ", t.sum, "[1024]\n");
  for (int tile = 0; tile < 4; ++tile) {
    absl::StrAppend(&text, "  %acc[ramp(", tile * 256,
                    ", 1, 256)] = broadcast(", zero, ", 256)\n");
  }
  absl::StrAppend(&text, "  for k in [0, ", steps, ") {\n");
  const auto factor = [&](const char* name, int tile) {
    return absl::StrCat("reinterpret(int32x256, %", name, "[ramp(k * ",
                        2 * elements, " + ", tile * elements, ", 1, ", elements,
                        ")])");
  };
  for (int tile = 0; tile < 4; ++tile) {
    const std::string c = absl::StrCat("%acc[ramp(", tile * 256, ", 1, 256)]");
    absl::StrAppend(&text, "    ", c, " = ", t.intrinsic, "(", c, ", ",
                    factor("a", tile / 2), ", ", factor("b", tile % 2), ")\n");
  }
  absl::StrAppend(&text, "  }\n");
  for (int tile = 0; tile < 4; ++tile) {
    absl::StrAppend(&text, "  %c[ramp(", tile * 256, ", 1, 256)] = %acc[ramp(",
                    tile * 256, ", 1, 256)]\n");
  }
  absl::StrAppend(&text, "}\n");
  const auto f = tir::ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status() << text;
  return *f;
}

TEST(TileProductTest, AgreesWithTheInterpreter) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  if (!host->HasFeature("amx-int8") || !host->HasFeature("amx-bf16")) {
    GTEST_SKIP() << "this processor has no matrix unit";
  }
  for (const Types& types : AllTypes()) {
    for (const int steps : {1, 5}) {
      EXPECT_TRUE(AgreesWithInterpreter(Product(types, steps), *host, 3,
                                        /*seed=*/1))
          << types.intrinsic << ", " << steps;
    }
  }
}

// The product of a part of a matrix with 100 columns and a tile, stored to a
// part of a matrix with 40 columns.
TEST(TileProductTest, RowsMayBeApart) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  const auto f = tir::ParseFunction(R"(
func f(in %a: uint8[1700], in %b: int32[256], out %c: int32[700]) {
  alloc %acc: local int32[256]
  for i in [0, 700) {
    %c[i] = 0
  }
  %acc[ramp(0, 1, 256)] = broadcast(0, 256)
  for k in [0, 2) {
    %acc[ramp(0, 1, 256)] = tile_dot4_u8u8(%acc[ramp(0, 1, 256)], reinterpret(int32x256, %a[ramp(k * 5 + 7, 1, 1024) + ramp(0, 1, 1024) / broadcast(64, 1024) * broadcast(36, 1024)]), %b[ramp(0, 1, 256)])
  }
  %c[ramp(11, 1, 256) + ramp(0, 1, 256) / broadcast(16, 256) * broadcast(24, 256)] = %acc[ramp(0, 1, 256)]
}
)");
  ASSERT_TRUE(f.ok()) << f.status();
  int stores = 0;
  Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view text) {
    if (kind != "s") return;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      stores += absl::StrContains(line, "\ttilestore") ? 1 : 0;
    }
  };
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids");
  ASSERT_TRUE(GenerateLlvm({*f}, *target, options).ok());
  EXPECT_EQ(stores, 1);
  if (!host->HasFeature("amx-int8")) {
    GTEST_SKIP() << "this processor has no matrix unit";
  }
  EXPECT_TRUE(AgreesWithInterpreter(*f, *host, 3, /*seed=*/1));
}

// The accumulators stay in registers, and each factor is loaded once.
TEST(TileProductTest, KeepsTilesInRegisters) {
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu "
      "-mcpu=sapphirerapids");
  ASSERT_TRUE(target.ok()) << target.status();
  for (const Types& types : AllTypes()) {
    int products = 0, loads = 0, stores = 0;
    Options options;
    options.dump = [&](absl::string_view, absl::string_view kind,
                       absl::string_view text) {
      if (kind != "s") return;
      for (const absl::string_view line : absl::StrSplit(text, '\n')) {
        products += absl::StrContains(line, "\ttdp") ? 1 : 0;
        loads += absl::StrContains(line, "\ttileload") ? 1 : 0;
        stores += absl::StrContains(line, "\ttilestore") ? 1 : 0;
      }
    };
    const auto code = GenerateLlvm({Product(types, 100)}, *target, options);
    ASSERT_TRUE(code.ok()) << code.status();
    EXPECT_EQ(products, 4) << types.intrinsic;
    EXPECT_EQ(loads, 4) << types.intrinsic;
    EXPECT_EQ(stores, 4) << types.intrinsic;
  }
}

}  // namespace
}  // namespace assay::codegen
