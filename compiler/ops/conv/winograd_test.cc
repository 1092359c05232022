#include "compiler/ops/conv/winograd.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/kernel/kernel.h"
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
      ",8,28,28,16], %w: float32[6,6,6,128,32]) -> (%1) {\n%1: float32[",
      images,
      ",12,28,28,16] = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], "
      "dilations=[1,1], groups=1, in_block=16, out_block=16, winograd=4}\n}"));
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

}  // namespace
}  // namespace assay::ops
