// The assembly of convolutions and matrix products with their default
// configurations: the loop with the multiply-adds keeps its sums in registers.
//
// Judged is the loop with a multiply-add for every sum of the register tile (or
// a multiple, if unrolled), and copies of it with at least half as many for the
// rest of a row. Multiply-adds are a quarter of its instructions or more, which
// tells it from a Winograd transform: that is done once per tile and may use
// the stack.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/llvm/codegen.h"
#include "compiler/codegen/llvm/inner_loops.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/kernel.h"
#include "compiler/target/target.h"
#include "compiler/tir/passes/pipeline.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using codegen::InnerLoop;
using target::Target;

constexpr const char* kTargets[] = {
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72",
    "llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a9",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=znver3",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
};

struct Compiled {
  std::string assembly;
  Config config;
};

Compiled Compile(const std::string& text, const Target& target) {
  const std::unique_ptr<graph::Graph> body = graph::GraphFromText(text);
  const auto kernel = BuildKernel(*body, target);
  CHECK(kernel.ok()) << kernel.status();
  const auto lowered =
      lower::Lower(kernel->schedule, "k", kernel->inputs, kernel->outputs);
  CHECK(lowered.ok()) << lowered.status();
  Compiled compiled;
  compiled.config = kernel->config;
  codegen::Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view content) {
    if (kind == "s") compiled.assembly = std::string(content);
  };
  const auto image = codegen::CompileToSharedObject({tir::LowerLoops(*lowered)},
                                                    target, options);
  CHECK(image.ok()) << image.status();
  return compiled;
}

bool IsDense(const InnerLoop& loop) {
  return 4 * loop.multiply_adds >= static_cast<int>(loop.instructions.size());
}

// What is wrong with the loops of a kernel whose tile has `sums` vectors; empty
// if nothing is.
std::string Judge(const std::string& assembly, int64_t sums) {
  const std::vector<InnerLoop> loops = codegen::InnerLoops(assembly);
  bool found = false;
  for (const InnerLoop& loop : loops) {
    if (!IsDense(loop) || 2 * loop.multiply_adds < sums) continue;
    found = found || loop.multiply_adds % sums == 0;
    const std::vector<std::string> spills = loop.Spills();
    const std::vector<std::string> stores = loop.Stores();
    if (spills.empty() && stores.empty()) continue;
    return absl::StrCat(loop.multiply_adds, " multiply-adds, ", spills.size(),
                        " uses of the stack, ", stores.size(), " stores:\n",
                        loop.Text());
  }
  if (found) return "";
  return absl::StrCat("no loop with ", sums, " multiply-adds; the largest is\n",
                      loops.empty() ? "" : loops[0].Text());
}

struct Layer {
  int64_t in_channels, out_channels, size, kernel, stride, winograd;
};

// conv2d, bias, relu as fusion gives it to BuildKernel.
std::string ConvText(const Layer& layer, const Target& target) {
  const auto blocks =
      ChooseConv2dBlocks(target, layer.in_channels, layer.out_channels, 1);
  CHECK(blocks.has_value());
  const int64_t ib = blocks->in_block, ob = blocks->out_block;
  const int64_t k = layer.kernel, p = k / 2;
  const int64_t out = (layer.size + 2 * p - k) / layer.stride + 1;
  const auto type = [](const std::vector<int64_t>& shape) {
    return absl::StrCat("float32[", absl::StrJoin(shape, ","), "]");
  };
  std::vector<int64_t> weights = {
      layer.out_channels / ob, layer.in_channels / ib, k, k, ib, ob};
  std::string form;
  if (layer.winograd > 0) {
    const int64_t alpha = layer.winograd + 2;
    const int64_t wide = target.vector_bits() / 16;  // two vectors
    weights = {alpha, alpha, layer.out_channels / wide, layer.in_channels,
               wide};
    form = absl::StrCat(", winograd=", layer.winograd);
  }
  const std::string y = type({1, layer.out_channels / ob, out, out, ob});
  return absl::StrCat(
      "graph g(%x: ",
      type({1, layer.in_channels / ib, layer.size, layer.size, ib}),
      ", %w: ", type(weights),
      ", %b: ", type({layer.out_channels / ob, 1, 1, ob}),
      ") -> (%3) {\n  %1: ", y, " = conv2d(%x, %w) {strides=[", layer.stride,
      ",", layer.stride, "], padding=[", absl::StrJoin({p, p, p, p}, ","),
      "], dilations=[1,1], groups=1, in_block=", ib, ", out_block=", ob, form,
      "}\n  %2: ", y, " = add(%1, %b)\n  %3: ", y, " = relu(%2)\n}");
}

// Vectors in the register tile that `config` asks for.
int64_t Sums(const Layer& layer, const Target& target, const Config& config) {
  const int64_t lanes = target.vector_bits() / 32;
  if (layer.winograd > 0) return config.Knob("tile_p") * 2;
  const int64_t block =
      ChooseConv2dBlocks(target, layer.in_channels, layer.out_channels, 1)
          ->out_block;
  const int64_t pixels = config.Find("tile_p") != nullptr
                             ? config.Knob("tile_p")
                             : config.Split("tile_ow")[1];
  return pixels * config.Knob("tile_oc") * block / lanes;
}

void ExpectConvInRegisters(const Layer& layer) {
  for (const char* text : kTargets) {
    const auto target = Target::Parse(text);
    CHECK(target.ok()) << target.status();
    const std::string graph = ConvText(layer, *target);
    const Compiled kernel = Compile(graph, *target);
    const std::string problem =
        Judge(kernel.assembly, Sums(layer, *target, kernel.config));
    EXPECT_TRUE(problem.empty()) << text << "\n" << graph << problem;
  }
}

TEST(InnerLoopTest, DirectConvolution) {
  ExpectConvInRegisters({64, 128, 56, 3, 2, 0});
  ExpectConvInRegisters({512, 512, 7, 3, 1, 0});
}

TEST(InnerLoopTest, ConvolutionAsAMatrixProduct) {
  ExpectConvInRegisters({64, 128, 56, 1, 1, 0});
  ExpectConvInRegisters({256, 512, 14, 3, 2, 0});
  ExpectConvInRegisters({128, 256, 28, 1, 2, 0});
}

TEST(InnerLoopTest, WinogradConvolution) {
  ExpectConvInRegisters({64, 64, 56, 3, 1, 2});
  ExpectConvInRegisters({64, 64, 56, 3, 1, 4});
}

TEST(InnerLoopTest, Matmul) {
  for (const char* text : kTargets) {
    const auto target = Target::Parse(text);
    CHECK(target.ok()) << target.status();
    const Compiled kernel = Compile(
        "graph g(%a: float32[384,512], %b: float32[512,384]) -> (%1) "
        "{ %1: float32[384,384] = matmul(%a, %b) }",
        *target);
    const int64_t lanes = target->vector_bits() / 32;
    const std::string problem =
        Judge(kernel.assembly,
              kernel.config.Knob("mr") * kernel.config.Knob("nr") / lanes);
    EXPECT_TRUE(problem.empty()) << text << "\n" << problem;
  }
}

}  // namespace
}  // namespace assay::ops
