#include "compiler/ops/conv/winograd.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"
#include "compiler/tir/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using ::testing::ContainsRegex;

struct Lowered {
  std::string text;
  int64_t chunk = 0;
};

// The lowered default kernel for images of 28 x 28 pixels, 49 tiles each.
Lowered LoweredDefault(int images) {
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2");
  CHECK(target.ok()) << target.status();
  const std::unique_ptr<graph::Graph> body = graph::GraphFromText(absl::StrCat(
      "graph g(%x: float32[", images,
      ",128,28,28]@blocks(16), "
      "%w: float32[192,128,3,3]@winograd(m=4,block=32)) -> (%1) {\n"
      "%1: float32[",
      images,
      ",192,28,28]@blocks(16) = conv2d(%x, %w) {strides=[1,1], "
      "padding=[1,1,1,1], dilations=[1,1], groups=1}\n}"));
  const auto kernel = BuildKernel(*body, *target);
  CHECK(kernel.ok()) << kernel.status();
  const auto lowered =
      lower::Lower(kernel->schedule, "k", kernel->inputs, kernel->outputs);
  CHECK(lowered.ok()) << lowered.status();
  return {tir::ToString(*lowered), kernel->config.Knob("chunk")};
}

// The products of a chunk are those of its tiles only.
TEST(WinogradTest, ChunksOfSeveralImagesAreNotComputedTwice) {
  for (const int images : {1, 2, 3, 8}) {
    const Lowered kernel = LoweredDefault(images);
    EXPECT_THAT(kernel.text,
                ContainsRegex(absl::StrCat(
                    "alloc %M: global float32.6,6,[0-9]+,", kernel.chunk, ",")))
        << images;
  }
}

target::Target SapphireRapids(int cores) {
  const auto target = target::Target::Parse(
      absl::StrCat("llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids "
                   "-num-cores=",
                   cores));
  CHECK(target.ok()) << target.status();
  return *target;
}

// A convolution of ResNet-18 with tiles of `tile` pixels, as many filters as
// channels, and a square image of `size` pixels.
OpInstance ResNetConv(int tile, int channels, int size) {
  const std::string image = absl::StrCat("float32[1,", channels, ",", size, ",",
                                         size, "]@blocks(16)");
  const std::unique_ptr<graph::Graph> body = graph::GraphFromText(absl::StrCat(
      "graph g(%x: ", image, ", %w: float32[", channels, ",", channels,
      ",3,3]@winograd(m=", tile, ",block=32)) -> (%1) {\n%1: ", image,
      " = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], "
      "groups=1}\n}"));
  return InstanceOf(*body->outputs()[0].value.node);
}

double DefaultSeconds(const OpInstance& op, const target::Target& target) {
  return WinogradSeconds(op, target, DefaultWinogradConfig(op, target));
}

// Larger tiles need fewer products and more memory for their weights, whose
// bandwidth the threads share.
TEST(WinogradTest, ThreadsPreferSmallWeights) {
  const OpInstance large = ResNetConv(4, 256, 14);
  const OpInstance small = ResNetConv(2, 256, 14);
  EXPECT_LT(DefaultSeconds(large, SapphireRapids(1)),
            DefaultSeconds(small, SapphireRapids(1)));
  EXPECT_LT(DefaultSeconds(small, SapphireRapids(2)),
            DefaultSeconds(large, SapphireRapids(2)));
}

TEST(WinogradTest, AChunkAndTheWeightsFitTheCache) {
  const target::Target target = SapphireRapids(1);
  const OpInstance op = ResNetConv(4, 64, 56);
  const int64_t chunk = DefaultWinogradConfig(op, target).Knob("chunk");
  // Transformed pixels and products.
  const int64_t values = chunk * 36 * (64 + 64) * 4;
  EXPECT_LE(values + op.inputs[1].num_bytes(), target.l2_bytes());
}

}  // namespace
}  // namespace assay::ops
