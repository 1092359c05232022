// The assembly of the inner loop of convolutions.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/testing/conv_kernel.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

struct MicroKernel {
  const char* target;
  int64_t lanes, columns;
  const char* multiply_add;         // the instruction that does the work
  int instructions_beside;          // at most, per turn of the loop
  std::vector<std::string> memory;  // ways to write an address on the stack
};

std::string AssemblyOf(const tir::Function& kernel, absl::string_view target) {
  std::string assembly;
  Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view text) {
    if (kind == "s") assembly = std::string(text);
  };
  const auto parsed = target::Target::Parse(target);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const auto image = GenerateLlvm({kernel}, *parsed, options);
  EXPECT_TRUE(image.ok()) << image.status();
  return assembly;
}

// The instructions from a label to the first jump back to it, for the first
// such loop that contains `instruction`.
std::vector<std::string> InnermostLoop(absl::string_view assembly,
                                       absl::string_view instruction) {
  std::string label;
  std::vector<std::string> loop;
  bool found = false;
  for (absl::string_view line : absl::StrSplit(assembly, '\n')) {
    if (absl::StartsWith(line, ".L") && absl::EndsWith(line, ":")) {
      label = std::string(absl::StripSuffix(line, ":"));
      loop.clear();
      found = false;
      continue;
    }
    if (!absl::StartsWith(line, "\t") || absl::StartsWith(line, "\t.")) {
      continue;
    }
    loop.emplace_back(line);
    found = found || absl::StrContains(line, instruction);
    if (found && absl::EndsWith(line, "\t" + label)) return loop;
  }
  return {};
}

// Per iteration, one multiply-add per accumulator with operands from memory or
// one load each, almost nothing else, and no stack access.
TEST(MicroKernelTest, KeepsAccumulatorsInRegisters) {
  const std::vector<std::string> x86_stack = {"%rsp"};
  const std::vector<std::string> arm_stack = {"[sp"};
  const MicroKernel kCases[] = {
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3", 8, 14, "vfmadd231ps",
       14 + 1 + 5, x86_stack},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=znver3", 8, 14, "vfmadd231ps",
       14 + 1 + 5, x86_stack},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4", 16, 28, "vfmadd231ps",
       1 + 5, x86_stack},
      {"llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53", 4, 14, "fmla",
       14 + 1 + 5, arm_stack},
      {"llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72", 4, 28, "fmla",
       28 + 1 + 5, arm_stack},
      {"llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a9", 4, 7, "vmla.f32",
       7 + 1 + 6, arm_stack},
  };
  for (const MicroKernel& c : kCases) {
    ConvShape shape;
    shape.lanes = c.lanes;
    shape.columns = c.columns;
    const std::string assembly = AssemblyOf(ConvKernel(shape), c.target);
    const std::vector<std::string> loop =
        InnermostLoop(assembly, c.multiply_add);
    int multiply_adds = 0;
    for (const std::string& line : loop) {
      if (absl::StrContains(line, c.multiply_add)) ++multiply_adds;
      for (const std::string& address : c.memory) {
        EXPECT_FALSE(absl::StrContains(line, address))
            << c.target << ": " << line;
      }
    }
    EXPECT_EQ(multiply_adds, c.columns) << c.target << assembly;
    EXPECT_LE(static_cast<int>(loop.size()) - multiply_adds,
              c.instructions_beside)
        << c.target << "\n"
        << absl::StrJoin(loop, "\n");
  }
}

// A row of padding counts as zeros. Its condition does not change in the inner
// loop, and must not separate the products from their sums.
TEST(MicroKernelTest, FusesProductsUnderAConditionOfTheOuterLoop) {
  const auto kernel = tir::ParseFunction(R"(
func f(in %x: float32[4,8,2], in %w: float32[8,8], out %y: float32[4,2,8]) {
  for r in [0, 4) {
    alloc %s: local float32[2,8]
    %s[ramp(0, 1, 8)] = broadcast(0f, 8)
    %s[broadcast(8, 8) + ramp(0, 1, 8)] = broadcast(0f, 8)
    for k in [0, 8) {
      %s[ramp(0, 1, 8)] = %s[ramp(0, 1, 8)] + broadcast(select(1 <= r, %x[r * 16 + k * 2 - 16], 0f), 8) * %w[broadcast(k * 8, 8) + ramp(0, 1, 8)]
      %s[broadcast(8, 8) + ramp(0, 1, 8)] = %s[broadcast(8, 8) + ramp(0, 1, 8)] + broadcast(select(1 <= r, %x[r * 16 + k * 2 - 15], 0f), 8) * %w[broadcast(k * 8, 8) + ramp(0, 1, 8)]
    }
    %y[broadcast(r * 16, 8) + ramp(0, 1, 8)] = %s[ramp(0, 1, 8)]
    %y[broadcast(r * 16 + 8, 8) + ramp(0, 1, 8)] = %s[broadcast(8, 8) + ramp(0, 1, 8)]
  }
})");
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  const std::string assembly =
      AssemblyOf(*kernel, "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
  const std::vector<std::string> loop = InnermostLoop(assembly, "vfmadd");
  EXPECT_FALSE(loop.empty()) << assembly;
  const std::string text = absl::StrJoin(loop, "\n");
  EXPECT_FALSE(absl::StrContains(text, "vmulps")) << text;
}

}  // namespace
}  // namespace assay::codegen
