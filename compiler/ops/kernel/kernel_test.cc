#include "compiler/ops/kernel/kernel.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using graph::Value;

std::string Check(const Graph& body, const char* target) {
  CheckOptions options;
  options.absolute = 3e-4;  // sums of many products
  return CheckKernel(body, target, options);
}

// Builds a body; CHECK-fails if types do not match.
class Body {
 public:
  Value Input(const Shape& shape) {
    const auto node = graph_->AddInput(absl::StrCat("p", inputs_++),
                                       {DType::Float32(), shape});
    CHECK(node.ok()) << node.status();
    return {*node};
  }
  Value Add(OpKind kind, graph::Attrs attrs,
            const std::vector<Value>& operands) {
    const auto node = graph_->AddNode(kind, std::move(attrs), operands);
    CHECK(node.ok()) << node.status();
    return {*node};
  }
  const Graph& Finish(Value result) {
    graph_->AddOutput("y", result);
    return *graph_;
  }

 private:
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>("body");
  int inputs_ = 0;
};

// A convolution of random size, blocked or plain, with a random epilogue.
const Graph& RandomConv(Rng& rng, Body& body, int64_t block) {
  graph::Conv2dAttrs attrs;
  const int64_t kh = rng.UniformInt(1, 3), kw = rng.UniformInt(1, 3);
  attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
  attrs.dilations = {rng.UniformInt(1, 2), 1};
  attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                   rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
  const int64_t h = rng.UniformInt(5, 9), w = rng.UniformInt(5, 19);
  const int64_t n = rng.UniformInt(1, 2);
  Value x, weights;
  Shape bias;
  if (block > 0) {
    attrs.in_block = rng.UniformInt(1, 4);
    attrs.out_block = block;
    const int64_t ic = rng.UniformInt(1, 2), oc = rng.UniformInt(1, 2);
    x = body.Input({n, ic, h, w, attrs.in_block});
    weights = body.Input({oc, ic, kh, kw, attrs.in_block, block});
    bias = {oc, 1, 1, block};
  } else {
    attrs.groups = rng.UniformInt(1, 2);
    const int64_t ic = rng.UniformInt(1, 3), oc = 2 * rng.UniformInt(1, 3);
    x = body.Input({n, ic * attrs.groups, h, w});
    weights = body.Input({oc, ic, kh, kw});
    bias = {oc, 1, 1};
  }
  Value y = body.Add(OpKind::kConv2d, attrs, {x, weights});
  if (rng.UniformInt(0, 2) > 0) {
    y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, body.Input(bias)});
  }
  if (rng.UniformInt(0, 1) > 0) {
    const Value residual = body.Input(y.type().shape);
    y = body.Add(OpKind::kAdd, graph::NoAttrs(), {residual, y});
  }
  if (rng.UniformInt(0, 1) > 0) {
    y = body.Add(OpKind::kRelu, graph::NoAttrs(), {y});
  }
  return body.Finish(y);
}

TEST(KernelTest, RandomConvolutions) {
  Rng rng(20261121);
  for (int round = 0; round < 24; ++round) {
    Body body;
    const int64_t block = round % 4 == 0 ? 0 : round % 4 == 1 ? 16 : 8;
    const Graph& graph = RandomConv(rng, body, block);
    EXPECT_EQ(Check(graph, kCheckTargets[round % 3]), "") << "round " << round;
  }
}

// Odd images, several images, tiles that extend beyond the image, blocks of
// weights of one and two blocks of the result, and every tile size.
TEST(KernelTest, RandomWinogradConvolutions) {
  Rng rng(20261121);
  for (int round = 0; round < 18; ++round) {
    Body body;
    graph::Conv2dAttrs attrs;
    attrs.winograd = 2 * (round % 3 + 1);
    attrs.in_block = rng.UniformInt(1, 4);
    attrs.out_block = 4 << rng.UniformInt(0, 2);
    attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const int64_t wb = attrs.out_block * rng.UniformInt(1, 2);
    const int64_t blocks = rng.UniformInt(1, 2), ic = rng.UniformInt(1, 3);
    const int64_t alpha = attrs.winograd + 2;
    const Value x = body.Input({rng.UniformInt(1, 2), ic, rng.UniformInt(3, 13),
                                rng.UniformInt(3, 9), attrs.in_block});
    const Value weights =
        body.Input({alpha, alpha, blocks, ic * attrs.in_block, wb});
    Value y = body.Add(OpKind::kConv2d, attrs, {x, weights});
    const int64_t filters = blocks * wb;
    if (rng.UniformInt(0, 1) > 0) {
      const Value bias =
          body.Input({filters / attrs.out_block, 1, 1, attrs.out_block});
      y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
      y = body.Add(OpKind::kAdd, graph::NoAttrs(),
                   {body.Input(y.type().shape), y});
      y = body.Add(OpKind::kRelu, graph::NoAttrs(), {y});
    }
    const Graph& graph = body.Finish(y);
    EXPECT_EQ(Check(graph, kCheckTargets[rng.UniformInt(0, 2)]), "")
        << "round " << round;
  }
}

TEST(KernelTest, RandomDepthwiseConvolutions) {
  Rng rng(20261121);
  for (int round = 0; round < 12; ++round) {
    Body body;
    graph::Conv2dAttrs attrs;
    attrs.in_block = attrs.out_block = 4 << rng.UniformInt(0, 2);
    const int64_t blocks = rng.UniformInt(1, 3);
    attrs.groups = blocks * attrs.in_block;
    attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
    attrs.dilations = {1, rng.UniformInt(1, 2)};
    attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const Value x =
        body.Input({rng.UniformInt(1, 2), blocks, rng.UniformInt(5, 40),
                    rng.UniformInt(5, 19), attrs.in_block});
    const Value weights =
        body.Input({blocks, 1, rng.UniformInt(1, 3), 3, 1, attrs.out_block});
    Value y = body.Add(OpKind::kConv2d, attrs, {x, weights});
    if (rng.UniformInt(0, 1) > 0) {
      const Value bias = body.Input({blocks, 1, 1, attrs.out_block});
      y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
      y = body.Add(OpKind::kRelu, graph::NoAttrs(), {y});
    }
    EXPECT_EQ(Check(body.Finish(y), kCheckTargets[round % 3]), "")
        << "round " << round;
  }
}

TEST(KernelTest, Pooling) {
  for (const int64_t block : {0, 8}) {
    for (const bool ceil_mode : {false, true}) {
      Body body;
      graph::Pool2dAttrs attrs;
      attrs.kernel = {3, 3};
      attrs.strides = {2, 2};
      attrs.padding = {1, 1, 1, 1};
      attrs.ceil_mode = ceil_mode;
      attrs.block = block;
      const Shape shape =
          block > 0 ? Shape{1, 2, 7, 10, block} : Shape{1, 5, 7, 10};
      const Value pool =
          body.Add(OpKind::kMaxPool2d, attrs, {body.Input(shape)});
      const Graph& graph =
          body.Finish(body.Add(OpKind::kRelu, graph::NoAttrs(), {pool}));
      for (const char* target : kCheckTargets)
        EXPECT_EQ(Check(graph, target), "");
    }
    Body body;
    const Shape shape =
        block > 0 ? Shape{2, 2, 3, 5, block} : Shape{2, 5, 3, 5};
    const Graph& graph = body.Finish(body.Add(OpKind::kGlobalAvgPool2d,
                                              graph::GlobalPool2dAttrs{block},
                                              {body.Input(shape)}));
    for (const char* target : kCheckTargets)
      EXPECT_EQ(Check(graph, target), "");
  }
}

TEST(KernelTest, DenseWithAndWithoutEpilogue) {
  // 64 is a multiple of the number of partial sums, 35 is not.
  for (const int64_t k : {64, 12, 35}) {
    for (const bool epilogue : {false, true}) {
      Body body;
      Value y = body.Add(OpKind::kDense, graph::NoAttrs(),
                         {body.Input({2, k}), body.Input({9, k})});
      if (epilogue) {
        y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, body.Input({9})});
        y = body.Add(OpKind::kRelu, graph::NoAttrs(), {y});
      }
      const Graph& graph = body.Finish(y);
      for (const char* target : kCheckTargets)
        EXPECT_EQ(Check(graph, target), "");
    }
  }
}

TEST(KernelTest, MatmulWithAndWithoutEpilogue) {
  const std::vector<std::pair<Shape, Shape>> cases = {
      {{7, 5}, {5, 19}},
      {{48, 33}, {33, 64}},
      {{2, 1, 3, 4}, {5, 4, 9}},
      // Several blocks of k, panels cut off at every end.
      {{14, 601}, {601, 33}}};
  for (const auto& [a, b] : cases) {
    for (const bool epilogue : {false, true}) {
      Body body;
      Value y = body.Add(OpKind::kMatmul, graph::NoAttrs(),
                         {body.Input(a), body.Input(b)});
      if (epilogue) {
        y = body.Add(OpKind::kAdd, graph::NoAttrs(),
                     {y, body.Input({b.back()})});
        y = body.Add(OpKind::kRelu, graph::NoAttrs(), {y});
      }
      const Graph& graph = body.Finish(y);
      for (const char* target : kCheckTargets)
        EXPECT_EQ(Check(graph, target), "");
    }
  }
}

TEST(KernelTest, BroadcastingArithmetic) {
  const std::vector<std::pair<Shape, Shape>> cases = {{{2, 3, 5}, {2, 3, 5}},
                                                      {{2, 3, 16}, {3, 1}},
                                                      {{1, 16}, {4, 1}},
                                                      {{7}, {}},
                                                      {{}, {}},
                                                      {{4, 24}, {24}}};
  for (const auto& [a, b] : cases) {
    Body body;
    const Value x = body.Input(a), y = body.Input(b);
    const Value product = body.Add(OpKind::kMultiply, graph::NoAttrs(), {x, y});
    const Value sum = body.Add(OpKind::kAdd, graph::NoAttrs(), {product, x});
    const Graph& graph = body.Finish(sum);
    for (const char* target : kCheckTargets)
      EXPECT_EQ(Check(graph, target), "");
  }
}

TEST(KernelTest, DataMovement) {
  for (
      const char* text : {
          R"(graph g(%x: float32[2,6,5]) -> (%1) {
                %1: float32[4,15] = reshape(%x) {shape=[4,15]}
              })",
          R"(graph g(%x: float32[2,3,16]) -> (%1) {
                %1: float32[16,2,3] = transpose(%x) {perm=[2,0,1]}
              })",
          R"(graph g(%x: float32[2,3], %y: float32[2,1], %z: float32[2,4]) -> (%1) {
                %1: float32[2,8] = concat(%x, %y, %z) {axis=1}
              })",
          R"(graph g(%x: float32[1,6,5,7]) -> (%2) {
                %1: float32[1,2,5,7,3] = layout_transform(%x) {from_block=0, to_block=3}
                %2: float32[1,3,5,7,2] = layout_transform(%1) {from_block=3, to_block=2}
              })",
          R"(graph g(%x: float32[1,2,1,1,8]) -> (%2) {
                %1: float32[1,16,1,1] = layout_transform(%x) {from_block=8, to_block=0}
                %2: float32[1,16] = reshape(%1) {shape=[1,16]}
              })",
          R"(graph g(%x: float32[5,3]) -> (%2) {
                %1: int64[1] = constant {value=[-2]}
                %2: float32[1,3] = gather(%x, %1) {axis=0}
              })",
      }) {
    const std::unique_ptr<Graph> graph = graph::GraphFromText(text);
    for (const char* target : kCheckTargets) {
      EXPECT_EQ(Check(*graph, target), "") << text;
    }
  }
}

TEST(KernelTest, NamesOperatorWithoutKernel) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(
      R"(graph g(%x: float32[1,2,3,3], %s: float32[2]) -> (%1) {
           %1: float32[1,2,3,3] = batch_norm(%x, %s, %s, %s, %s) {epsilon=1e-05} "BN_7"
         })");
  const auto kernel = BuildKernel(*graph, CheckTarget(kCheckTargets[0]));
  EXPECT_EQ(kernel.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(graph::ErrorHas(kernel.status(), "`BN_7` (batch_norm)"));
}

TEST(KernelTest, CountsMultiplyAddsTwice) {
  const std::unique_ptr<Graph> plain = graph::GraphFromText(
      R"(graph g(%x: float32[1,4,5,5], %w: float32[8,2,3,3]) -> (%2) {
           %1: float32[1,8,3,3] = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=2}
           %2: float32[1,8,3,3] = relu(%1)
         })");
  EXPECT_EQ(CountFlops(*plain), 2 * 72 * 18 + 72);
  const std::unique_ptr<Graph> blocked = graph::GraphFromText(
      R"(graph g(%x: float32[1,2,5,5,2], %w: float32[1,2,3,3,2,8]) -> (%1) {
           %1: float32[1,1,3,3,8] = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1, in_block=2, out_block=8}
         })");
  EXPECT_EQ(CountFlops(*blocked), 2 * 72 * 36);
  const std::unique_ptr<Graph> transposed = graph::GraphFromText(
      R"(graph g(%x: float32[1,2,3,3,2], %w: float32[1,2,2,2,2,8]) -> (%1) {
           %1: float32[1,1,6,6,8] = conv2d_transpose(%x, %w) {strides=[2,2], padding=[0,0,0,0], dilations=[1,1], output_padding=[0,0], groups=1, in_block=2, out_block=8}
         })");
  EXPECT_EQ(CountFlops(*transposed), 2 * 36 * 32);
}

}  // namespace
}  // namespace assay::ops
