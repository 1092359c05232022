// Convolution and pooling over one to three axes, against loops over the
// definition.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

using Ints = std::vector<int64_t>;

// Attributes of one test case, one value per spatial axis.
struct Case {
  std::string name;
  Shape data;  // [N,C,…]
  Shape kernel;
  Ints strides, dilations;
  Ints before, after;
  int64_t groups = 1;
  bool ceil = false;
  Ints extents;  // of the result

  Ints Pads() const {
    Ints pads = before;
    pads.insert(pads.end(), after.begin(), after.end());
    return pads;
  }
};

std::vector<Case> Cases() {
  return {
      {"1d", {2, 4, 9}, {3}, {2}, {2}, {1}, {2}, 2, false, {4}},
      {"2d",
       {1, 2, 5, 6},
       {2, 3},
       {1, 2},
       {1, 1},
       {0, 1},
       {1, 1},
       1,
       false,
       {5, 3}},
      {"3d",
       {2, 4, 5, 4, 6},
       {2, 3, 2},
       {2, 1, 2},
       {2, 1, 1},
       {1, 1, 0},
       {1, 1, 1},
       2,
       false,
       {3, 4, 3}},
      {"ceil",
       {1, 2, 6, 5, 7},
       {3, 2, 2},
       {2, 2, 3},
       {1, 1, 1},
       {0, 0, 1},
       {0, 0, 0},
       1,
       true,
       {3, 3, 3}},
  };
}

Shape Result(const Case& c, int64_t channels) {
  Shape shape = {c.data[0], channels};
  shape.insert(shape.end(), c.extents.begin(), c.extents.end());
  return shape;
}

// The index into the data that window element `k` of result `index` reads, in
// the given channel; empty if it is outside.
Shape Read(const Case& c, const Shape& index, const Shape& k, int64_t channel) {
  Shape at = {index[0], channel};
  for (size_t d = 0; d < k.size(); ++d) {
    const int64_t i =
        index[d + 2] * c.strides[d] - c.before[d] + k[d] * c.dilations[d];
    if (i < 0 || i >= c.data[d + 2]) return {};
    at.push_back(i);
  }
  return at;
}

OneNode WithWindow(OneNode node, const Case& c) {
  return node.Ints("strides", c.strides)
      .Ints("dilations", c.dilations)
      .Ints("pads", c.Pads());
}

TEST(SpatialTest, Conv) {
  for (const Case& c : Cases()) {
    if (c.ceil) continue;
    SCOPED_TRACE(c.name);
    const int64_t each = c.data[1] / c.groups, filters = 2 * c.groups;
    Shape weights = {filters, each};
    weights.insert(weights.end(), c.kernel.begin(), c.kernel.end());
    const NDArray x = WholeNumbers(c.data, 1), w = WholeNumbers(weights, 2);
    std::vector<float> expected;
    for (const Shape& index : IndicesOf(Result(c, filters))) {
      float sum = static_cast<float>(index[1]);  // the bias
      for (const Shape& k : IndicesOf(c.kernel)) {
        for (int64_t i = 0; i < each; ++i) {
          const Shape at = Read(c, index, k, index[1] / 2 * each + i);
          if (at.empty()) continue;
          Shape tap = {index[1], i};
          tap.insert(tap.end(), k.begin(), k.end());
          sum += x.data<float>()[PlaceOf(at, c.data)] *
                 w.data<float>()[PlaceOf(tap, weights)];
        }
      }
      expected.push_back(sum);
    }
    std::vector<float> bias;
    for (int64_t i = 0; i < filters; ++i) {
      bias.push_back(static_cast<float>(i));
    }
    OneNode node = WithWindow(OneNode("Conv", 11).Data(c.data).Constant(w), c);
    node.Constant(NDArray::FromVector<float>({filters}, bias));
    EXPECT_EQ(RunFloats(node.Int("group", c.groups), {x}), expected);
  }
}

// Every element of the data times every tap is added to one element of the
// result.
TEST(SpatialTest, ConvTranspose) {
  for (const Case& c : Cases()) {
    if (c.ceil) continue;
    SCOPED_TRACE(c.name);
    const int64_t each = c.data[1] / c.groups, filters = 3;
    Shape weights = {c.data[1], filters};
    weights.insert(weights.end(), c.kernel.begin(), c.kernel.end());
    Shape result = {c.data[0], filters * c.groups};
    Ints extra;
    for (size_t d = 0; d < c.kernel.size(); ++d) {
      extra.push_back(c.strides[d] - 1);
      result.push_back((c.data[d + 2] - 1) * c.strides[d] +
                       c.dilations[d] * (c.kernel[d] - 1) + 1 - c.before[d] -
                       c.after[d] + extra[d]);
    }
    const NDArray x = WholeNumbers(c.data, 3), w = WholeNumbers(weights, 4);
    std::vector<float> expected(NumElements(result), 0.0f);
    for (const Shape& index : IndicesOf(c.data)) {
      for (const Shape& k : IndicesOf(c.kernel)) {
        for (int64_t o = 0; o < filters; ++o) {
          Shape to = {index[0], index[1] / each * filters + o};
          Shape tap = {index[1], o};
          bool inside = true;
          for (size_t d = 0; d < k.size(); ++d) {
            to.push_back(index[d + 2] * c.strides[d] + k[d] * c.dilations[d] -
                         c.before[d]);
            tap.push_back(k[d]);
            inside = inside && to.back() >= 0 && to.back() < result[d + 2];
          }
          if (!inside) continue;
          expected[PlaceOf(to, result)] +=
              x.data<float>()[PlaceOf(index, c.data)] *
              w.data<float>()[PlaceOf(tap, weights)];
        }
      }
    }
    OneNode node =
        WithWindow(OneNode("ConvTranspose", 11).Data(c.data).Constant(w), c);
    EXPECT_EQ(
        RunFloats(node.Int("group", c.groups).Ints("output_padding", extra),
                  {x}),
        expected);
  }
}

// The rest of a larger `output_shape` is zeros at the end.
TEST(SpatialTest, ConvTransposeToALargerShape) {
  const NDArray w = NDArray::FromVector<float>({1, 1, 2}, {1, 10});
  const NDArray x = NDArray::FromVector<float>({1, 1, 2}, {1, 2});
  EXPECT_EQ(RunFloats(OneNode("ConvTranspose", 11)
                          .Data({1, 1, 2})
                          .Constant(w)
                          .Ints("output_shape", {5}),
                      {x}),
            (std::vector<float>{1, 12, 20, 0, 0}));
}

enum class Kind { kMax, kMean, kMeanWithPadding, kL3 };

std::vector<float> Pooled(const Case& c, const NDArray& x, Kind kind) {
  std::vector<float> pooled;
  for (const Shape& index : IndicesOf(Result(c, c.data[1]))) {
    float max = -std::numeric_limits<float>::infinity(), sum = 0, power = 0;
    int64_t on_data = 0, on_padding = 0;
    for (const Shape& k : IndicesOf(c.kernel)) {
      const Shape at = Read(c, index, k, index[1]);
      bool padded = true;
      for (size_t d = 0; d < k.size(); ++d) {
        const int64_t i = index[d + 2] * c.strides[d] + k[d] * c.dilations[d];
        padded = padded && i < c.before[d] + c.data[d + 2] + c.after[d];
      }
      on_padding += padded ? 1 : 0;
      if (at.empty()) continue;
      const float value = x.data<float>()[PlaceOf(at, c.data)];
      ++on_data;
      max = std::max(max, value);
      sum += value;
      power += std::abs(value * value * value);
    }
    switch (kind) {
      case Kind::kMax:
        pooled.push_back(max);
        break;
      case Kind::kMean:
        pooled.push_back(sum / static_cast<float>(on_data));
        break;
      case Kind::kMeanWithPadding:
        pooled.push_back(sum / static_cast<float>(on_padding));
        break;
      case Kind::kL3:
        pooled.push_back(std::cbrt(power));
    }
  }
  return pooled;
}

void ExpectNear(const std::vector<float>& actual,
                const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 1e-5 * (1 + std::abs(expected[i])))
        << i;
  }
}

TEST(SpatialTest, Pooling) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const NDArray x = WholeNumbers(c.data, 5);
    const auto node = [&](const char* type) {
      OneNode pool = WithWindow(OneNode(type, 19).Data(c.data), c);
      return pool.Ints("kernel_shape", c.kernel)
          .Int("ceil_mode", c.ceil ? 1 : 0);
    };
    EXPECT_EQ(RunFloats(node("MaxPool"), {x}), Pooled(c, x, Kind::kMax));
    ExpectNear(RunFloats(node("AveragePool"), {x}), Pooled(c, x, Kind::kMean));
    ExpectNear(RunFloats(node("AveragePool").Int("count_include_pad", 1), {x}),
               Pooled(c, x, Kind::kMeanWithPadding));
    ExpectNear(RunFloats(node("LpPool").Int("p", 3), {x}),
               Pooled(c, x, Kind::kL3));
  }
}

// The first of equal elements is returned; the second image begins at 8.
TEST(SpatialTest, MaxPoolIndices) {
  const NDArray x = NDArray::FromVector<float>(
      {1, 2, 2, 4}, {1, 5, 5, 2, 7, 0, 3, 9, 0, 0, 0, 0, 0, 0, 0, 1});
  const auto node = [](int64_t order) {
    OneNode pool = OneNode("MaxPool", 8)
                       .Data({1, 2, 2, 4})
                       .Ints("kernel_shape", {2, 2})
                       .Int("storage_order", order)
                       .Result("indices");
    pool.model().mutable_graph()->add_output()->set_name("indices");
    return pool;
  };
  const auto indices = [&](int64_t order) {
    const std::vector<NDArray> outputs = RunNode(node(order), {x});
    EXPECT_EQ(outputs.size(), 2u);
    const auto values = outputs[1].data<int64_t>();
    return Ints(values.begin(), values.end());
  };
  EXPECT_EQ(indices(0), (Ints{4, 1, 7, 8, 9, 15}));
  EXPECT_EQ(indices(1), (Ints{1, 2, 7, 8, 10, 15}));
}

// max_pool2d does not support float64; the result is a maximum of slices.
TEST(SpatialTest, MaxPoolOfDoubles) {
  const NDArray x = NDArray::FromVector<double>({1, 1, 4}, {1, 1e-300, -1, -2});
  const auto outputs = RunNode(OneNode("MaxPool", 12)
                                   .Data({1, 1, 4}, onnx::TensorProto::DOUBLE)
                                   .Ints("kernel_shape", {2})
                                   .Ints("pads", {0, 1}),
                               {x});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_TRUE(BitwiseEqual(
      outputs[0], NDArray::FromVector<double>({1, 1, 4}, {1, 1e-300, -1, -2})));
}

TEST(SpatialTest, GlobalPoolsOfAnyRank) {
  const NDArray x = NDArray::FromVector<float>({1, 2, 3}, {1, -2, 3, 4, -8, 1});
  const auto node = [](const char* type) {
    return OneNode(type, 7).Data({1, 2, 3});
  };
  ExpectNear(RunFloats(node("GlobalAveragePool"), {x}), {2.0f / 3, -1});
  EXPECT_EQ(RunFloats(node("GlobalMaxPool"), {x}), (std::vector<float>{3, 4}));
  EXPECT_EQ(RunFloats(node("GlobalLpPool"), {x}),
            (std::vector<float>{std::sqrt(14.0f), 9}));
  EXPECT_EQ(RunFloats(node("GlobalLpPool").Int("p", 1), {x}),
            (std::vector<float>{6, 13}));
}

OneNode Unpool(const Shape& x, const NDArray& indices, const Ints& kernel) {
  return OneNode("MaxUnpool", 11)
      .Data(x)
      .Constant(indices)
      .Ints("kernel_shape", kernel)
      .Ints("strides", Ints(kernel.size(), 2));
}

TEST(SpatialTest, MaxUnpool) {
  const NDArray x = NDArray::FromVector<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const NDArray indices =
      NDArray::FromVector<int64_t>({1, 1, 2, 2}, {5, 7, 13, 15});
  const OneNode node = Unpool({1, 1, 2, 2}, indices, {2, 2});
  EXPECT_EQ(RunFloats(node, {x}), (std::vector<float>{0, 0, 0, 0, 0, 1, 0, 2, 0,
                                                      0, 0, 0, 0, 3, 0, 4}));
  // The indices are positions in 4 rows and 4 columns.
  EXPECT_EQ(RunFloats(OneNode(node).Int64s({1, 1, 4, 5}), {x}),
            (std::vector<float>{0, 0, 0, 0, 0, 0, 1, 0, 2, 0,
                                0, 0, 0, 0, 0, 0, 3, 0, 4, 0}));
}

// The windows of two elements out of three, with one element of padding on both
// sides.
TEST(SpatialTest, MaxUnpoolWithPads) {
  const NDArray x = NDArray::FromVector<float>({1, 2, 2}, {1, 2, 3, 4});
  const NDArray indices = NDArray::FromVector<int64_t>({1, 2, 2}, {0, 2, 4, 5});
  const OneNode node = Unpool({1, 2, 2}, indices, {3}).Ints("pads", {1, 1});
  EXPECT_EQ(RunFloats(node, {x}), (std::vector<float>{1, 0, 2, 0, 3, 4}));
  EXPECT_EQ(OneNode(node).Int64s({1, 2, 3}).Text(),
            "error: node `n` (MaxUnpool): attribute `pads` and input 2 "
            "(output_shape) are not supported together");
}

TEST(SpatialTest, MaxUnpoolErrors) {
  const NDArray indices = NDArray(DType::Int64(), {1, 1, 2});
  const OneNode node = Unpool({1, 1, 2}, indices, {2});
  EXPECT_EQ(OneNode(node).Int64s({1, 1, 3}).Text(),
            "error: node `n` (MaxUnpool): input 2 (output_shape) is [1,1,3], "
            "which cannot hold the unpooled data [1,1,4]");
  EXPECT_EQ(OneNode(node).Ints("pads", {2, 2}).Text(),
            "error: node `n` (MaxUnpool): the pads [2,2] leave no elements of "
            "axis 2");
  EXPECT_EQ(Unpool({1, 1, 3}, indices, {2}).Text(),
            "error: node `n` (MaxUnpool): input 1 (I) is int64[1,1,2] but the "
            "data is float32[1,1,3]");
}

}  // namespace
}  // namespace assay::frontend
