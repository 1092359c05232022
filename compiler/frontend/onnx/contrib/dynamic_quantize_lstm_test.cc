// DynamicQuantizeLSTM, compared with a loop over the definition.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/frontend/onnx/contrib/testing/float_array.h"
#include "compiler/frontend/onnx/testing/one_node.h"
#include "compiler/frontend/onnx/testing/run_node.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/element.h"

namespace assay::frontend {
namespace {

using Floats = std::vector<float>;

constexpr int64_t kSteps = 4, kBatch = 2, kInputs = 3, kHidden = 2;
constexpr int64_t kColumns = 4 * kHidden;

OneNode DynamicQuantizeLstm() {
  OneNode node("DynamicQuantizeLSTM", 13);
  node.Domain("com.microsoft");
  return node;
}

// The form of the weights of a DynamicQuantizeLSTM.
struct LstmCase {
  bool is_signed = false;
  bool per_column = false;
  bool constant = true;
};

// Weights of both directions, [2, rows, kColumns], and their scales and zero
// points.
struct LstmWeights {
  NDArray stored, scales, zeros;

  double At(int64_t direction, int64_t row, int64_t column) const {
    const int64_t rows = stored.shape()[1];
    const int64_t i =
        scales.shape().size() == 1 ? direction : direction * kColumns + column;
    const int64_t place = (direction * rows + row) * kColumns + column;
    return static_cast<double>(LoadInt(stored, place) - LoadInt(zeros, i)) *
           LoadFloat(scales, i);
  }
};

LstmWeights SomeLstmWeights(int64_t rows, const LstmCase& test, int64_t first) {
  const DType dtype = test.is_signed ? DType::Int(8) : DType::UInt(8);
  const Shape shape = test.per_column ? Shape{2, kColumns} : Shape{2};
  LstmWeights w = {NDArray(dtype, {2, rows, kColumns}),
                   NDArray(DType::Float32(), shape), NDArray(dtype, shape)};
  for (int64_t i = 0; i < w.stored.num_elements(); ++i) {
    StoreInt(w.stored, i, 37 * i + first);
  }
  for (int64_t i = 0; i < w.scales.num_elements(); ++i) {
    StoreFloat(w.scales, i, 0.004 + 0.0005 * static_cast<double>(i));
    StoreInt(w.zeros, i, (test.is_signed ? -3 : 120) + 5 * i);
  }
  return w;
}

OneNode LstmNode(const LstmCase& test, const LstmWeights& w,
                 const LstmWeights& r) {
  OneNode node = DynamicQuantizeLstm();
  node.Data({kSteps, kBatch, kInputs});
  for (const LstmWeights* weights : {&w, &r}) {
    if (test.constant) {
      node.Constant(weights->stored);
    } else {
      node.Data(weights->stored.shape(), test.is_signed
                                             ? onnx::TensorProto::INT8
                                             : onnx::TensorProto::UINT8);
    }
  }
  for (int i = 3; i < 8; ++i) node.LeaveOut();
  for (const LstmWeights* weights : {&w, &r}) {
    node.Constant(weights->scales).Constant(weights->zeros);
  }
  return node.Int("hidden_size", kHidden).String("direction", "bidirectional");
}

// `x` after dynamic quantization, in float32 like the graph.
Floats Rounded(Floats x) {
  const float low = std::min(*std::min_element(x.begin(), x.end()), 0.0f);
  const float high = std::max(*std::max_element(x.begin(), x.end()), 0.0f);
  const float scale =
      std::max((high - low) / 255, std::numeric_limits<float>::min());
  const float zero = std::nearbyint(-(low / scale));
  for (float& value : x) {
    const float q = std::nearbyint(value / scale) + zero;
    value = (std::clamp(q, 0.0f, 255.0f) - zero) * scale;
  }
  return x;
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Y, [kSteps, 2, kBatch, kHidden], of an LSTM whose data and state are rounded.
Floats LstmOfRounded(const NDArray& x, const LstmWeights& w,
                     const LstmWeights& r) {
  const Shape shape = {kSteps, 2, kBatch, kHidden};
  NDArray y(DType::Float32(), shape);
  const Shape state_shape = {kBatch, kHidden};
  const NDArray data =
      NDArray::FromVector<float>(x.shape(), Rounded(ToFloats(x)));
  for (int64_t d = 0; d < 2; ++d) {
    NDArray h(DType::Float32(), state_shape), cells(h.Clone());
    for (int64_t i = 0; i < kSteps; ++i) {
      const int64_t t = d == 0 ? i : kSteps - 1 - i;
      const NDArray state =
          NDArray::FromVector<float>(state_shape, Rounded(ToFloats(h)));
      for (const Shape& index : IndicesOf(state_shape)) {
        const int64_t n = index[0], k = index[1];
        const auto sum = [&](int64_t gate) {
          const int64_t column = gate * kHidden + k;
          double total = 0;
          for (int64_t row = 0; row < kInputs; ++row) {
            total += At(data, {t, n, row}) * w.At(d, row, column);
          }
          for (int64_t row = 0; row < kHidden; ++row) {
            total += At(state, {n, row}) * r.At(d, row, column);
          }
          return total;
        };
        const double cell = Sigmoid(sum(2)) * At(cells, index) +
                            Sigmoid(sum(0)) * std::tanh(sum(3));
        const double hidden = Sigmoid(sum(1)) * std::tanh(cell);
        const int64_t place = PlaceOf(index, state_shape);
        StoreFloat(cells, place, cell);
        StoreFloat(h, place, hidden);
        StoreFloat(y, PlaceOf({t, d, n, k}, shape), hidden);
      }
    }
  }
  return ToFloats(y);
}

TEST(DynamicQuantizeLstmTest, RoundsDataAndState) {
  const NDArray x = Eighths({kSteps, kBatch, kInputs}, 1);
  for (const bool is_signed : {false, true}) {
    for (const bool per_column : {false, true}) {
      for (const bool constant : {false, true}) {
        const LstmCase test = {is_signed, per_column, constant};
        SCOPED_TRACE(::testing::Message()
                     << "signed " << is_signed << ", column " << per_column
                     << ", constant " << constant);
        const LstmWeights w = SomeLstmWeights(kInputs, test, 11),
                          r = SomeLstmWeights(kHidden, test, 90);
        std::vector<NDArray> inputs = {x};
        if (!constant) inputs = {x, w.stored, r.stored};
        ExpectNear(RunFloats(LstmNode(test, w, r), inputs),
                   LstmOfRounded(x, w, r));
      }
    }
  }
}

// A state or data that is all 0 has no range.
TEST(DynamicQuantizeLstmTest, AcceptsZeros) {
  const LstmCase test;
  const NDArray x(DType::Float32(), {kSteps, kBatch, kInputs});
  const OneNode node = LstmNode(test, SomeLstmWeights(kInputs, test, 11),
                                SomeLstmWeights(kHidden, test, 90));
  ExpectNear(RunFloats(node, {x}), Floats(kSteps * 2 * kBatch * kHidden));
}

// The inputs of all steps of a direction are one product of bytes.
TEST(DynamicQuantizeLstmTest, MultipliesInputsAsBytes) {
  for (const bool is_signed : {false, true}) {
    LstmCase test;
    test.is_signed = is_signed;
    const OneNode node = LstmNode(test, SomeLstmWeights(kInputs, test, 11),
                                  SomeLstmWeights(kHidden, test, 90));
    const auto graph = node.Import();
    ASSERT_TRUE(graph.ok()) << graph.status();
    ASSERT_TRUE(graph::FakeQuantizationToInteger().Run(**graph).ok());
    int products = 0;
    for (const graph::Node* product : (*graph)->Nodes()) {
      if (product->kind() != graph::OpKind::kDense) continue;
      ++products;
      EXPECT_EQ(product->input(0).type().dtype, DType::UInt(8));
      EXPECT_EQ(product->input(1).type().dtype, DType::Int(8));
    }
    EXPECT_EQ(products, 2);
  }
}

// An LSTM of one direction with these types of the scale and the zero point of
// its first weights.
std::string LstmError(const Shape& scale, const Shape& zero, DType zero_type) {
  OneNode node = DynamicQuantizeLstm();
  node.Data({2, 1, 3}).Constant(NDArray(DType::UInt(8), {1, 3, 8}));
  node.Constant(NDArray(DType::UInt(8), {1, 2, 8}));
  for (int i = 3; i < 8; ++i) node.LeaveOut();
  node.Weights(scale).Constant(NDArray(zero_type, zero)).Weights({1});
  const std::string text = node.Text();
  const std::string label = "error: node `n` (DynamicQuantizeLSTM): ";
  EXPECT_TRUE(absl::StartsWith(text, label)) << text;
  return text.substr(text.rfind("): ") + 3);
}

TEST(DynamicQuantizeLstmTest, RefusesOtherScalesAndZeroPoints) {
  EXPECT_EQ(LstmError({8}, {8}, DType::UInt(8)),
            "input 8 is float32[8] but [1] or [1,8] is needed");
  EXPECT_EQ(LstmError({1, 8}, {1}, DType::UInt(8)),
            "input 9 is uint8[1] for the scale float32[1,8] of uint8[1,3,8]");
  EXPECT_EQ(LstmError({1}, {1}, DType::Int(8)),
            "input 9 is int8[1] for the scale float32[1] of uint8[1,3,8]");
  EXPECT_EQ(LstmError({1}, {1}, DType::UInt(8)),
            "input 11 is left out but is required");
}

}  // namespace
}  // namespace assay::frontend
