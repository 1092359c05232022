// RNN, GRU and LSTM against loops over their definitions.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

constexpr int64_t kSteps = 4, kBatch = 2, kInputs = 3, kHidden = 2;

// Random values between -1 and 1.
NDArray Fractions(const Shape& shape, uint64_t seed) {
  NDArray array = WholeNumbers(shape, seed);
  for (float& value : array.data<float>()) value /= 10;
  return array;
}

// The operator and its options.
struct Case {
  std::string type;
  int64_t gates;
  std::string direction = "forward";
  bool bias = false;
  bool lengths = false;
  bool initial = false;
  bool peepholes = false;
  bool linear_before_reset = false;
  bool input_forget = false;
  bool batch_first = false;
  float clip = 0;

  int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
  bool is_lstm() const { return type == "LSTM"; }
};

struct Operands {
  NDArray x, w, r, b, h, c, p;
  std::vector<int> lengths;
};

float At(const NDArray& array, const Shape& index) {
  return array.data<float>()[PlaceOf(index, array.shape())];
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One direction of one sequence.
class Cell {
 public:
  Cell(const Case& c, const Operands& o, int64_t direction, int64_t n)
      : case_(c), o_(o), d_(direction), n_(n), h_(kHidden), c_(kHidden) {
    for (int64_t i = 0; i < kHidden && c.initial; ++i) {
      h_[i] = At(o.h, {d_, n_, i});
      if (c.is_lstm()) c_[i] = At(o.c, {d_, n_, i});
    }
  }

  void Step(int64_t t) {
    std::vector<double> h(kHidden), cell(kHidden);
    std::vector<double> reset(kHidden);
    for (int64_t i = 0; i < kHidden; ++i) {
      reset[i] = Sigmoid(Clip(Input(t, 1, i) + Bias(0, 1, i) + State(1, i, h_) +
                              Bias(1, 1, i)));
    }
    for (int64_t i = 0; i < kHidden; ++i) {
      const auto sum = [&](int64_t g) {
        return Input(t, g, i) + Bias(0, g, i) + State(g, i, h_) + Bias(1, g, i);
      };
      if (case_.type == "RNN") {
        h[i] = std::tanh(Clip(sum(0)));
      } else if (case_.type == "GRU") {
        const double update = Sigmoid(Clip(sum(0)));
        std::vector<double> scaled(kHidden);
        for (int64_t j = 0; j < kHidden; ++j) scaled[j] = reset[j] * h_[j];
        const double inner = case_.linear_before_reset
                                 ? reset[i] * (State(2, i, h_) + Bias(1, 2, i))
                                 : State(2, i, scaled) + Bias(1, 2, i);
        const double hidden =
            std::tanh(Clip(Input(t, 2, i) + Bias(0, 2, i) + inner));
        h[i] = (1 - update) * hidden + update * h_[i];
      } else {
        const double input = Sigmoid(Clip(sum(0) + Peephole(0, i, c_[i])));
        const double forget =
            case_.input_forget ? 1 - input
                               : Sigmoid(Clip(sum(2) + Peephole(2, i, c_[i])));
        cell[i] = forget * c_[i] + input * std::tanh(Clip(sum(3)));
        h[i] = Sigmoid(Clip(sum(1) + Peephole(1, i, cell[i]))) *
               std::tanh(cell[i]);
      }
    }
    h_ = h;
    c_ = cell;
  }

  const std::vector<double>& h() const { return h_; }
  const std::vector<double>& c() const { return c_; }

 private:
  double Input(int64_t t, int64_t gate, int64_t i) const {
    if (gate >= case_.gates) return 0;
    double sum = 0;
    for (int64_t k = 0; k < kInputs; ++k) {
      sum += At(o_.x, {t, n_, k}) * At(o_.w, {d_, gate * kHidden + i, k});
    }
    return sum;
  }
  double State(int64_t gate, int64_t i, const std::vector<double>& h) const {
    if (gate >= case_.gates) return 0;
    double sum = 0;
    for (int64_t k = 0; k < kHidden; ++k) {
      sum += h[k] * At(o_.r, {d_, gate * kHidden + i, k});
    }
    return sum;
  }
  double Bias(int64_t half, int64_t gate, int64_t i) const {
    if (!case_.bias || gate >= case_.gates) return 0;
    return At(o_.b, {d_, (half * case_.gates + gate) * kHidden + i});
  }
  double Peephole(int64_t gate, int64_t i, double cell) const {
    if (!case_.peepholes) return 0;
    return At(o_.p, {d_, gate * kHidden + i}) * cell;
  }
  double Clip(double x) const {
    if (case_.clip == 0) return x;
    return std::clamp<double>(x, -case_.clip, case_.clip);
  }

  const Case& case_;
  const Operands& o_;
  const int64_t d_, n_;
  std::vector<double> h_, c_;
};

Operands MakeOperands(const Case& c) {
  const int64_t d = c.directions(), rows = c.gates * kHidden;
  return {Fractions({kSteps, kBatch, kInputs}, 1),
          Fractions({d, rows, kInputs}, 2),
          Fractions({d, rows, kHidden}, 3),
          Fractions({d, 2 * rows}, 4),
          Fractions({d, kBatch, kHidden}, 5),
          Fractions({d, kBatch, kHidden}, 6),
          Fractions({d, 3 * kHidden}, 7),
          {kSteps, c.lengths ? 2 : static_cast<int>(kSteps)}};
}

// Y, Y_h and Y_c of layout 0.
std::vector<NDArray> Expected(const Case& c, const Operands& o) {
  const int64_t directions = c.directions();
  NDArray y(DType::Float32(), {kSteps, directions, kBatch, kHidden});
  NDArray h(DType::Float32(), {directions, kBatch, kHidden}), cells = h.Clone();
  for (int64_t d = 0; d < directions; ++d) {
    const bool backward = c.direction == "reverse" || d == 1;
    for (int64_t n = 0; n < kBatch; ++n) {
      Cell cell(c, o, d, n);
      for (int64_t i = 0; i < o.lengths[n]; ++i) {
        const int64_t t = backward ? o.lengths[n] - 1 - i : i;
        cell.Step(t);
        for (int64_t k = 0; k < kHidden; ++k) {
          y.data<float>()[PlaceOf({t, d, n, k}, y.shape())] =
              static_cast<float>(cell.h()[k]);
        }
      }
      for (int64_t k = 0; k < kHidden; ++k) {
        const int64_t place = PlaceOf({d, n, k}, h.shape());
        h.data<float>()[place] = static_cast<float>(cell.h()[k]);
        cells.data<float>()[place] = static_cast<float>(cell.c()[k]);
      }
    }
  }
  return {y, h, cells};
}

// [a, b, …] transposed to [b, a, …], the order of data and states in layout 1.
NDArray Swapped(const NDArray& x) {
  Shape shape = x.shape();
  std::swap(shape[0], shape[1]);
  NDArray y(DType::Float32(), shape);
  for (Shape index : IndicesOf(x.shape())) {
    const float value = At(x, index);
    std::swap(index[0], index[1]);
    y.data<float>()[PlaceOf(index, shape)] = value;
  }
  return y;
}

std::vector<NDArray> Actual(const Case& c, const Operands& o) {
  const auto swapped = [&](const NDArray& x) {
    return c.batch_first ? Swapped(x) : x;
  };
  OneNode node(c.type, 14);
  std::vector<NDArray> inputs;
  const auto add = [&](bool there, const NDArray& value) {
    if (!there) {
      node.LeaveOut();
      return;
    }
    node.Data(value.shape(), value.dtype().is_float()
                                 ? onnx::TensorProto::FLOAT
                                 : onnx::TensorProto::INT32);
    inputs.push_back(value);
  };
  add(true, swapped(o.x));
  add(true, o.w);
  add(true, o.r);
  add(c.bias, o.b);
  add(c.lengths, NDArray::FromVector<int32_t>({kBatch}, o.lengths));
  add(c.initial, swapped(o.h));
  if (c.is_lstm()) {
    add(c.initial, swapped(o.c));
    add(c.peepholes, o.p);
    if (c.input_forget) node.Int("input_forget", 1);
  }
  if (c.linear_before_reset) node.Int("linear_before_reset", 1);
  if (c.clip > 0) node.Float("clip", c.clip);
  if (c.batch_first) node.Int("layout", 1);
  node.String("direction", c.direction).Int("hidden_size", kHidden);
  for (const char* name : {"h", "c"}) {
    if (std::string(name) == "c" && !c.is_lstm()) continue;
    node.Result(name).model().mutable_graph()->add_output()->set_name(name);
  }
  return RunNode(node, inputs);
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const auto& [type, gates] :
       {std::make_pair("RNN", 1), {"GRU", 3}, {"LSTM", 4}}) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
      Case c = {type, gates, direction};
      cases.push_back(c);
      c.bias = c.initial = c.linear_before_reset = c.input_forget = true;
      c.linear_before_reset = c.type == "GRU";
      c.input_forget = c.is_lstm();
      c.clip = 0.25f;
      cases.push_back(c);
      c.input_forget = false;
      c.lengths = true;
      c.peepholes = c.is_lstm();
      cases.push_back(c);
    }
  }
  return cases;
}

TEST(RecurrentTest, AgainstTheDefinition) {
  for (const bool batch_first : {false, true}) {
    int number = 0;
    for (Case c : Cases()) {
      SCOPED_TRACE(c.type + " " + c.direction + " " + std::to_string(number++));
      c.batch_first = batch_first;
      const Operands o = MakeOperands(c);
      const std::vector<NDArray> actual = Actual(c, o);
      const std::vector<NDArray> expected = Expected(c, o);
      ASSERT_EQ(actual.size(), c.is_lstm() ? 3u : 2u);
      for (size_t i = 0; i < actual.size(); ++i) {
        for (Shape index : IndicesOf(expected[i].shape())) {
          const float wanted = At(expected[i], index);
          if (batch_first && i == 0) {
            index = {index[2], index[0], index[1], index[3]};
          } else if (batch_first) {
            std::swap(index[0], index[1]);
          }
          EXPECT_NEAR(At(actual[i], index), wanted, 1e-5)
              << i << " " << ShapeToString(index);
        }
      }
    }
  }
}

TEST(RecurrentTest, ElementsBeyondTheEndHaveNoInfluence) {
  const NDArray one = NDArray::FromVector<float>({1, 1, 1}, {1});
  const NDArray x =
      NDArray::FromVector<float>({2, 1, 1}, {0.5f, std::nanf("")});
  OneNode node = OneNode("RNN", 14)
                     .Data({2, 1, 1})
                     .Constant(one)
                     .Constant(one)
                     .LeaveOut()
                     .Constant(NDArray::FromVector<int32_t>({1}, {1}))
                     .Result("h");
  node.model().mutable_graph()->add_output()->set_name("h");
  const std::vector<NDArray> results = RunNode(node, {x});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_NEAR(results[0].data<float>()[0], std::tanh(0.5f), 1e-6);
  EXPECT_EQ(results[0].data<float>()[1], 0);
  EXPECT_NEAR(results[1].data<float>()[0], std::tanh(0.5f), 1e-6);
}

// A graph has as many nodes for many steps as for few.
TEST(RecurrentTest, StepsAreNotUnrolled) {
  for (const char* type : {"RNN", "GRU", "LSTM"}) {
    const auto import = [&](int64_t steps) {
      const int64_t rows = std::string(type) == "RNN"   ? 2
                           : std::string(type) == "GRU" ? 6
                                                        : 8;
      OneNode node(type, 14);
      node.Data({steps, 1, 3}).Weights({2, rows, 3}).Weights({2, rows, 2});
      return node.String("direction", "bidirectional").Import();
    };
    const auto few = import(2), many = import(100000);
    ASSERT_TRUE(few.ok()) << few.status();
    ASSERT_TRUE(many.ok()) << many.status();
    EXPECT_EQ((*few)->Nodes().size(), (*many)->Nodes().size());
  }
}

TEST(RecurrentTest, WithoutStepsTheStateIsTheInitialOne) {
  OneNode node = OneNode("LSTM", 14)
                     .Data({0, 1, 3})
                     .Weights({1, 8, 3})
                     .Weights({1, 8, 2})
                     .LeaveOut()
                     .LeaveOut()
                     .Data({1, 1, 2})
                     .Output("h")
                     .Output("c");
  const NDArray h = NDArray::FromVector<float>({1, 1, 2}, {0.5f, -2});
  const std::vector<NDArray> results =
      RunNode(node, {NDArray(DType::Float32(), {0, 1, 3}), h});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].shape(), Shape({0, 1, 1, 2}));
  EXPECT_EQ(results[1].data<float>()[1], -2);
  EXPECT_EQ(results[2].data<float>()[0], 0);
}

// The output of an RNN of one step and one unit whose state is 0.
float FunctionOf(const std::string& name, float x,
                 const std::vector<float>& alpha = {},
                 const std::vector<float>& beta = {}) {
  OneNode node = OneNode("RNN", 14)
                     .Data({1, 1, 1})
                     .Constant(NDArray::FromVector<float>({1, 1, 1}, {1}))
                     .Weights({1, 1, 1});
  onnx::AttributeProto& names = *node.node().add_attribute();
  names.set_name("activations");
  names.set_type(onnx::AttributeProto::STRINGS);
  names.add_strings(name);
  if (!alpha.empty()) node.Floats("activation_alpha", alpha);
  if (!beta.empty()) node.Floats("activation_beta", beta);
  const std::vector<float> y =
      RunFloats(node, {NDArray::FromVector<float>({1, 1, 1}, {x})});
  return y.empty() ? std::nanf("") : y[0];
}

TEST(RecurrentTest, ActivationFunctions) {
  EXPECT_NEAR(FunctionOf("Relu", -2), 0, 1e-6);
  EXPECT_NEAR(FunctionOf("tanh", 0.5f), std::tanh(0.5), 1e-6);
  EXPECT_NEAR(FunctionOf("Sigmoid", 0.5f), Sigmoid(0.5), 1e-6);
  EXPECT_NEAR(FunctionOf("Softsign", -3), -0.75, 1e-6);
  EXPECT_NEAR(FunctionOf("Softplus", 1), std::log1p(std::exp(1.0)), 1e-6);
  EXPECT_NEAR(FunctionOf("LeakyRelu", -2), -0.02, 1e-6);
  EXPECT_NEAR(FunctionOf("LeakyRelu", -2, {0.25f}), -0.5, 1e-6);
  EXPECT_NEAR(FunctionOf("Elu", -1, {2}), 2 * std::expm1(-1.0), 1e-6);
  EXPECT_NEAR(FunctionOf("ThresholdedRelu", 0.5f), 0, 1e-6);
  EXPECT_NEAR(FunctionOf("ThresholdedRelu", 0.5f, {0.5f}), 0.5, 1e-6);
  EXPECT_NEAR(FunctionOf("HardSigmoid", 1), 0.7, 1e-6);
  EXPECT_NEAR(FunctionOf("Affine", 3, {2}, {1}), 7, 1e-6);
  EXPECT_NEAR(FunctionOf("ScaledTanh", 1, {3}, {0.5f}), 3 * std::tanh(0.5),
              1e-6);
}

TEST(RecurrentTest, Errors) {
  const auto rnn = [] {
    return OneNode("RNN", 14).Data({2, 1, 3}).Weights({1, 4, 3});
  };
  EXPECT_EQ(rnn().Weights({1, 4, 5}).Text(),
            "error: node `n` (RNN): the weights are float32[1,4,3] and "
            "float32[1,4,5] for the data float32[2,1,3] in 1 directions");
  EXPECT_EQ(rnn().Weights({1, 4, 4}).String("direction", "up").Text(),
            "error: node `n` (RNN): attribute `direction` is `up` but forward, "
            "reverse or bidirectional is needed");
  EXPECT_EQ(rnn().Weights({1, 4, 4}).Int("hidden_size", 3).Text(),
            "error: node `n` (RNN): attribute `hidden_size` is 3 but the "
            "weights are for 4");
}

}  // namespace
}  // namespace assay::frontend
