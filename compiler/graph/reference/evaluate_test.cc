#include "compiler/graph/reference/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

template <typename T>
std::vector<T> ToVector(const NDArray& array) {
  const auto data = array.data<T>();
  return std::vector<T>(data.begin(), data.end());
}

// The first output of the graph in `text`.
NDArray RunText(absl::string_view text, std::vector<NDArray> inputs) {
  const auto outputs = Evaluate(*GraphFromText(text), inputs);
  CHECK(outputs.ok()) << outputs.status();
  return outputs->at(0);
}

NDArray Floats(Shape shape, const std::vector<float>& values) {
  return NDArray::FromVector<float>(std::move(shape), values);
}

NDArray Iota(Shape shape, float scale = 1) {
  NDArray array(DType::Float32(), std::move(shape));
  float next = 1;
  for (float& v : array.data<float>()) v = scale * next++;
  return array;
}

NDArray Random(Shape shape, int seed) {
  NDArray array(DType::Float32(), std::move(shape));
  std::minstd_rand random(seed);
  for (float& v : array.data<float>()) {
    v = static_cast<float>(random() % 2001) / 1000 - 1;
  }
  return array;
}

TEST(EvaluateTest, Conv2dPadsStridesAndDilates) {
  // A 2x2 window of ones with dilation 2 over 1..12 in 3 rows of 4.
  const NDArray out =
      RunText(R"(
      graph g(%x: float32[1,1,3,4], %w: float32[1,1,2,2]) -> (%1) {
        %1: float32[1,1,2,2] = conv2d(%x, %w) {strides=[2,2],
            padding=[1,0,0,1], dilations=[1,2], groups=1}
      })",
              {Iota({1, 1, 3, 4}), Floats({1, 1, 2, 2}, {1, 10, 100, 1000})});
  // Rows -1,0 and 1,2; columns 0,2 and 2,4 (column 4 is padding).
  EXPECT_EQ(
      ToVector<float>(out),
      (std::vector<float>{100 * 1 + 1000 * 3, 100 * 3,
                          5 + 10 * 7 + 100 * 9 + 1000 * 11, 7 + 100 * 11}));
}

// The definition, one element at a time.
float ConvAt(const NDArray& x, const NDArray& w, const Conv2dAttrs& a,
             int64_t n, int64_t o, int64_t oh, int64_t ow) {
  const int64_t channels = w.shape()[1];
  const int64_t group = o / (w.shape()[0] / a.groups);
  double sum = 0;
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t i = 0; i < w.shape()[2]; ++i) {
      for (int64_t j = 0; j < w.shape()[3]; ++j) {
        const int64_t row =
            oh * a.strides[0] - a.padding[0] + i * a.dilations[0];
        const int64_t col =
            ow * a.strides[1] - a.padding[1] + j * a.dilations[1];
        if (row < 0 || row >= x.shape()[2]) continue;
        if (col < 0 || col >= x.shape()[3]) continue;
        const int64_t xi =
            ((n * x.shape()[1] + group * channels + c) * x.shape()[2] + row) *
                x.shape()[3] +
            col;
        const int64_t wi =
            ((o * channels + c) * w.shape()[2] + i) * w.shape()[3] + j;
        sum += static_cast<double>(x.data<float>()[xi]) * w.data<float>()[wi];
      }
    }
  }
  return static_cast<float>(sum);
}

TEST(EvaluateTest, Conv2dWithGroupsFollowsTheDefinition) {
  const NDArray x = Random({2, 6, 5, 7}, 1);
  const NDArray w = Random({4, 3, 3, 2}, 2);
  Graph graph("g");
  Node* data = *graph.AddInput("x", {x.dtype(), x.shape()});
  Node* weights = *graph.AddInput("w", {w.dtype(), w.shape()});
  Conv2dAttrs attrs;
  attrs.groups = 2;
  attrs.strides = {1, 2};
  attrs.padding = {1, 0, 2, 1};
  attrs.dilations = {2, 1};
  graph.AddOutput(
      "", {*graph.AddNode(OpKind::kConv2d, attrs, {{data}, {weights}})});
  const NDArray y = Evaluate(graph, {x, w})->at(0);
  ASSERT_EQ(y.shape(), (Shape{2, 4, 4, 4}));
  int64_t k = 0;
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t o = 0; o < 4; ++o) {
      for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 4; ++j) {
          EXPECT_EQ(y.data<float>()[k++], ConvAt(x, w, attrs, n, o, i, j));
        }
      }
    }
  }
}

TEST(EvaluateTest, BatchNorm) {
  const NDArray out = RunText(R"(
      graph g(%x: float32[1,2,1,2]) -> (%5) {
        %1: float32[2] = constant {value=[2,3]}
        %2: float32[2] = constant {value=[10,20]}
        %3: float32[2] = constant {value=[1,2]}
        %4: float32[2] = constant {value=[3,8]}
        %5: float32[1,2,1,2] = batch_norm(%x, %1, %2, %3, %4) {epsilon=1}
      })",
                              {Floats({1, 2, 1, 2}, {1, 3, 2, 8})});
  EXPECT_EQ(ToVector<float>(out), (std::vector<float>{10, 12, 20, 26}));
}

TEST(EvaluateTest, MaxPoolIgnoresPadding) {
  const NDArray out =
      RunText(R"(
      graph g(%x: float32[1,1,3,3]) -> (%1) {
        %1: float32[1,1,2,2] = max_pool2d(%x) {kernel=[2,2], strides=[2,2],
            padding=[1,1,0,0]}
      })",
              {Floats({1, 1, 3, 3}, {-1, -2, -3, -4, -5, -6, -7, -8, -9})});
  EXPECT_EQ(ToVector<float>(out), (std::vector<float>{-1, -2, -4, -5}));
}

TEST(EvaluateTest, MaxPoolCeilMode) {
  const NDArray out = RunText(R"(
      graph g(%x: float32[1,2,1,3]) -> (%1) {
        %1: float32[1,2,1,2] = max_pool2d(%x) {kernel=[1,2],
            strides=[1,2], padding=[0,0,0,0], ceil_mode=true}
      })",
                              {Floats({1, 2, 1, 3}, {1, 3, 5, 60, 40, 20})});
  EXPECT_EQ(ToVector<float>(out), (std::vector<float>{3, 5, 60, 20}));
}

TEST(EvaluateTest, GlobalAvgPool) {
  const NDArray out = RunText(R"(
      graph g(%x: float32[1,2,1,4]) -> (%1) {
        %1: float32[1,2,1,1] = global_avg_pool2d(%x)
      })",
                              {Iota({1, 2, 1, 4})});
  EXPECT_EQ(ToVector<float>(out), (std::vector<float>{2.5, 6.5}));
}

TEST(EvaluateTest, Dense) {
  const NDArray out = RunText(
      R"(
      graph g(%x: float32[2,2], %w: float32[3,2]) -> (%1) {
        %1: float32[2,3] = dense(%x, %w)
      })",
      {Floats({2, 2}, {1, 2, 3, 4}), Floats({3, 2}, {1, 0, 0, 1, 10, 100})});
  EXPECT_EQ(ToVector<float>(out), (std::vector<float>{1, 2, 210, 3, 4, 430}));
}

TEST(EvaluateTest, MatmulBroadcastsLeadingAxes) {
  const NDArray out = RunText(
      R"(
      graph g(%a: float32[2,1,1,2], %b: float32[2,2,3]) -> (%1) {
        %1: float32[2,2,1,3] = matmul(%a, %b)
      })",
      {Floats({2, 1, 1, 2}, {1, 10, 2, 20}),
       Floats({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})});
  EXPECT_EQ(ToVector<float>(out),
            (std::vector<float>{30, 41, 52, 96, 107, 118, 60, 82, 104, 192, 214,
                                236}));
}

TEST(EvaluateTest, SumsAreRoundedOnce) {
  // With float32 sums, the small terms would be lost.
  const NDArray out =
      RunText(R"(
      graph g(%x: float32[1,3], %w: float32[1,3]) -> (%1) {
        %1: float32[1,1] = dense(%x, %w)
      })",
              {Floats({1, 3}, {16777216, 1, 1}), Floats({1, 3}, {1, 1, 1})});
  EXPECT_EQ(ToVector<float>(out), (std::vector<float>{16777218}));
}

TEST(EvaluateTest, ElementwiseBroadcasts) {
  const NDArray out = RunText(R"(
      graph g(%x: float32[2,1,2], %b: float32[2,1]) -> (%1) {
        %1: float32[2,2,2] = add(%x, %b)
      })",
                              {Iota({2, 1, 2}), Floats({2, 1}, {10, 20})});
  EXPECT_EQ(ToVector<float>(out),
            (std::vector<float>{11, 12, 21, 22, 13, 14, 23, 24}));
  const NDArray product =
      RunText(R"(
      graph g(%x: int64[], %b: int64[2]) -> (%1) {
        %1: int64[2] = multiply(%x, %b)
      })",
              {NDArray::FromVector<int64_t>({}, {3}),
               NDArray::FromVector<int64_t>({2}, {5, int64_t{1} << 62})});
  EXPECT_EQ(ToVector<int64_t>(product),
            (std::vector<int64_t>{15, -(int64_t{1} << 62)}));
}

TEST(EvaluateTest, Relu) {
  const NDArray out =
      RunText("graph g(%x: float32[3]) -> (%1) { %1: float32[3] = relu(%x) }",
              {Floats({3}, {-1, 0.5, std::numeric_limits<float>::infinity()})});
  EXPECT_EQ(
      ToVector<float>(out),
      (std::vector<float>{0, 0.5, std::numeric_limits<float>::infinity()}));
}

TEST(EvaluateTest, DataMovement) {
  const NDArray x = NDArray::FromVector<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(ToVector<int32_t>(RunText(R"(
      graph g(%x: int32[2,3]) -> (%1) {
        %1: int32[3,2] = transpose(%x) {perm=[1,0]}
      })",
                                      {x})),
            (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(ToVector<int32_t>(RunText(R"(
      graph g(%x: int32[2,3]) -> (%2) {
        %1: int32[2,1] = constant {value=[7,8]}
        %2: int32[2,4] = concat(%x, %1) {axis=1}
      })",
                                      {x})),
            (std::vector<int32_t>{1, 2, 3, 7, 4, 5, 6, 8}));
  EXPECT_EQ(ToVector<int32_t>(RunText(R"(
      graph g(%x: int32[2,3]) -> (%2) {
        %1: int64[2] = constant {value=[-1,0]}
        %2: int32[2,2] = gather(%x, %1) {axis=1}
      })",
                                      {x})),
            (std::vector<int32_t>{3, 1, 6, 4}));
  EXPECT_EQ(RunText(R"(
      graph g(%x: int32[2,3]) -> (%1) {
        %1: int32[6] = reshape(%x) {shape=[6]}
      })",
                    {x})
                .shape(),
            Shape{6});
}

TEST(EvaluateTest, GatherOutsideTheAxisIsAnError) {
  const auto graph = GraphFromText(R"(
      graph g(%x: int32[2,3], %i: int64[]) -> (%1) {
        %1: int32[2] = gather(%x, %i) {axis=1} "Gather_3"
      })");
  const NDArray x(DType::Int32(), {2, 3});
  for (int64_t bad : {3, -4}) {
    EXPECT_TRUE(ErrorHas(
        Evaluate(*graph, {x, NDArray::FromVector<int64_t>({}, {bad})}).status(),
        absl::StrCat("node `Gather_3` (gather): index ", bad,
                     " is outside axis 1 of [2,3]")));
  }
}

TEST(EvaluateTest, EncodingsChangeNoValue) {
  const NDArray out = RunText(R"(
      graph g(%x: float32[1,4,1,3]) -> (%3) {
        %1: float32[1,4,1,3]@blocks(2) = encode(%x)
        %2: float32[1,4,1,3]@blocks(2) = relu(%1)
        %3: float32[1,4,1,3] = encode(%2)
      })",
                              {Iota({1, 4, 1, 3})});
  EXPECT_EQ(ToVector<float>(out), ToVector<float>(Iota({1, 4, 1, 3})));
}

TEST(EvaluateTest, KernelsRunTheirBodies) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[2]) -> (%1.1, %1) {
        %1: (float32[2], float32[2]) = kernel(%x, %x) {
          graph k(%p: float32[2], %q: float32[2]) -> (%1, %2) {
            %1: float32[2] = add(%p, %q)
            %2: float32[2] = multiply(%1, %1)
          }
        }
      })");
  const auto out = Evaluate(*graph, {Floats({2}, {1, 2})});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(ToVector<float>(out->at(0)), (std::vector<float>{4, 16}));
  EXPECT_EQ(ToVector<float>(out->at(1)), (std::vector<float>{2, 4}));
}

TEST(EvaluateTest, InputsAreChecked) {
  const auto graph = GraphFromText(
      "graph net(%x: float32[2]) -> (%1) { %1: float32[2] = relu(%x) }");
  EXPECT_TRUE(ErrorHas(Evaluate(*graph, {}).status(),
                       "graph `net` takes 1 inputs, not 0"));
  EXPECT_TRUE(
      ErrorHas(Evaluate(*graph, {NDArray(DType::Float32(), {3})}).status(),
               "graph input `x` is float32[2] but float32[3] is given"));
}

}  // namespace
}  // namespace assay::graph
