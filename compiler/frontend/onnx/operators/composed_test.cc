// Operators that are compositions: normalizations, Einsum, losses, Det, and
// those of opset 6, compared with loops over their definitions or with values
// computed by hand.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

using Floats = std::vector<float>;

NDArray Array(const Shape& shape, const Floats& values) {
  return NDArray::FromVector<float>(shape, values);
}

void ExpectNear(const NDArray& actual, const Floats& expected,
                float tolerance = 1e-5f) {
  ASSERT_EQ(actual.num_elements(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(actual.data<float>()[i], expected[i],
                tolerance * (1 + std::abs(expected[i])))
        << i;
  }
}

// (value - mean) / deviation for each row of `size` values.
Floats Normalised(const Floats& x, size_t size, float epsilon) {
  Floats y;
  for (size_t begin = 0; begin < x.size(); begin += size) {
    double sum = 0, squares = 0;
    for (size_t i = begin; i < begin + size; ++i) {
      sum += x[i];
      squares += double{x[i]} * x[i];
    }
    const double mean = sum / size, variance = squares / size - mean * mean;
    for (size_t i = begin; i < begin + size; ++i) {
      y.push_back(
          static_cast<float>((x[i] - mean) / std::sqrt(variance + epsilon)));
    }
  }
  return y;
}

const Floats kEight = {1, 4, -2, 7, 0, 3, 5, -6};

TEST(NormalizationTest, InstanceNormalization) {
  Floats expected = Normalised(kEight, 4, 0.5f);
  for (size_t i = 0; i < 8; ++i)
    expected[i] = i < 4 ? expected[i] * 2 + 10 : expected[i] * 3 + 20;
  ExpectNear(RunNode(OneNode("InstanceNormalization", 7)
                         .Data({1, 2, 2, 2})
                         .Constant(Array({2}, {2, 3}))
                         .Constant(Array({2}, {10, 20}))
                         .Float("epsilon", 0.5f),
                     {Array({1, 2, 2, 2}, kEight)})[0],
             expected);
}

// Two groups of two channels: one parameter for a group, and since opset 21 one
// for a channel.
TEST(NormalizationTest, GroupNormalizationByOpset) {
  const auto node = [](int opset, const Floats& scale, const Floats& bias) {
    const auto n = static_cast<int64_t>(scale.size());
    return OneNode("GroupNormalization", opset)
        .Data({1, 4, 2})
        .Constant(Array({n}, scale))
        .Constant(Array({n}, bias))
        .Int("num_groups", 2)
        .Float("epsilon", 0.5f);
  };
  const NDArray x = Array({1, 4, 2}, kEight);
  Floats groups = Normalised(kEight, 4, 0.5f), channels = groups;
  for (size_t i = 0; i < 8; ++i) {
    groups[i] = groups[i] * (i < 4 ? 2 : 3) + (i < 4 ? 10 : 20);
    channels[i] = channels[i] * static_cast<float>(i / 2 + 1) - 1;
  }
  ExpectNear(RunNode(node(18, {2, 3}, {10, 20}), {x})[0], groups);
  ExpectNear(RunNode(node(21, {1, 2, 3, 4}, {-1, -1, -1, -1}), {x})[0],
             channels);
  EXPECT_EQ(node(21, {2, 3}, {10, 20}).Text(),
            "error: node `n` (GroupNormalization): input 1 is float32[2] but 4 "
            "values are needed");
}

TEST(NormalizationTest, LayerNormalizationWithAllResults) {
  OneNode node = OneNode("LayerNormalization", 17)
                     .Data({2, 2, 2})
                     .Constant(Array({2, 2}, {1, 2, 3, 4}))
                     .Int("axis", 1)
                     .Float("epsilon", 0.5f)
                     .Result("mean")
                     .Result("inverse");
  for (const char* name : {"mean", "inverse"}) {
    node.model().mutable_graph()->add_output()->set_name(name);
  }
  const auto outputs = RunNode(node, {Array({2, 2, 2}, kEight)});
  ASSERT_EQ(outputs.size(), 3u);
  Floats expected = Normalised(kEight, 4, 0.5f);
  for (size_t i = 0; i < 8; ++i) expected[i] *= static_cast<float>(i % 4 + 1);
  ExpectNear(outputs[0], expected);
  EXPECT_EQ(outputs[1].shape(), (Shape{2, 1, 1}));
  ExpectNear(outputs[1], {2.5f, 0.5f});
  // Mean squares 17.5 and 17.5, less 6.25 and 0.25.
  ExpectNear(outputs[2], {1 / std::sqrt(11.75f), 1 / std::sqrt(17.75f)});
}

// Three channels around each, fewer at the ends.
TEST(NormalizationTest, Lrn) {
  const Floats x = {1, 2, -3, 4};
  Floats expected;
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int j = std::max(i - 1, 0); j <= std::min(i + 1, 3); ++j) {
      sum += x[j] * x[j];
    }
    expected.push_back(x[i] / std::pow(2 + 0.5f / 3 * sum, 0.25f));
  }
  ExpectNear(RunNode(OneNode("LRN", 13)
                         .Data({1, 4, 1, 1})
                         .Int("size", 3)
                         .Float("alpha", 0.5f)
                         .Float("beta", 0.25f)
                         .Float("bias", 2),
                     {Array({1, 4, 1, 1}, x)})[0],
             expected);
}

TEST(NormalizationTest, LpNormalizationOfZerosIsZero) {
  const NDArray x = Array({2, 2}, {3, -4, 0, 0});
  const auto node = [] { return OneNode("LpNormalization", 7).Data({2, 2}); };
  ExpectNear(RunNode(node(), {x})[0], {0.6f, -0.8f, 0, 0});
  ExpectNear(RunNode(node().Int("p", 1).Int("axis", 0), {x})[0], {1, -1, 0, 0});
}

TEST(NormalizationTest, MeanVarianceNormalization) {
  ExpectNear(RunNode(OneNode("MeanVarianceNormalization", 13)
                         .Data({2, 4})
                         .Ints("axes", {-1}),
                     {Array({2, 4}, kEight)})[0],
             Normalised(kEight, 4, 0));
}

// The mean of the batch is 3 and its variance 4.
TEST(NormalizationTest, BatchNormalizationInTraining) {
  OneNode node = OneNode("BatchNormalization", 14)
                     .Data({2, 1})
                     .Constant(Array({1}, {10}))
                     .Constant(Array({1}, {1}))
                     .Constant(Array({1}, {5}))
                     .Constant(Array({1}, {8}))
                     .Float("epsilon", 0)
                     .Float("momentum", 0.75f)
                     .Int("training_mode", 1)
                     .Result("mean")
                     .Result("variance");
  for (const char* name : {"mean", "variance"}) {
    node.model().mutable_graph()->add_output()->set_name(name);
  }
  const auto outputs = RunNode(node, {Array({2, 1}, {1, 5})});
  ASSERT_EQ(outputs.size(), 3u);
  ExpectNear(outputs[0], {-9, 11});
  ExpectNear(outputs[1], {4.5f});
  ExpectNear(outputs[2], {7});
}

// Statistics that are inputs of the graph.
TEST(NormalizationTest, BatchNormalizationOfInputs) {
  OneNode node = OneNode("BatchNormalization", 9).Data({1, 2, 1});
  for (int i = 0; i < 4; ++i) node.Data({2});
  ExpectNear(
      RunNode(node.Float("epsilon", 0),
              {Array({1, 2, 1}, {5, 6}), Array({2}, {2, 3}),
               Array({2}, {1, -1}), Array({2}, {3, 6}), Array({2}, {4, 1})})[0],
      {3, -1});
}

// The sum of products of operand elements over all indices that are not in the
// result.
Floats NaiveEinsum(const std::vector<std::string>& operands,
                   const std::string& result,
                   const std::vector<NDArray>& values) {
  std::map<char, int64_t> extents;
  for (size_t i = 0; i < operands.size(); ++i) {
    for (size_t d = 0; d < operands[i].size(); ++d) {
      int64_t& extent = extents[operands[i][d]];
      extent = std::max(extent, values[i].shape()[d]);
    }
  }
  std::string names;
  Shape all, to;
  for (const auto& [name, extent] : extents) {
    names.push_back(name);
    all.push_back(extent);
  }
  for (const char name : result) to.push_back(extents[name]);
  Floats sums(NumElements(to), 0.0f);
  for (const Shape& index : IndicesOf(all)) {
    const auto place = [&](const std::string& axes, const Shape& shape) {
      Shape at;
      for (size_t d = 0; d < axes.size(); ++d) {
        const int64_t i = index[names.find(axes[d])];
        at.push_back(shape[d] == 1 ? 0 : i);
      }
      return PlaceOf(at, shape);
    };
    float product = 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      product *= values[i].data<float>()[place(operands[i], values[i].shape())];
    }
    sums[place(result, to)] += product;
  }
  return sums;
}

struct EinsumCase {
  const char* equation;
  // The same, with a letter for each axis.
  std::vector<std::string> operands;
  std::string result;
  std::vector<Shape> shapes;
};

TEST(EinsumTest, AgainstTheDefinition) {
  const EinsumCase cases[] = {
      {"ij,jk->ik", {"ij", "jk"}, "ik", {{2, 3}, {3, 4}}},
      {"ij,jk", {"ij", "jk"}, "ik", {{2, 3}, {3, 4}}},
      {"ba", {"ba"}, "ab", {{2, 3}}},
      {"i,j->ij", {"i", "j"}, "ij", {{2}, {3}}},
      {"ij->", {"ij"}, "", {{2, 3}}},
      {"ii->i", {"ii"}, "i", {{3, 3}}},
      {"iijj->ji", {"iijj"}, "ji", {{3, 3, 2, 2}}},
      {"ii", {"ii"}, "", {{3, 3}}},
      {"... i i -> ...i", {"abii"}, "abi", {{2, 2, 3, 3}}},
      {"...ij,...jk->...ik",
       {"aij", "bajk"},
       "baik",
       {{2, 3, 2}, {2, 2, 2, 2}}},
      {"...ij,jk", {"aij", "jk"}, "aik", {{2, 3, 2}, {2, 2}}},
      {"bij,bjk->bik", {"bij", "bjk"}, "bik", {{1, 2, 3}, {2, 3, 2}}},
      {"ij,ij->i", {"ij", "ij"}, "i", {{2, 3}, {2, 3}}},
      {"ij,kl->j", {"ij", "kl"}, "j", {{2, 3}, {2, 2}}},
      {"ab,bc,cd->ad", {"ab", "bc", "cd"}, "ad", {{2, 3}, {3, 2}, {2, 4}}},
      {"a,ab,abc->cb", {"a", "ab", "abc"}, "cb", {{2}, {2, 3}, {2, 3, 2}}},
  };
  for (const EinsumCase& c : cases) {
    SCOPED_TRACE(c.equation);
    OneNode node("Einsum", 12);
    std::vector<NDArray> values;
    for (size_t i = 0; i < c.shapes.size(); ++i) {
      node.Data(c.shapes[i]);
      values.push_back(WholeNumbers(c.shapes[i], i + 1));
    }
    EXPECT_EQ(RunFloats(node.String("equation", c.equation), values),
              NaiveEinsum(c.operands, c.result, values));
  }
}

TEST(EinsumTest, Errors) {
  const auto text = [](const char* equation) {
    return OneNode("Einsum", 12)
        .Data({2, 3})
        .Data({4, 2})
        .String("equation", equation)
        .Text();
  };
  EXPECT_EQ(text("ij->ij"),
            "error: node `n` (Einsum): the equation is `ij->ij` but "
            "there are 2 operands");
  EXPECT_EQ(text("ij,jk->ik"),
            "error: node `n` (Einsum): operand 1 is float32[4,2] but its axis "
            "0 has 3 elements elsewhere");
  EXPECT_EQ(text("ij,kj->m"),
            "error: node `n` (Einsum): the equation is `ij,kj->m`, "
            "whose result has an index that no operand has");
  EXPECT_EQ(text("i,kj->k"),
            "error: node `n` (Einsum): the equation is `i,kj->k` but "
            "operand 0 is float32[2,3]");
}

const NDArray kTargets = NDArray::FromVector<int64_t>({3}, {1, 0, 2});

OneNode Loss(const char* type, const char* reduction) {
  return OneNode(type, 13)
      .Data({3, 3})
      .Data({3}, onnx::TensorProto::INT64)
      .String("reduction", reduction);
}

TEST(LossTest, NegativeLogLikelihood) {
  const NDArray x = Array({3, 3}, {-1, -2, -3, -4, -5, -6, -7, -8, -9});
  const auto loss = [&](const char* reduction) {
    return Loss("NegativeLogLikelihoodLoss", reduction);
  };
  const NDArray weights = Array({3}, {1, 10, 100});
  ExpectNear(RunNode(loss("none"), {x, kTargets})[0], {2, 4, 9});
  ExpectNear(RunNode(loss("sum"), {x, kTargets})[0], {15});
  ExpectNear(RunNode(loss("mean"), {x, kTargets})[0], {5});
  ExpectNear(RunNode(loss("none").Constant(weights), {x, kTargets})[0],
             {20, 4, 900});
  ExpectNear(RunNode(loss("mean").Constant(weights), {x, kTargets})[0],
             {924.0f / 111});
  ExpectNear(RunNode(loss("mean").Constant(weights).Int("ignore_index", 2),
                     {x, kTargets})[0],
             {24.0f / 11});
  // An index that no class has.
  const NDArray odd = NDArray::FromVector<int64_t>({3}, {1, -9, 2});
  ExpectNear(RunNode(loss("mean").Int("ignore_index", -9), {x, odd})[0],
             {5.5f});
  // The score of the ignored class has no influence.
  const float inf = std::numeric_limits<float>::infinity();
  const NDArray never = Array({3, 3}, {-1, -2, -3, -inf, -5, -6, -7, -8, -9});
  ExpectNear(RunNode(loss("mean").Int("ignore_index", 0), {never, kTargets})[0],
             {5.5f});
}

TEST(LossTest, SoftmaxCrossEntropyOfImages) {
  const NDArray x = Array({1, 2, 2}, {0, 1, std::log(3.0f), 1});
  const NDArray targets = NDArray::FromVector<int32_t>({1, 2}, {1, 0});
  OneNode node = OneNode("SoftmaxCrossEntropyLoss", 12)
                     .Data({1, 2, 2})
                     .Data({1, 2}, onnx::TensorProto::INT32)
                     .String("reduction", "none")
                     .Result("scores");
  node.model().mutable_graph()->add_output()->set_name("scores");
  const auto outputs = RunNode(node, {x, targets});
  ASSERT_EQ(outputs.size(), 2u);
  const float half = std::log(0.5f);
  ExpectNear(outputs[0], {-std::log(0.75f), -half});
  ExpectNear(outputs[1], {std::log(0.25f), half, std::log(0.75f), half});
}

TEST(DetTest, UpToFour) {
  const auto det = [](int64_t n, const Floats& values) {
    return RunNode(OneNode("Det", 11).Data({1, n, n}),
                   {Array({1, n, n}, values)})[0];
  };
  ExpectNear(det(1, {-3}), {-3});
  ExpectNear(det(2, {1, 2, 3, 4}), {-2});
  ExpectNear(det(3, {2, -3, 1, 2, 0, -1, 1, 4, 5}), {49});
  ExpectNear(det(4, {1, 0, 2, -1, 3, 0, 0, 5, 2, 1, 4, -3, 1, 0, 5, 0}), {30});
  EXPECT_EQ(OneNode("Det", 11).Data({5, 5}).Text(),
            "error: node `n` (Det): determinants of order 5 are not supported; "
            "1 to 4 are");
}

TEST(Opset6Test, SecondOperandIsAlignedAtAxis) {
  const NDArray x = Array({2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0});
  const NDArray b = Array({2}, {1, 2});
  const auto node = [] { return OneNode("Add", 6).Data({2, 2, 2}).Data({2}); };
  ExpectNear(RunNode(node().Int("broadcast", 1), {x, b})[0],
             {1, 2, 1, 2, 1, 2, 1, 2});
  ExpectNear(RunNode(node().Int("broadcast", 1).Int("axis", 1), {x, b})[0],
             {1, 1, 2, 2, 1, 1, 2, 2});
  EXPECT_EQ(node().Text(),
            "error: node `n` (Add): operands are float32[2,2,2] and float32[2] "
            "but attribute `broadcast` is 0, with which they have equal "
            "extents");
  EXPECT_EQ(node().Int("broadcast", 1).Int("axis", 3).Text(),
            "error: node `n` (Add): attribute `axis` is 3 but float32[2] has "
            "no place there in float32[2,2,2]");
}

TEST(Opset6Test, SlopesArePerChannel) {
  const NDArray x = Array({1, 2, 2}, {-1, -2, -3, 4});
  const auto node = [](const Shape& slope) {
    return OneNode("PRelu", 6).Data({1, 2, 2}).Data(slope);
  };
  ExpectNear(RunNode(node({2}), {x, Array({2}, {2, 10})})[0], {-2, -4, -30, 4});
  ExpectNear(RunNode(node({1}), {x, Array({1}, {2})})[0], {-2, -4, -6, 4});
}

TEST(Opset6Test, OtherOperatorsHaveMeaningOfOpset7) {
  EXPECT_EQ(OneNode("Relu", 6).Data({2}).Text(),
            OneNode("Relu", 7).Data({2}).Text());
  EXPECT_EQ(OneNode("Dropout", 6).Data({2}).Text(),
            "error: node `n` (Dropout): attribute `is_test` is 0; only "
            "inference is supported");
  EXPECT_EQ(OneNode("Relu", 5).Data({2}).Text(),
            "error: node `n` (Relu): operator `Relu` as opset 1 defines it is "
            "not supported");
  EXPECT_EQ(OneNode("Softplus", 1).Data({2}).Text(),
            OneNode("Softplus", 7).Data({2}).Text());
}

}  // namespace
}  // namespace assay::frontend
