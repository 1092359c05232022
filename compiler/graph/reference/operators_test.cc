// Operators that evaluate_test.cc does not cover, on values computed by hand.
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

NDArray Evaluated(const std::string& text, const std::vector<NDArray>& inputs) {
  const auto graph = GraphFromText(text);
  const auto results = Evaluate(*graph, inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  return (*results)[0];
}

NDArray Floats(Shape shape, const std::vector<float>& values) {
  return NDArray::FromVector<float>(std::move(shape), values);
}

// `%1: type = line` of one operand `%x`.
std::vector<float> RunOne(const NDArray& x, const std::string& type,
                          const std::string& line) {
  const NDArray y = Evaluated(
      absl::StrCat("graph g(%x: float32", ShapeToString(x.shape()),
                   ") -> (%1) { %1: float32", type, " = ", line, " }"),
      {x});
  const auto data = y.data<float>();
  return {data.begin(), data.end()};
}

std::vector<float> Apply(const std::string& op, const std::string& attrs,
                         const std::vector<float>& values) {
  const auto n = static_cast<int64_t>(values.size());
  return RunOne(Floats({n}, values), absl::StrCat("[", n, "]"),
                absl::StrCat(op, "(%x) ", attrs));
}

using V = std::vector<float>;

TEST(OperatorsTest, Unary) {
  EXPECT_EQ(Apply("negate", "", {1, -2}), (V{-1, 2}));
  EXPECT_EQ(Apply("abs", "", {1, -2}), (V{1, 2}));
  EXPECT_EQ(Apply("sign", "", {3, -2, 0}), (V{1, -1, 0}));
  EXPECT_EQ(Apply("exp", "", {0, INFINITY, -INFINITY}), (V{1, INFINITY, 0}));
  EXPECT_EQ(Apply("log", "", {1, 0}), (V{0, -INFINITY}));
  EXPECT_EQ(Apply("sqrt", "", {9}), (V{3}));
  EXPECT_EQ(Apply("rsqrt", "", {4}), (V{0.5f}));
  EXPECT_EQ(Apply("reciprocal", "", {4, 0}), (V{0.25f, INFINITY}));
  EXPECT_EQ(Apply("floor", "", {1.5f, -1.5f}), (V{1, -2}));
  EXPECT_EQ(Apply("ceil", "", {1.5f, -1.5f}), (V{2, -1}));
  EXPECT_EQ(Apply("round", "", {0.5f, 1.5f, -2.5f}), (V{0, 2, -2}));
  EXPECT_EQ(Apply("erf", "", {0, 10, -10}), (V{0, 1, -1}));
  EXPECT_EQ(Apply("tanh", "", {0, 30}), (V{0, 1}));
  EXPECT_EQ(Apply("sigmoid", "", {0, 100}), (V{0.5f, 1}));
  EXPECT_FLOAT_EQ(Apply("softplus", "", {0})[0], std::log(2.0f));
  EXPECT_EQ(Apply("softplus", "", {100, -200}), (V{100, 0}));
  EXPECT_EQ(Apply("softsign", "", {1, -3}), (V{0.5f, -0.75f}));
  EXPECT_EQ(Apply("hard_swish", "", {-4, 0, 3, 4}), (V{0, 0, 3, 4}));
  EXPECT_FLOAT_EQ(Apply("gelu", "", {1})[0], 0.84134474f);
}

TEST(OperatorsTest, UnaryWithAttributes) {
  EXPECT_EQ(Apply("leaky_relu", "{alpha=0.5}", {-4, 4}), (V{-2, 4}));
  EXPECT_EQ(Apply("elu", "{alpha=2}", {-INFINITY, 4}), (V{-2, 4}));
  EXPECT_EQ(Apply("hard_sigmoid", "{alpha=0.25, beta=0.5}", {-9, 1, 9}),
            (V{0, 0.75f, 1}));
  EXPECT_EQ(Apply("clip", "{min=-1, max=2}", {-3, 1, 3}), (V{-1, 1, 2}));
  EXPECT_EQ(Apply("clip", "{min=2}", {-3, 3}), (V{2, 3}));
}

TEST(OperatorsTest, Binary) {
  const auto apply = [](const char* op, const V& a, const V& b) {
    const NDArray y = Evaluated(
        absl::StrCat("graph g(%a: float32[2], %b: float32[2]) -> (%1) { %1: ",
                     "float32[2] = ", op, "(%a, %b) }"),
        {Floats({2}, a), Floats({2}, b)});
    return V(y.data<float>().begin(), y.data<float>().end());
  };
  EXPECT_EQ(apply("subtract", {5, 1}, {2, 3}), (V{3, -2}));
  EXPECT_EQ(apply("divide", {5, 1}, {2, 4}), (V{2.5f, 0.25f}));
  EXPECT_EQ(apply("maximum", {5, 1}, {2, 4}), (V{5, 4}));
  EXPECT_EQ(apply("minimum", {5, 1}, {2, 4}), (V{2, 1}));
  for (const char* op : {"maximum", "minimum"}) {
    for (const float value : apply(op, {NAN, 1}, {2, NAN})) {
      EXPECT_TRUE(std::isnan(value)) << op;
    }
  }
  EXPECT_EQ(apply("power", {-2, 9}, {3, 0.5f}), (V{-8, 3}));
  EXPECT_EQ(apply("prelu", {-2, 9}, {3, 3}), (V{-6, 9}));
}

TEST(OperatorsTest, IntegersDivideTowardsZeroAndWrap) {
  const NDArray y = Evaluated(
      "graph g(%a: int32[3], %b: int32[3]) -> (%1) { %1: int32[3] = "
      "divide(%a, %b) }",
      {NDArray::FromVector<int32_t>({3}, {7, -7, INT32_MIN}),
       NDArray::FromVector<int32_t>({3}, {2, 2, -1})});
  const auto data = y.data<int32_t>();
  EXPECT_EQ(std::vector<int32_t>(data.begin(), data.end()),
            (std::vector<int32_t>{3, -3, INT32_MIN}));
}

TEST(OperatorsTest, NarrowFloatsAreRoundedOnce) {
  NDArray x(DType::BFloat16(), {1});
  *static_cast<uint16_t*>(x.raw()) = 0x3f80;  // 1
  const NDArray y = Evaluated(
      "graph g(%x: bfloat16[1]) -> (%1) { %1: bfloat16[1] = exp(%x) }", {x});
  EXPECT_EQ(*static_cast<const uint16_t*>(y.raw()), 0x402e);  // 2.71875
}

TEST(OperatorsTest, AveragePoolCountsWhatItIsTold) {
  const NDArray x = Floats({1, 1, 1, 3}, {2, 4, 6});
  const std::string window =
      "avg_pool2d(%x) {kernel=[1,2], strides=[1,2], padding=[0,1,0,0]";
  EXPECT_EQ(RunOne(x, "[1,1,1,2]", window + "}"), (V{2, 5}));
  EXPECT_EQ(RunOne(x, "[1,1,1,2]", window + ", count_include_pad=true}"),
            (V{1, 5}));
  // The last window begins on the data and ends beyond any padding.
  EXPECT_EQ(RunOne(x, "[1,1,1,2]",
                   "avg_pool2d(%x) {kernel=[1,2], strides=[1,2], "
                   "padding=[0,0,0,0], ceil_mode=true, "
                   "count_include_pad=true}"),
            (V{3, 6}));
}

// Both taps of the dilated window are on the padding.
TEST(OperatorsTest, MaxPoolOfPaddingOnly) {
  const std::string result =
      " = max_pool2d(%x) {kernel=[1,2], strides=[1,1], padding=[0,1,0,1], "
      "dilations=[1,2]} }";
  EXPECT_EQ(Evaluated("graph g(%x: int8[1,1,1,1]) -> (%1) { %1: int8[1,1,1,1]" +
                          result,
                      {NDArray::FromVector<int8_t>({1, 1, 1, 1}, {5})})
                .data<int8_t>()[0],
            -128);
  EXPECT_EQ(
      Evaluated(
          "graph g(%x: uint8[1,1,1,1]) -> (%1) { %1: uint8[1,1,1,1]" + result,
          {NDArray::FromVector<uint8_t>({1, 1, 1, 1}, {5})})
          .data<uint8_t>()[0],
      0);
}

TEST(OperatorsTest, GlobalMaxPool) {
  EXPECT_EQ(RunOne(Floats({1, 2, 1, 2}, {1, 3, -5, -4}), "[1,2,1,1]",
                   "global_max_pool2d(%x)"),
            (V{3, -4}));
}

TEST(OperatorsTest, ArgMaxAndArgMin) {
  const float nan = std::nanf("");
  using V = std::vector<int64_t>;
  const auto indices = [](const std::vector<float>& values, const char* line) {
    const auto n = static_cast<int64_t>(values.size()) / 2;
    const NDArray y =
        Evaluated(absl::StrCat("graph g(%x: float32[2,", n,
                               "]) -> (%1) { %1: int64[2] = ", line, " }"),
                  {Floats({2, n}, values)});
    const auto data = y.data<int64_t>();
    return V(data.begin(), data.end());
  };
  const std::vector<float> ties = {3, 5, 5, 1, 1, 2};
  EXPECT_EQ(indices(ties, "arg_max(%x) {axis=1}"), (V{1, 2}));
  EXPECT_EQ(indices(ties, "arg_max(%x) {axis=1, last=true}"), (V{2, 2}));
  EXPECT_EQ(indices(ties, "arg_min(%x) {axis=1}"), (V{0, 0}));
  EXPECT_EQ(indices(ties, "arg_min(%x) {axis=1, last=true}"), (V{0, 1}));
  const std::vector<float> nans = {3, nan, nan, -INFINITY, nan, INFINITY};
  EXPECT_EQ(indices(nans, "arg_max(%x) {axis=1}"), (V{1, 1}));
  EXPECT_EQ(indices(nans, "arg_min(%x) {axis=1, last=true}"), (V{2, 1}));
}

TEST(OperatorsTest, Reductions) {
  const NDArray x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(RunOne(x, "[2]", "reduce_sum(%x) {axes=[1]}"), (V{6, 15}));
  EXPECT_EQ(RunOne(x, "[1,3]", "reduce_mean(%x) {axes=[0], keepdims=true}"),
            (V{2.5f, 3.5f, 4.5f}));
  EXPECT_EQ(RunOne(x, "[]", "reduce_prod(%x) {axes=[0,1]}"), (V{720}));
  EXPECT_EQ(RunOne(x, "[3]", "reduce_max(%x) {axes=[0]}"), (V{4, 5, 6}));
  EXPECT_EQ(RunOne(x, "[2]", "reduce_min(%x) {axes=[1]}"), (V{1, 4}));
  for (const char* op : {"reduce_max", "reduce_min"}) {
    for (const V& values : {V{NAN, 1, 2}, V{1, NAN, 2}, V{1, 2, NAN}}) {
      EXPECT_TRUE(std::isnan(RunOne(Floats({3}, values), "[]",
                                    absl::StrCat(op, "(%x) {axes=[0]}"))[0]))
          << op;
    }
  }
}

TEST(OperatorsTest, SoftmaxAlongEitherAxis) {
  const NDArray x = Floats({2, 2}, {1000, 1000, 0, std::log(3.0f)});
  EXPECT_EQ(RunOne(x, "[2,2]", "softmax(%x) {axis=1}"),
            (V{0.5f, 0.5f, 0.25f, 0.75f}));
  EXPECT_EQ(RunOne(x, "[2,2]", "softmax(%x) {axis=0}"), (V{1, 1, 0, 0}));
  EXPECT_FLOAT_EQ(RunOne(x, "[2,2]", "log_softmax(%x) {axis=1}")[0],
                  -std::log(2.0f));
}

TEST(OperatorsTest, LayerNorm) {
  const NDArray y = Evaluated(
      "graph g(%x: float32[1,2], %s: float32[2], %b: float32[2]) -> (%1) "
      "{ %1: float32[1,2] = layer_norm(%x, %s, %b) {axis=1, epsilon=0} }",
      {Floats({1, 2}, {3, 7}), Floats({2}, {1, 10}), Floats({2}, {0, 1})});
  EXPECT_EQ(y.data<float>()[0], -1);
  EXPECT_EQ(y.data<float>()[1], 11);
}

TEST(OperatorsTest, SliceAndPad) {
  const NDArray x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(
      RunOne(x, "[2,2]", "slice(%x) {begins=[1,0], steps=[-1,2], sizes=[2,2]}"),
      (V{4, 6, 1, 3}));
  EXPECT_EQ(RunOne(x, "[3,4]", "pad(%x) {before=[1,0], after=[0,1], value=-1}"),
            (V{-1, -1, -1, -1, 1, 2, 3, -1, 4, 5, 6, -1}));
}

TEST(OperatorsTest, Casts) {
  const NDArray y = Evaluated(
      "graph g(%x: float32[3]) -> (%1) { %1: int8[3] = cast(%x) {dtype=int8} }",
      {Floats({3}, {-1.9f, 2.9f, 300})});
  EXPECT_EQ(y.data<int8_t>()[0], -1);
  EXPECT_EQ(y.data<int8_t>()[1], 2);
}

TEST(OperatorsTest, CastsOfUnsignedIntegersAreRoundedOnce) {
  // 2^62 + 2^38 + 1 is just above the middle of two floats.
  const NDArray y = Evaluated(
      "graph g(%x: uint64[3]) -> (%1) { %1: float32[3] = cast(%x) "
      "{dtype=float32} }",
      {NDArray::FromVector<uint64_t>(
          {3}, {UINT64_MAX, uint64_t{1} << 63,
                (uint64_t{1} << 62) + (uint64_t{1} << 38) + 1})});
  EXPECT_EQ(V(y.data<float>().begin(), y.data<float>().end()),
            (V{0x1p64f, 0x1p63f, 0x1.000002p62f}));
}

TEST(OperatorsTest, CastsToUnsignedIntegersBeyondSignedOnes) {
  const NDArray y = Evaluated(
      "graph g(%x: float64[3]) -> (%1) { %1: uint64[3] = cast(%x) "
      "{dtype=uint64} }",
      {NDArray::FromVector<double>({3}, {0x1p63, 0x1.8p63, 2.5})});
  const auto data = y.data<uint64_t>();
  EXPECT_EQ(std::vector<uint64_t>(data.begin(), data.end()),
            (std::vector<uint64_t>{uint64_t{1} << 63, uint64_t{3} << 62, 2}));
}

TEST(OperatorsTest, UniqueTellsLargeIntegersApart) {
  const int64_t large = (int64_t{1} << 53) + 1;
  const auto graph = GraphFromText(
      "graph g(%x: int64[3]) -> (%1.1) { %1: (int64[3], int64[3], int64[3], "
      "int64[]) = unique(%x) {axis=0, sorted=true} }");
  const auto results = Evaluate(
      *graph, {NDArray::FromVector<int64_t>({3}, {large, large - 1, large})});
  ASSERT_TRUE(results.ok()) << results.status();
  const auto groups = (*results)[0].data<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(groups.begin(), groups.end()),
            (std::vector<int64_t>{1, 0, 1}));
}

TEST(OperatorsTest, QuantizeRoundsHalfToEvenAndSaturates) {
  const NDArray y = Evaluated(
      "graph g(%x: float32[4], %s: float32[], %z: uint8[]) -> (%1) { %1: "
      "uint8[4] = quantize(%x, %s, %z) {axis=0, dtype=uint8} }",
      {Floats({4}, {1, 3, 1000, -1000}), Floats({}, {2}),
       NDArray::FromVector<uint8_t>({}, {10})});
  const auto data = y.data<uint8_t>();
  EXPECT_EQ(std::vector<uint8_t>(data.begin(), data.end()),
            (std::vector<uint8_t>{10, 12, 255, 0}));
}

TEST(OperatorsTest, DequantizeAndRequantizePerChannel) {
  const NDArray x = Evaluated(
      "graph g(%x: int8[2,2], %s: float32[2], %z: int8[2]) -> (%1) { "
      "%1: float32[2,2] = dequantize(%x, %s, %z) {axis=0, "
      "dtype=float32} }",
      {NDArray::FromVector<int8_t>({2, 2}, {1, -128, 3, 4}),
       Floats({2}, {0.5f, 2}), NDArray::FromVector<int8_t>({2}, {0, 3})});
  EXPECT_EQ(V(x.data<float>().begin(), x.data<float>().end()),
            (V{0.5f, -64, 0, 2}));
  const NDArray y = Evaluated(
      "graph g(%x: int32[3], %s: float32[1], %z: int8[1]) -> (%1) { "
      "%1: int8[3] = requantize(%x, %s, %z) {axis=0, dtype=int8} }",
      {NDArray::FromVector<int32_t>({3}, {2, 6, -9000}), Floats({1}, {0.25f}),
       NDArray::FromVector<int8_t>({1}, {1})});
  const auto data = y.data<int8_t>();
  EXPECT_EQ(std::vector<int8_t>(data.begin(), data.end()),
            (std::vector<int8_t>{1, 3, -128}));
}

TEST(OperatorsTest, NonMaxSuppression) {
  // Two overlapping boxes and one apart; of equal scores in the second class
  // the first box is kept.
  const NDArray boxes =
      Floats({1, 3, 4}, {0, 0, 2, 2, /**/ 2, 2.5f, 0, 0, /**/ 0, 5, 2, 7});
  const NDArray scores = Floats({1, 2, 3}, {0.5f, 0.9f, 0.1f, 1, 1, 1});
  const NDArray y = Evaluated(
      "graph g(%b: float32[1,3,4], %s: float32[1,2,3]) -> "
      "(%1 {axis=0, extent=%1.1}) { %1: (int64[6,3], int64[]) = "
      "non_max_suppression(%b, %s) {most=3, iou_threshold=0.5, "
      "score_threshold=0.2} }",
      {boxes, scores});
  EXPECT_EQ(y.shape(), (Shape{3, 3}));
  const auto data = y.data<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(data.begin(), data.end()),
            (std::vector<int64_t>{0, 0, 1, 0, 1, 0, 0, 1, 2}));
}

// One bin of an image with the values 0 to 15.
float PooledRegion(const std::string& line, const V& region) {
  V pixels(16);
  for (int i = 0; i < 16; ++i) pixels[i] = static_cast<float>(i);
  const auto n = static_cast<int64_t>(region.size());
  return Evaluated(
             absl::StrCat("graph g(%x: float32[1,1,4,4], %r: float32[1,", n,
                          "], %n: int64[1]) -> (%1) { %1: float32[1,1,1,1] = ",
                          line, " }"),
             {Floats({1, 1, 4, 4}, pixels), Floats({1, n}, region),
              NDArray::FromVector<int64_t>({1}, {0})})
      .data<float>()[0];
}

TEST(OperatorsTest, RoiAlignOfRegionsOfAnySize) {
  const auto pooled = [](const V& region) {
    return PooledRegion(
        "roi_align(%x, %r, %n) {output=[1,1], sampling=0, scale=1}", region);
  };
  EXPECT_EQ(pooled({0, 0, 1, 1}), 2.5f);
  // No more than 65536 points, all but the first of which are outside: that one
  // is in the last row.
  EXPECT_EQ(pooled({0, 0, 1, 7 << 16}), 12.5f / 65536);
  EXPECT_EQ(pooled({0, 0, 1, 1e18f}), 0);
  EXPECT_EQ(pooled({0, 0, 1, INFINITY}), 0);
  EXPECT_EQ(pooled({0, 0, 1, NAN}), 0);
  EXPECT_EQ(pooled({NAN, 0, 1, 1}), 0);
}

TEST(OperatorsTest, MaxRoiPoolOfRegionsOfAnySize) {
  const auto pooled = [](const V& region) {
    return PooledRegion("max_roi_pool(%x, %r) {output=[1,1], scale=1}", region);
  };
  EXPECT_EQ(pooled({0, 1, 1, 2, 2}), 10);
  EXPECT_EQ(pooled({0, -1e30f, -1e30f, 1e30f, 1e30f}), 15);
  EXPECT_EQ(pooled({0, -INFINITY, 0, 2, INFINITY}), 14);
  EXPECT_EQ(pooled({0, 1e30f, 1e30f, 1e30f, 1e30f}), 0);
  // A region before the image.
  EXPECT_EQ(pooled({NAN, NAN, NAN, 2, 2}), 10);
}

TEST(OperatorsTest, GridSampleOfNanCoordinates) {
  const NDArray y = Evaluated(
      "graph g(%x: float32[1,1,2,2], %g: float32[1,1,2,2]) -> (%1) { %1: "
      "float32[1,1,1,2] = grid_sample(%x, %g) {taps=2, align_corners=true, "
      "border=true, reflect=false} }",
      {Floats({1, 1, 2, 2}, {1, 2, 3, 4}),
       Floats({1, 1, 2, 2}, {NAN, -1, -1, 1e30f})});
  // Past the last pixel.
  EXPECT_EQ(y.data<float>()[0], 2);
  EXPECT_EQ(y.data<float>()[1], 3);
}

TEST(OperatorsTest, TransposedConvolution) {
  const NDArray y = Evaluated(
      "graph g(%x: float32[1,1,1,2], %w: float32[1,1,1,3]) -> (%1) { "
      "%1: float32[1,1,1,4] = conv2d_transpose(%x, %w) "
      "{strides=[1,2], padding=[0,1,0,0], dilations=[1,1], "
      "output_padding=[0,0], groups=1} }",
      {Floats({1, 1, 1, 2}, {1, 10}), Floats({1, 1, 1, 3}, {1, 2, 3})});
  EXPECT_EQ(V(y.data<float>().begin(), y.data<float>().end()),
            (V{2, 13, 20, 30}));
}

}  // namespace
}  // namespace assay::graph
