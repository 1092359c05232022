// The instructions emitted for dot products on various targets. Results are
// tested by the programs in testing/.
#include "compiler/codegen/llvm/dot_product.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

constexpr char kX86[] = "llvm -mtriple=x86_64-linux-gnu -mcpu=";
constexpr char kArm[] = "llvm -mtriple=aarch64-linux-gnu -mcpu=";

// The assembly of `dot` with vectors of 16 lanes.
std::string AssemblyOf(absl::string_view dot, const std::string& target) {
  const auto kernel = tir::ParseFunction(absl::StrReplaceAll(R"(
func f(in %a: int32[16], in %b: int32[16], out %c: int32[16]) {
  %c[ramp(0, 1, 16)] = DOT(%c[ramp(0, 1, 16)], %a[ramp(0, 1, 16)], %b[ramp(0, 1, 16)])
})",
                                                             {{"DOT", dot}}));
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  const auto parsed = target::Target::Parse(target);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  std::string assembly;
  Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view text) {
    if (kind == "s") assembly = std::string(text);
  };
  const auto image = GenerateLlvm({*kernel}, *parsed, options);
  EXPECT_TRUE(image.ok()) << image.status();
  return assembly;
}

int Count(const std::string& assembly, absl::string_view instruction) {
  int count = 0;
  for (absl::string_view line : absl::StrSplit(assembly, '\n')) {
    if (absl::StartsWith(line, absl::StrCat("\t", instruction, "\t"))) ++count;
  }
  return count;
}

TEST(DotProductTest, UsesInstructionsOfTarget) {
  const std::string vnni = absl::StrCat(kX86, "cascadelake");
  const std::string avx_vnni = absl::StrCat(kX86, "haswell -mattr=+avxvnni");
  const std::string avx512 = absl::StrCat(kX86, "skylake-avx512");
  const std::string avx2 = absl::StrCat(kX86, "haswell");
  const std::string sse2 = absl::StrCat(kX86, "x86-64");
  const std::string dotprod = absl::StrCat(kArm, "cortex-a55");
  const std::string i8mm = absl::StrCat(kArm, "cortex-a55 -mattr=+i8mm");
  const struct {
    const char* dot;
    std::string target;
    const char* instruction;
    int count;
  } kCases[] = {
      {"dot4_u8s8", vnni, "vpdpbusd", 1},
      {"dot4_s8s8", vnni, "vpdpbusd", 2},
      {"dot4_u8u8", vnni, "vpdpbusd", 2},
      {"dot2_s16", vnni, "vpdpwssd", 1},
      {"dot4_u8s8", avx_vnni, "{vex}\tvpdpbusd", 2},
      {"dot4_u8s8", avx512, "vpmaddwd", 2},
      {"dot2_s16", avx512, "vpmaddwd", 1},
      {"dot4_u8s8", avx2, "vpmaddwd", 4},
      {"dot2_s16", avx2, "vpmaddwd", 2},
      {"dot4_s8s8", sse2, "pmaddwd", 8},
      {"dot4_s8s8", dotprod, "sdot", 4},
      {"dot4_u8u8", dotprod, "udot", 4},
      {"dot4_u8s8", dotprod, "sdot", 8},
      {"dot4_u8s8", i8mm, "usdot", 4},
  };
  for (const auto& c : kCases) {
    const std::string assembly = AssemblyOf(c.dot, c.target);
    EXPECT_EQ(Count(assembly, c.instruction), c.count)
        << c.dot << " on " << c.target << ":\n"
        << assembly;
    // It saturates the sum of two products.
    EXPECT_EQ(Count(assembly, "vpmaddubsw"), 0) << assembly;
  }
}

}  // namespace
}  // namespace assay::codegen
