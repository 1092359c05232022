// Models with one node of another domain: how they are imported, and values
// that are compared with loops over the definitions.
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/frontend/onnx/contrib/testing/float_array.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/testing/one_node.h"
#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {
namespace {

using Floats = std::vector<float>;
using onnx::TensorProto;

constexpr int kOpset = 13;

OneNode Microsoft(const char* op_type) {
  OneNode node(op_type, kOpset);
  node.Domain("com.microsoft");
  return node;
}

// A node of a model that imports no opset of `ai.onnx`.
OneNode Training(const char* op_type) {
  OneNode node(op_type, kOpset);
  node.Domain("ai.onnx.preview.training");
  node.model().mutable_opset_import()->DeleteSubrange(0, 1);
  return node;
}

template <typename T>
NDArray Array(const Shape& shape, const std::vector<T>& values) {
  return NDArray::FromVector<T>(shape, values);
}

TEST(ImportTest, NamesNodesAfterTheOperator) {
  EXPECT_EQ(Microsoft("BiasGelu").Data({2, 3}).Data({3}).Text(),
            "%2: float32[2,3] = add(%x0, %x1) \"n/Add_0\"\n"
            "%3: float32[2,3] = gelu(%2) \"n/Gelu_1\"");
  // The opset of the model is older than that of the body.
  EXPECT_EQ(OneNode("Gelu", 7).Domain("com.microsoft").Data({2}).Text(),
            "%1: float32[2] = gelu(%x0) \"n/Gelu_0\"");
}

TEST(ImportTest, AcceptsImportsOfDomainsThatAreNotUsed) {
  OneNode node("Relu", kOpset);
  for (const char* domain : {"com.microsoft", "com.microsoft.nchwc",
                             "ai.onnx.ml", "ai.onnx.training"}) {
    onnx::OperatorSetIdProto* import = node.model().add_opset_import();
    import->set_domain(domain);
    import->set_version(1);
  }
  EXPECT_EQ(node.Data({2}).Text(), "%1: float32[2] = relu(%x0) \"n\"");
}

TEST(ImportTest, NeedsOpsetOnlyForNodesOfOnnx) {
  OneNode node = Training("Momentum");
  node.node().set_domain("");
  node.node().set_op_type("Relu");
  EXPECT_EQ(node.Data({2}).Text(),
            "error: the model imports no opset of `ai.onnx`");
}

TEST(ImportTest, RefusesResultThatIsNotComputed) {
  OneNode node = Microsoft("SkipLayerNormalization");
  node.Data({2, 4}).Data({2, 4}).Weights({4}).Weights({4});
  EXPECT_EQ(OneNode(node).Output("mean").Text(),
            "error: node `n` (SkipLayerNormalization): result 1 `mean` is "
            "used, which is not supported");
  // Results that nothing reads do not matter.
  node.Result("mean").Result("").Output("sum");
  EXPECT_EQ(node.Text(),
            "%4: float32[2,4] = add(%x0, %x1) \"n/Add_0\"\n"
            "%5: float32[2,4] = layer_norm(%4, %0, %1) {axis=1, "
            "epsilon=1e-12} \"n/LayerNormalization_1\"");
}

TEST(ImportTest, NamesTheNodeOfTheBodyInErrors) {
  const std::string text =
      Microsoft("FusedMatMul").Data({2, 3}).Data({4, 5}).Text();
  EXPECT_TRUE(absl::StartsWith(
      text, "error: node `n` (FusedMatMul): node 0 (MatMul, result `%0`): "))
      << text;
  EXPECT_EQ(Microsoft("Inverse").Data({2, 2}).Text(),
            "error: node `n` (Inverse): operator `Inverse` of the domain "
            "`com.microsoft` is not supported");
}

// softmax(q * k^T / sqrt(size) + bias(batch, head, query, key)) * v for q of
// shape [batch, queries, width], and for keys and values likewise.
template <typename Bias>
Floats AttentionOf(const NDArray& q, const NDArray& k, const NDArray& v,
                   int64_t heads, const Bias& bias) {
  const int64_t size = q.shape()[2] / heads, value_size = v.shape()[2] / heads;
  NDArray y(DType::Float32(), {q.shape()[0], q.shape()[1], v.shape()[2]});
  for (const Shape& i : IndicesOf({q.shape()[0], q.shape()[1], heads})) {
    const int64_t b = i[0], query = i[1], h = i[2];
    std::vector<double> weights;
    double sum = 0;
    for (int64_t key = 0; key < k.shape()[1]; ++key) {
      double score = 0;
      for (int64_t c = h * size; c < (h + 1) * size; ++c) {
        score += At(q, {b, query, c}) * At(k, {b, key, c});
      }
      score =
          score / std::sqrt(static_cast<double>(size)) + bias(b, h, query, key);
      weights.push_back(std::exp(score));
      sum += weights.back();
    }
    for (int64_t c = h * value_size; c < (h + 1) * value_size; ++c) {
      double value = 0;
      for (size_t key = 0; key < weights.size(); ++key) {
        value += weights[key] * At(v, {b, static_cast<int64_t>(key), c}) / sum;
      }
      y.data<float>()[static_cast<size_t>(PlaceOf({b, query, c}, y.shape()))] =
          static_cast<float>(value);
    }
  }
  return ToFloats(y);
}

// Columns `begin` to `end` of x * w + bias.
NDArray Projected(const NDArray& x, const NDArray& w, const NDArray& bias,
                  int64_t begin, int64_t end) {
  NDArray y(DType::Float32(), {x.shape()[0], x.shape()[1], end - begin});
  for (const Shape& i : IndicesOf(y.shape())) {
    double sum = At(bias, {begin + i[2]});
    for (int64_t c = 0; c < x.shape()[2]; ++c) {
      sum += At(x, {i[0], i[1], c}) * At(w, {c, begin + i[2]});
    }
    y.data<float>()[static_cast<size_t>(PlaceOf(i, y.shape()))] =
        static_cast<float>(sum);
  }
  return y;
}

TEST(AttentionTest, MaskedAndUnidirectional) {
  const NDArray x = Eighths({2, 3, 4}, 1), w = Eighths({4, 12}, 2),
                bias = Eighths({12}, 3);
  const std::vector<int32_t> mask = {1, 1, 0, 1, 0, 1};
  OneNode node = Microsoft("Attention");
  node.Data({2, 3, 4}).Constant(w).Constant(bias);
  node.Constant(Array<int32_t>({2, 3}, mask));
  node.Int("num_heads", 2).Int("unidirectional", 1);
  const NDArray q = Projected(x, w, bias, 0, 4),
                k = Projected(x, w, bias, 4, 8),
                v = Projected(x, w, bias, 8, 12);
  ExpectNear(RunFloats(node, {x}),
             AttentionOf(q, k, v, 2,
                         [&](int64_t b, int64_t, int64_t query, int64_t key) {
                           const auto i = static_cast<size_t>(3 * b + key);
                           return mask[i] == 0 || key > query ? -1e30 : 0.0;
                         }));
}

TEST(AttentionTest, RangesOfKeysAndOtherWidthOfValues) {
  const NDArray x = Eighths({2, 3, 4}, 1), w = Eighths({4, 14}, 2),
                zero(DType::Float32(), {14});
  // The ends of both sequences, then the begins.
  const std::vector<int32_t> ranges = {3, 2, 1, 0};
  OneNode node = Microsoft("Attention");
  node.Data({2, 3, 4}).Constant(w).LeaveOut();
  node.Constant(Array<int32_t>({4}, ranges));
  node.Int("num_heads", 2).Ints("qkv_hidden_sizes", {4, 4, 6});
  node.Float("mask_filter_value", -2);
  const NDArray q = Projected(x, w, zero, 0, 4),
                k = Projected(x, w, zero, 4, 8),
                v = Projected(x, w, zero, 8, 14);
  ExpectNear(
      RunFloats(node, {x}),
      AttentionOf(q, k, v, 2, [&](int64_t b, int64_t, int64_t, int64_t key) {
        const auto i = static_cast<size_t>(b);
        const bool reads = key < ranges[i] && key >= ranges[i + 2];
        return reads ? 0.0 : -2.0;
      }));
}

TEST(AttentionTest, MultiHeadWithBiases) {
  const NDArray query = Eighths({2, 3, 4}, 1), key = Eighths({2, 5, 4}, 2),
                value = Eighths({2, 5, 6}, 3), bias = Eighths({14}, 4),
                scores = Eighths({1, 2, 3, 5}, 5);
  const std::vector<int32_t> lengths = {4, 5};
  OneNode node = Microsoft("MultiHeadAttention");
  node.Data({2, 3, 4}).Data({2, 5, 4}).Data({2, 5, 6}).Constant(bias);
  node.Constant(Array<int32_t>({2}, lengths)).Constant(scores);
  node.Int("num_heads", 2);
  const auto biased = [&](const NDArray& x, int64_t begin) {
    NDArray y = x.Clone();
    for (const Shape& i : IndicesOf(x.shape())) {
      y.data<float>()[static_cast<size_t>(PlaceOf(i, x.shape()))] +=
          static_cast<float>(At(bias, {begin + i[2]}));
    }
    return y;
  };
  ExpectNear(RunFloats(node, {query, key, value}),
             AttentionOf(biased(query, 0), biased(key, 4), biased(value, 8), 2,
                         [&](int64_t b, int64_t h, int64_t q, int64_t k) {
                           const auto i = static_cast<size_t>(b);
                           return (k < lengths[i] ? 0.0 : -10000.0) +
                                  At(scores, {0, h, q, k});
                         }));
}

TEST(NormalizationTest, EmbedLayerNormalization) {
  const NDArray words = Eighths({6, 4}, 1), positions = Eighths({3, 4}, 2),
                segments = Eighths({2, 4}, 3), gamma = Eighths({4}, 4),
                beta = Eighths({4}, 5);
  const std::vector<int32_t> ids = {5, 0, 2, 2}, segment = {0, 1, 1, 0};
  OneNode node = Microsoft("EmbedLayerNormalization");
  node.Data({2, 2}, TensorProto::INT32).Data({2, 2}, TensorProto::INT32);
  node.Constant(words).Constant(positions).Constant(segments);
  node.Constant(gamma).Constant(beta).Data({2, 2}, TensorProto::INT32);
  node.Float("epsilon", 0.25f).Output("index").Output("sum");
  const std::vector<NDArray> results = RunNode(
      node, {Array<int32_t>({2, 2}, ids), Array<int32_t>({2, 2}, segment),
             Array<int32_t>({2, 2}, {1, 1, 1, 0})});
  ASSERT_EQ(results.size(), 3u);
  Floats sums, expected;
  for (size_t row = 0; row < 4; ++row) {
    std::vector<double> sum;
    double mean = 0, variance = 0;
    for (int64_t c = 0; c < 4; ++c) {
      const int64_t position = static_cast<int64_t>(row) % 2;
      sum.push_back(At(words, {ids[row], c}) + At(positions, {position, c}) +
                    At(segments, {segment[row], c}));
      sums.push_back(static_cast<float>(sum.back()));
      mean += sum.back() / 4;
    }
    for (const double value : sum) variance += (value - mean) * (value - mean);
    const double deviation = std::sqrt(variance / 4 + 0.25);
    for (int64_t c = 0; c < 4; ++c) {
      const double value = (sum[static_cast<size_t>(c)] - mean) / deviation;
      expected.push_back(
          static_cast<float>(value * At(gamma, {c}) + At(beta, {c})));
    }
  }
  ExpectNear(ToFloats(results[0]), expected);
  ExpectNear(ToFloats(results[2]), sums);
  EXPECT_TRUE(BitwiseEqual(results[1], Array<int32_t>({2}, {2, 1})));
}

TEST(NormalizationTest, SimplifiedLayerNormalization) {
  const NDArray x = Eighths({2, 3}, 1), scale = Eighths({3}, 2);
  OneNode node("SimplifiedLayerNormalization", kOpset);
  node.Data({2, 3}).Constant(scale).Float("epsilon", 0.5f);
  Floats expected;
  for (int64_t row = 0; row < 2; ++row) {
    double squares = 0;
    for (int64_t c = 0; c < 3; ++c)
      squares += At(x, {row, c}) * At(x, {row, c});
    for (int64_t c = 0; c < 3; ++c) {
      expected.push_back(static_cast<float>(At(x, {row, c}) * At(scale, {c}) /
                                            std::sqrt(squares / 3 + 0.5)));
    }
  }
  ExpectNear(RunFloats(node, {x}), expected);
}

// A node MatMulNBits with 20 rows and 3 columns in blocks of 16. Row 20 on of
// each column is padding.
OneNode MatMulNBits(int64_t bits, const std::vector<uint8_t>& bytes,
                    const NDArray& scales) {
  OneNode node = Microsoft("MatMulNBits");
  node.Data({2, 20}).Constant(Array<uint8_t>({3, 2, 2 * bits}, bytes));
  node.Constant(scales).Int("K", 20).Int("N", 3).Int("bits", bits);
  node.Int("block_size", 16).Int("accuracy_level", 4);
  return node;
}

std::vector<uint8_t> SomeBytes(size_t count) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < count; ++i) {
    bytes.push_back(static_cast<uint8_t>((37 * i + 11) % 256));
  }
  return bytes;
}

// x times the matrix whose element k of column n is (step - zero) * scale.
template <typename Step, typename Zero>
Floats ProductOf(const NDArray& x, const NDArray& scales, const Step& step,
                 const Zero& zero) {
  Floats y;
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t n = 0; n < 3; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < 20; ++k) {
        const double difference = step(n, k) - zero(n, k / 16);
        sum += At(x, {row, k}) * difference * At(scales, {n, k / 16});
      }
      y.push_back(static_cast<float>(sum));
    }
  }
  return y;
}

TEST(MatMulNBitsTest, FourBits) {
  const NDArray x = Eighths({2, 20}, 1), scales = Eighths({3, 2}, 2),
                bias = Eighths({3}, 3);
  const std::vector<uint8_t> bytes = SomeBytes(48);
  const auto step = [&](int64_t n, int64_t k) -> double {
    return (bytes[static_cast<size_t>(16 * n + k / 2)] >> (k % 2 * 4)) & 15;
  };
  ExpectNear(RunFloats(MatMulNBits(4, bytes, scales), {x}),
             ProductOf(x, scales, step, [](int64_t, int64_t) { return 8.0; }));
  // Both zero points of a column are in one byte.
  const std::vector<uint8_t> zeros = {0x73, 0x0f, 0xa1};
  OneNode node = MatMulNBits(4, bytes, scales);
  node.Constant(Array<uint8_t>({3, 1}, zeros)).LeaveOut().Constant(bias);
  Floats expected =
      ProductOf(x, scales, step, [&](int64_t n, int64_t block) -> double {
        return (zeros[static_cast<size_t>(n)] >> (4 * block)) & 15;
      });
  for (size_t i = 0; i < 6; ++i) {
    expected[i] += static_cast<float>(At(bias, {static_cast<int64_t>(i % 3)}));
  }
  ExpectNear(RunFloats(node, {x}), expected);
}

TEST(MatMulNBitsTest, EightBitsAndZeroPointsOfFloat) {
  const NDArray x = Eighths({2, 20}, 1), scales = Eighths({3, 2}, 2),
                zeros = WholeNumbers({3, 2}, 3);
  const std::vector<uint8_t> bytes = SomeBytes(96);
  OneNode node = MatMulNBits(8, bytes, scales);
  node.Constant(zeros);
  ExpectNear(
      RunFloats(node, {x}),
      ProductOf(
          x, scales,
          [&](int64_t n, int64_t k) -> double {
            return bytes[static_cast<size_t>(32 * n + k)];
          },
          [&](int64_t n, int64_t block) { return At(zeros, {n, block}); }),
      1e-4f);
}

TEST(MatMulNBitsTest, RefusesOtherForms) {
  const NDArray scales = Eighths({3, 2}, 2);
  const std::vector<uint8_t> bytes = SomeBytes(48);
  const std::string label = "error: node `n` (MatMulNBits): ";
  EXPECT_EQ(MatMulNBits(4, SomeBytes(48), Eighths({3, 1}, 2)).Text(),
            label +
                "input 2 is float32[3,1] but 6 elements of float32 are "
                "needed");
  EXPECT_EQ(MatMulNBits(2, SomeBytes(24), scales).Text(),
            label + "attribute `bits` is 2; only 4 and 8 are supported");
  OneNode computed = Microsoft("MatMulNBits");
  computed.Data({2, 20}).Data({3, 2, 8}, TensorProto::UINT8).Constant(scales);
  computed.Int("K", 20).Int("N", 3).Int("block_size", 16);
  EXPECT_EQ(computed.Text(),
            label +
                "input 1 is computed when the model runs; only constants "
                "are supported");
  OneNode grouped = MatMulNBits(4, bytes, scales);
  grouped.LeaveOut().Constant(Array<int32_t>({20}, std::vector<int32_t>(20)));
  EXPECT_EQ(grouped.Text(),
            label + "input 4 (g_idx) is given, which is not supported");
}

TEST(MatMulNBitsTest, CountsTheDequantizedMatrix) {
  OneNode node = MatMulNBits(4, SomeBytes(48), Eighths({3, 2}, 2));
  ImportOptions options;
  // Enough for the input and the operands, 232 bytes, and not for 240 more.
  options.max_memory = 400;
  const auto graph = ImportOnnxModel(node.model(), options);
  EXPECT_EQ(graph.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(absl::StrContains(std::string(graph.status().message()),
                                "float32[20,3] needs 240 bytes"))
      << graph.status();
}

TEST(QuantizedTest, QLinearAdd) {
  OneNode node = Microsoft("QLinearAdd");
  const auto scale = [](float value) { return Array<float>({}, {value}); };
  const auto zero = [](uint8_t value) { return Array<uint8_t>({}, {value}); };
  node.Data({4}, TensorProto::UINT8).Constant(scale(0.5f)).Constant(zero(10));
  node.Data({4}, TensorProto::UINT8).Constant(scale(0.25f)).LeaveOut();
  node.Constant(scale(2)).Constant(zero(3));
  const std::vector<NDArray> results =
      RunNode(node, {Array<uint8_t>({4}, {10, 20, 255, 0}),
                     Array<uint8_t>({4}, {0, 8, 255, 4})});
  ASSERT_EQ(results.size(), 1u);
  // 3 + (0 + 0) / 2, (5 + 2) / 2 to even, (122.5 + 63.75) / 2, (-5 + 1) / 2.
  EXPECT_TRUE(BitwiseEqual(results[0], Array<uint8_t>({4}, {3, 7, 96, 1})));
}

TEST(QuantizedTest, QGemm) {
  OneNode node = Microsoft("QGemm");
  node.Data({1, 2}, TensorProto::UINT8).Constant(Array<float>({}, {0.5f}));
  node.Constant(Array<uint8_t>({}, {1}));
  node.Constant(Array<int8_t>({2, 2}, {1, -2, 3, 4}));
  node.Constant(Array<float>({2}, {0.25f, 2}));
  node.Constant(Array<int8_t>({2}, {0, 1}));
  node.Constant(Array<int32_t>({2}, {10, 20})).Float("alpha", 2);
  // The data are 3 and 7, the matrix is 1, -3; 3, 3.
  const Floats expected = {(3 * 1 + 7 * 3 + 10) * 0.5f * 0.25f * 2,
                           (3 * -3 + 7 * 3 + 20) * 0.5f * 2 * 2};
  ExpectNear(RunFloats(node, {Array<uint8_t>({1, 2}, {4, 8})}), expected);
}

struct AdamCase {
  int64_t count;
  double rate;  // after the correction
};

TEST(TrainingTest, Adam) {
  const double alpha = 0.9f, beta = 0.999f;
  const Floats x = {1.2f, 2.8f}, g = {-0.94f, -2.5f}, v = {1.7f, 3.6f},
               h = {0.1f, 0.4f};
  const double later =
      0.1 * std::sqrt(1 - std::pow(beta, 3)) / (1 - std::pow(alpha, 3));
  for (const AdamCase& test : {AdamCase{0, 0.1}, AdamCase{3, later}}) {
    OneNode node = Training("Adam");
    node.Data({}).Data({}, TensorProto::INT64);
    node.Data({2}).Data({2}).Data({2}).Data({2});
    node.Float("norm_coefficient", 0.01f).Float("norm_coefficient_post", 0.25f);
    node.Float("epsilon", 1e-3f).Output("v").Output("h");
    const std::vector<NDArray> results = RunNode(
        node, {Array<float>({}, {0.1f}), Array<int64_t>({}, {test.count}),
               Array({2}, x), Array({2}, g), Array({2}, v), Array({2}, h)});
    ASSERT_EQ(results.size(), 3u);
    Floats new_x, new_v, new_h;
    for (size_t i = 0; i < 2; ++i) {
      const double gradient = 0.01 * x[i] + g[i];
      const double velocity = alpha * v[i] + (1 - alpha) * gradient;
      const double squares = beta * h[i] + (1 - beta) * gradient * gradient;
      const double moved =
          x[i] - test.rate * velocity / (std::sqrt(squares) + 1e-3);
      new_x.push_back(static_cast<float>(0.75 * moved));
      new_v.push_back(static_cast<float>(velocity));
      new_h.push_back(static_cast<float>(squares));
    }
    ExpectNear(ToFloats(results[0]), new_x);
    ExpectNear(ToFloats(results[1]), new_v);
    ExpectNear(ToFloats(results[2]), new_h);
  }
}

TEST(TrainingTest, AdagradOfTwoTensors) {
  OneNode node = Training("Adagrad");
  node.Data({}).Data({}, TensorProto::INT64);
  for (int i = 0; i < 3; ++i) node.Data({1}).Data({2});
  node.Float("decay_factor", 0.5f).Float("epsilon", 0.25f);
  node.Output("new_x2").Output("new_h1").Output("new_h2");
  const std::vector<NDArray> results =
      RunNode(node, {Array<float>({}, {0.5f}), Array<int64_t>({}, {2}),
                     Array<float>({1}, {1}), Array<float>({2}, {2, 3}),
                     Array<float>({1}, {4}), Array<float>({2}, {-3, 0}),
                     Array<float>({1}, {9}), Array<float>({2}, {16, 1})});
  ASSERT_EQ(results.size(), 4u);
  // The rate is 0.5 / (1 + 2 * 0.5).
  ExpectNear(ToFloats(results[0]), {1 - 0.25f * 4 / 5.25f});
  ExpectNear(ToFloats(results[1]), {2 + 0.25f * 3 / 5.25f, 3});
  ExpectNear(ToFloats(results[2]), {25});
  ExpectNear(ToFloats(results[3]), {25, 1});
}

TEST(TrainingTest, NesterovMomentum) {
  for (const int64_t count : {0, 1}) {
    OneNode node = Training("Momentum");
    node.Data({}).Data({}, TensorProto::INT64).Data({1}).Data({1}).Data({1});
    node.Float("alpha", 0.5f).Float("beta", 0.25f);
    node.Float("norm_coefficient", 0.5f).String("mode", "nesterov").Output("v");
    const std::vector<NDArray> results =
        RunNode(node, {Array<float>({}, {0.1f}), Array<int64_t>({}, {count}),
                       Array<float>({1}, {2}), Array<float>({1}, {3}),
                       Array<float>({1}, {8})});
    ASSERT_EQ(results.size(), 2u);
    const float gradient = 0.5f * 2 + 3;
    const float v = 0.5f * 8 + (count == 0 ? 1 : 0.25f) * gradient;
    ExpectNear(ToFloats(results[1]), {v});
    ExpectNear(ToFloats(results[0]), {2 - 0.1f * (gradient + 0.5f * v)});
  }
}

}  // namespace
}  // namespace assay::frontend
