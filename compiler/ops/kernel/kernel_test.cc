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
  Value Input(const Shape& shape, const graph::Encoding& encoding = {}) {
    const auto node = graph_->AddInput(absl::StrCat("p", inputs_++),
                                       {DType::Float32(), shape, encoding});
    CHECK(node.ok()) << node.status();
    return {*node};
  }
  Value Add(OpKind kind, graph::Attrs attrs,
            const std::vector<Value>& operands) {
    const auto node = graph_->AddNode(kind, std::move(attrs), operands);
    CHECK(node.ok()) << node.status();
    return {*node};
  }
  // A conv2d whose result has this encoding.
  Value Conv(const graph::Conv2dAttrs& attrs, Value x, Value weights,
             const graph::Encoding& encoding) {
    const Value y = Add(OpKind::kConv2d, attrs, {x, weights});
    CHECK(graph_->SetEncoding(y.node, encoding).ok());
    return y;
  }
  // An input of the type of `like`.
  Value InputLike(Value like) {
    return Input(like.type().shape, like.type().encoding);
  }
  const Graph& Finish(Value result) {
    graph_->AddOutput("y", result);
    return *graph_;
  }

 private:
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>("body");
  int inputs_ = 0;
};

graph::FilterBlocks Filters(int64_t in, int64_t out) {
  graph::FilterBlocks filters;
  filters.in = in;
  filters.out = out;
  return filters;
}

// A convolution of random size, in blocks or plain, with a random epilogue.
const Graph& RandomConv(Rng& rng, Body& body, int64_t block) {
  graph::Conv2dAttrs attrs;
  const int64_t kh = rng.UniformInt(1, 3), kw = rng.UniformInt(1, 3);
  attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
  attrs.dilations = {rng.UniformInt(1, 2), 1};
  attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                   rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
  const int64_t h = rng.UniformInt(5, 9), w = rng.UniformInt(5, 19);
  const int64_t n = rng.UniformInt(1, 2);
  Value y;
  if (block > 0) {
    const int64_t in_block = rng.UniformInt(1, 4);
    const int64_t ic = in_block * rng.UniformInt(1, 2);
    const int64_t oc = block * rng.UniformInt(1, 2);
    const Value x = body.Input({n, ic, h, w}, graph::ChannelBlocks{in_block});
    y = body.Conv(attrs, x,
                  body.Input({oc, ic, kh, kw}, Filters(in_block, block)),
                  graph::ChannelBlocks{block});
  } else {
    attrs.groups = rng.UniformInt(1, 2);
    const int64_t ic = rng.UniformInt(1, 3), oc = 2 * rng.UniformInt(1, 3);
    const Value x = body.Input({n, ic * attrs.groups, h, w});
    y = body.Conv(attrs, x, body.Input({oc, ic, kh, kw}), graph::Plain());
  }
  if (rng.UniformInt(0, 2) > 0) {
    const Value bias = body.Input({y.type().shape[1], 1, 1});
    y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
  }
  if (rng.UniformInt(0, 1) > 0) {
    y = body.Add(OpKind::kAdd, graph::NoAttrs(), {body.InputLike(y), y});
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
    const int64_t in_block = rng.UniformInt(1, 4);
    const int64_t out_block = 4 << rng.UniformInt(0, 2);
    attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const int64_t wb = out_block * rng.UniformInt(1, 2);
    const int64_t filters = wb * rng.UniformInt(1, 2);
    const int64_t channels = in_block * rng.UniformInt(1, 3);
    const Value x = body.Input({rng.UniformInt(1, 2), channels,
                                rng.UniformInt(3, 13), rng.UniformInt(3, 9)},
                               graph::ChannelBlocks{in_block});
    const Value weights =
        body.Input({filters, channels, 3, 3},
                   graph::WinogradFilters{2 * (round % 3 + 1), wb});
    Value y = body.Conv(attrs, x, weights, graph::ChannelBlocks{out_block});
    if (rng.UniformInt(0, 1) > 0) {
      const Value bias = body.Input({filters, 1, 1});
      y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
      y = body.Add(OpKind::kAdd, graph::NoAttrs(), {body.InputLike(y), y});
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
    const int64_t block = 4 << rng.UniformInt(0, 2);
    attrs.groups = block * rng.UniformInt(1, 3);
    attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
    attrs.dilations = {1, rng.UniformInt(1, 2)};
    attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const Value x = body.Input({rng.UniformInt(1, 2), attrs.groups,
                                rng.UniformInt(5, 40), rng.UniformInt(5, 19)},
                               graph::ChannelBlocks{block});
    const Value weights = body.Input({attrs.groups, 1, rng.UniformInt(1, 3), 3},
                                     Filters(block, block));
    Value y = body.Conv(attrs, x, weights, graph::ChannelBlocks{block});
    if (rng.UniformInt(0, 1) > 0) {
      const Value bias = body.Input({1, attrs.groups, 1, 1});
      y = body.Add(OpKind::kAdd, graph::NoAttrs(), {y, bias});
      y = body.Add(OpKind::kRelu, graph::NoAttrs(), {y});
    }
    EXPECT_EQ(Check(body.Finish(y), kCheckTargets[round % 3]), "")
        << "round " << round;
  }
}

TEST(KernelTest, Pooling) {
  for (const graph::Encoding& encoding :
       std::vector<graph::Encoding>{graph::Plain(), graph::ChannelBlocks{8}}) {
    const int64_t channels = IsPlain(encoding) ? 5 : 16;
    for (const bool ceil_mode : {false, true}) {
      Body body;
      graph::Pool2dAttrs attrs;
      attrs.kernel = {3, 3};
      attrs.strides = {2, 2};
      attrs.padding = {1, 1, 1, 1};
      attrs.ceil_mode = ceil_mode;
      const Value pool = body.Add(OpKind::kMaxPool2d, attrs,
                                  {body.Input({1, channels, 7, 10}, encoding)});
      const Graph& graph =
          body.Finish(body.Add(OpKind::kRelu, graph::NoAttrs(), {pool}));
      for (const char* target : kCheckTargets)
        EXPECT_EQ(Check(graph, target), "");
    }
    Body body;
    const Graph& graph =
        body.Finish(body.Add(OpKind::kGlobalAvgPool2d, graph::NoAttrs(),
                             {body.Input({2, channels, 3, 5}, encoding)}));
    for (const char* target : kCheckTargets)
      EXPECT_EQ(Check(graph, target), "");
  }
}

// Images in blocks of channels, with operands of every sort.
TEST(KernelTest, ElementsInBlocks) {
  for (
      const char* text : {
          R"(graph g(%x: float32[2,8,3,5]@blocks(4), %y: float32[2,8,3,5]@blocks(4), %b: float32[1,8,1,1], %c: float32[1,1,1,1]) -> (%3) {
                %1: float32[2,8,3,5]@blocks(4) = add(%x, %y)
                %2: float32[2,8,3,5]@blocks(4) = multiply(%b, %1)
                %3: float32[2,8,3,5]@blocks(4) = add(%2, %c)
              })",
          R"(graph g(%x: float32[1,8,3,5]@blocks(4), %y: float32[1,4,3,5]@blocks(4)) -> (%2) {
                %1: float32[1,12,3,5]@blocks(4) = concat(%x, %y) {axis=1}
                %2: float32[1,4,2,5]@blocks(4) = slice(%1) {begins=[0,8,1,0], steps=[1,1,1,1], sizes=[1,4,2,5]}
              })",
      }) {
    const std::unique_ptr<Graph> graph = graph::GraphFromText(text);
    for (const char* target : kCheckTargets) {
      EXPECT_EQ(Check(*graph, target), "") << text;
    }
  }
}

TEST(KernelTest, NamesTypesThatNoKernelCombines) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(
      R"(graph g(%x: float32[2,8,3,5]@blocks(4), %y: float32[2,8,3,5]) -> (%1) {
           %1: float32[2,8,3,5]@blocks(4) = add(%x, %y) "Add_3"
         })");
  const auto kernel = BuildKernel(*graph, CheckTarget(kCheckTargets[0]));
  EXPECT_EQ(kernel.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(graph::ErrorHas(
      kernel.status(),
      "`Add_3` (add): no kernel can be generated for "
      "float32[2,8,3,5]@blocks(4), float32[2,8,3,5] and the result "
      "float32[2,8,3,5]@blocks(4)"));
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
                %1: float32[1,6,5,7]@blocks(3) = encode(%x)
                %2: float32[1,6,5,7]@blocks(2) = encode(%1)
              })",
          R"(graph g(%x: float32[1,16,1,1]@blocks(8)) -> (%2) {
                %1: float32[1,16,1,1] = encode(%x)
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
      R"(graph g(%x: float32[1,4,5,5]@blocks(2), %w: float32[8,4,3,3]@winograd(m=2,block=8)) -> (%1) {
           %1: float32[1,8,3,3]@blocks(8) = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
         })");
  EXPECT_EQ(CountFlops(*blocked), 2 * 72 * 36);
  const std::unique_ptr<Graph> transposed = graph::GraphFromText(
      R"(graph g(%x: float32[1,4,3,3]@blocks(2), %w: float32[4,8,2,2]@filters(in=2,out=8,transposed_groups=1)) -> (%1) {
           %1: float32[1,8,6,6]@blocks(8) = conv2d_transpose(%x, %w) {strides=[2,2], padding=[0,0,0,0], dilations=[1,1], output_padding=[0,0], groups=1}
         })");
  EXPECT_EQ(CountFlops(*transposed), 2 * 36 * 32);
}

}  // namespace
}  // namespace assay::ops
