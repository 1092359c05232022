// Checks the assembly of convolutions and matrix products with their default
// configurations: the loop with the multiply-adds keeps its accumulators in
// registers.
//
// The checked loop has a multiply-add per accumulator of the register tile (or
// a multiple, if unrolled), or at least half as many in copies for the rest of
// a row. Multiply-adds are at least a quarter of its instructions, which
// distinguishes it from a Winograd transform, which runs once per tile and may
// use the stack.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/codegen.h"
#include "compiler/codegen/inner_loops.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/kernel/kernel.h"
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
  const auto module =
      codegen::Generate({tir::LowerLoops(*lowered)}, target, options);
  CHECK(module.ok()) << module.status();
  return compiled;
}

// Returns true for a loop that consists mainly of multiply-adds, and false for
// one that packs sums of operands.
bool IsDense(const InnerLoop& loop) {
  return 3 * loop.multiply_adds >= static_cast<int>(loop.instructions.size());
}

// The instructions that the checked loop may contain.
enum class Loop {
  kSteps,      // steps of the reduction: no stores and no stack accesses
  kManySteps,  // the same; the multiply-adds of some steps are adjacent
  // Whole tiles, as in a depthwise convolution with an unrolled reduction:
  // results are stored, and weights may be reloaded from the stack. At most one
  // vector per 32 multiply-adds may be spilled; spilled accumulators would be
  // several times as many.
  kTiles,
};

std::vector<std::string> Faults(const InnerLoop& loop, Loop kind) {
  std::vector<std::string> spills = loop.Spills(), stores = loop.Stores();
  if (kind != Loop::kTiles) {
    spills.insert(spills.end(), stores.begin(), stores.end());
    return spills;
  }
  std::vector<std::string> both;
  for (const std::string& spill : spills) {
    if (std::count(stores.begin(), stores.end(), spill) > 0) {
      both.push_back(spill);
    }
  }
  if (32 * static_cast<int>(both.size()) <= loop.multiply_adds) both.clear();
  return both;
}

// Describes what is wrong with the loops of a kernel whose tile has `sums`
// accumulator vectors; empty if they are right.
std::string Judge(const std::string& assembly, int64_t sums, Loop kind) {
  const std::vector<InnerLoop> loops = codegen::InnerLoops(assembly);
  bool found = false;
  for (const InnerLoop& loop : loops) {
    if (!IsDense(loop) || 2 * loop.multiply_adds < sums) continue;
    found = found || kind == Loop::kTiles || loop.multiply_adds % sums == 0;
    const std::vector<std::string> faults = Faults(loop, kind);
    if (faults.empty()) continue;
    return absl::StrCat(loop.multiply_adds, " multiply-adds, ", faults.size(),
                        " stores or uses of the stack:\n",
                        absl::StrJoin(faults, "\n"), "\nin\n", loop.Text());
  }
  if (found) return "";
  return absl::StrCat("no loop with ", sums, " multiply-adds; the largest is\n",
                      loops.empty() ? "" : loops[0].Text());
}

struct Layer {
  int64_t in_channels, out_channels, size, kernel, stride;
  int64_t winograd = 0;
  int64_t groups = 1;
  int64_t dilation = 1;
};

std::string TypeText(const std::vector<int64_t>& shape) {
  return absl::StrCat("float32[", absl::StrJoin(shape, ","), "]");
}

// `conv` (of %x and %w) with bias and relu, in the form that fusion produces.
// `channels` are those of the result.
std::string KernelText(const std::string& data, const std::string& weights,
                       const std::string& result, int64_t channels,
                       const std::string& conv) {
  return absl::StrCat("graph g(%x: ", data, ", %w: ", weights,
                      ", %b: ", TypeText({channels, 1, 1}),
                      ") -> (%3) {\n  %1: ", result, " = ", conv,
                      "\n  %2: ", result, " = add(%1, %b)\n  %3: ", result,
                      " = relu(%2)\n}");
}

BlockSizes BlocksOf(const Layer& layer, const Target& target) {
  const auto blocks = ChooseChannelBlocks(target, layer.in_channels,
                                          layer.out_channels, layer.groups);
  CHECK(blocks.has_value());
  return *blocks;
}

std::string ConvText(const Layer& layer, const Target& target) {
  const BlockSizes blocks = BlocksOf(layer, target);
  const int64_t k = layer.kernel, p = k / 2 * layer.dilation;
  const int64_t out =
      (layer.size + 2 * p - layer.dilation * (k - 1) - 1) / layer.stride + 1;
  std::string filters =
      absl::StrCat("@filters(in=", blocks.in, ",out=", blocks.out, ")");
  if (layer.winograd > 0) {
    // Two vectors.
    filters = absl::StrCat("@winograd(m=", layer.winograd,
                           ",block=", target.vector_bits() / 16, ")");
  }
  return KernelText(
      absl::StrCat(TypeText({1, layer.in_channels, layer.size, layer.size}),
                   "@blocks(", blocks.in, ")"),
      absl::StrCat(TypeText({layer.out_channels,
                             layer.in_channels / layer.groups, k, k}),
                   filters),
      absl::StrCat(TypeText({1, layer.out_channels, out, out}), "@blocks(",
                   blocks.out, ")"),
      layer.out_channels,
      absl::StrCat("conv2d(%x, %w) {strides=[", layer.stride, ",", layer.stride,
                   "], padding=[", absl::StrJoin({p, p, p, p}, ","),
                   "], dilations=[", layer.dilation, ",", layer.dilation,
                   "], groups=", layer.groups, "}"));
}

// The number of accumulator vectors of the register tile of `config`.
int64_t Sums(const Layer& layer, const Target& target, const Config& config) {
  const int64_t lanes = target.vector_bits() / 32;
  if (layer.winograd > 0) return config.Knob("tile_p") * 2;
  const int64_t block = BlocksOf(layer, target).out;
  const auto vectors = [&](int64_t filters) {
    return (filters + lanes - 1) / lanes;
  };
  if (layer.groups == layer.in_channels) {
    return config.Knob("tile_ow") * vectors(block);
  }
  const int64_t filters = std::min(block, layer.out_channels / layer.groups);
  const int64_t pixels = config.Find("tile_p") != nullptr
                             ? config.Knob("tile_p")
                             : config.Split("tile_ow")[1];
  return pixels * vectors(config.Knob("tile_oc") * filters);
}

void ExpectInRegisters(
    const std::function<std::string(const Target&)>& text,
    const std::function<int64_t(const Target&, const Config&)>& sums,
    Loop kind = Loop::kSteps) {
  for (const char* name : kTargets) {
    const auto target = Target::Parse(name);
    CHECK(target.ok()) << target.status();
    // On the Cortex-A9 LLVM splits adjacent dependent multiply-adds.
    if (kind != Loop::kSteps && target->arch() == target::Arch::kArm) continue;
    const std::string graph = text(*target);
    const Compiled kernel = Compile(graph, *target);
    const std::string problem =
        Judge(kernel.assembly, sums(*target, kernel.config), kind);
    EXPECT_TRUE(problem.empty()) << name << "\n"
                                 << kernel.config << "\n"
                                 << graph << problem;
  }
}

void ExpectConvInRegisters(const Layer& layer) {
  ExpectInRegisters(
      [&](const Target& target) { return ConvText(layer, target); },
      [&](const Target& target, const Config& config) {
        return Sums(layer, target, config);
      },
      layer.groups == layer.in_channels ? Loop::kTiles : Loop::kSteps);
}

TEST(InnerLoopTest, DirectConvolution) {
  ExpectConvInRegisters({64, 128, 56, 3, 2});
  ExpectConvInRegisters({512, 512, 7, 3, 1});
}

TEST(InnerLoopTest, DilatedConvolution) {
  Layer layer = {64, 64, 28, 3, 1};
  layer.dilation = 2;
  ExpectConvInRegisters(layer);
}

TEST(InnerLoopTest, GroupedConvolution) {
  Layer layer = {256, 256, 28, 3, 1};
  layer.groups = 8;
  ExpectConvInRegisters(layer);
  layer.groups = 32;  // blocks of two or more groups
  ExpectConvInRegisters(layer);
}

TEST(InnerLoopTest, DepthwiseConvolution) {
  Layer layer = {64, 64, 56, 3, 1};
  layer.groups = 64;
  ExpectConvInRegisters(layer);
  layer.stride = 2;
  ExpectConvInRegisters(layer);
}

TEST(InnerLoopTest, PlainConvolution) {
  ExpectInRegisters(
      [](const Target&) {
        return KernelText("float32[1,32,58,58]", "float32[32,16,3,3]",
                          "float32[1,32,56,56]", 32,
                          "conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], "
                          "dilations=[1,1], groups=2}");
      },
      [](const Target&, const Config& config) {
        return config.Knob("tile_oc") * config.Knob("vectors");
      });
}

TEST(InnerLoopTest, TransposedConvolution) {
  ExpectInRegisters(
      [](const Target& target) {
        const BlockSizes blocks = BlocksOf({64, 64, 0, 0, 0}, target);
        return KernelText(
            absl::StrCat("float32[1,64,28,28]@blocks(", blocks.in, ")"),
            absl::StrCat("float32[64,64,4,4]@filters(in=", blocks.in,
                         ",out=", blocks.out, ",transposed_groups=1)"),
            absl::StrCat("float32[1,64,56,56]@blocks(", blocks.out, ")"), 64,
            "conv2d_transpose(%x, %w) {strides=[2,2], padding=[1,1,1,1], "
            "dilations=[1,1], output_padding=[0,0], groups=1}");
      },
      [](const Target& target, const Config& config) {
        const int64_t block = BlocksOf({64, 64, 0, 0, 0}, target).out;
        return config.Split("tile_ow")[1] * config.Knob("tile_oc") * block *
               32 / target.vector_bits();
      });
}

TEST(InnerLoopTest, ConvolutionAsAMatrixProduct) {
  ExpectConvInRegisters({64, 128, 56, 1, 1});
  ExpectConvInRegisters({256, 512, 14, 3, 2});
  ExpectConvInRegisters({128, 256, 28, 1, 2});
}

TEST(InnerLoopTest, WinogradConvolution) {
  for (const int64_t tile : {2, 4, 6}) {
    ExpectConvInRegisters({64, 64, 56, 3, 1, tile});
  }
}

// Four steps of the reduction for the four gates of 16 units.
TEST(InnerLoopTest, Recurrence) {
  for (const int64_t batch : {1, 6}) {
    const std::string state = TypeText({1, batch, 64});
    ExpectInRegisters(
        [&](const Target&) {
          return absl::StrCat(
              "graph g(%x: ", TypeText({9, batch, 1, 4, 4, 16}),
              ", %w: float32[1,4,4,64,16], %b: float32[1,4,4,16], %h: ", state,
              ", %c: ", state, ") -> (%1, %1.1, %1.2) {\n  %1: (",
              TypeText({9, 1, batch, 64}), ", ", state, ", ", state,
              ") = recurrent(%x, %w, %b, %h, %c) {cell=lstm, reverse=[0], "
              "functions=[sigmoid,tanh,tanh]}\n}");
        },
        [](const Target&, const Config&) { return 16; }, Loop::kManySteps);
  }
}

TEST(InnerLoopTest, Matmul) {
  ExpectInRegisters(
      [](const Target&) {
        return "graph g(%a: float32[384,512], %b: float32[512,384]) -> (%1) "
               "{ %1: float32[384,384] = matmul(%a, %b) }";
      },
      [](const Target& target, const Config& config) {
        return config.Knob("mr") * config.Knob("nr") * 32 /
               target.vector_bits();
      });
}

}  // namespace
}  // namespace assay::ops
