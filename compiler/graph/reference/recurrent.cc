// recurrent: one sequence after the other, in double. The state is a double,
// too, and is rounded where it is stored.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

using Doubles = std::vector<double>;

double Apply(const ActivationCall& call, double x) {
  const double alpha = call.alpha, beta = call.beta;
  switch (call.function) {
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kRelu:
      return x < 0 ? 0 : x;
    case Activation::kSoftsign:
      return x / (1 + std::abs(x));
    case Activation::kSoftplus:
      return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    case Activation::kLeakyRelu:
      return x < 0 ? alpha * x : x;
    case Activation::kElu:
      return x < 0 ? alpha * std::expm1(x) : x;
    case Activation::kHardSigmoid:
      return std::clamp(alpha * x + beta, 0.0, 1.0);
    case Activation::kAffine:
      return alpha * x + beta;
    case Activation::kScaledTanh:
      return alpha * std::tanh(beta * x);
    case Activation::kThresholdedRelu:
      return x < alpha ? 0 : x;
  }
  return 0;
}

// Dynamic quantization to uint8 and back, in float32 like the operators that
// define it.
void RoundToBytes(std::vector<Doubles>& states) {
  float low = 0, high = 0;
  for (const Doubles& state : states) {
    for (const double value : state) {
      low = std::min(low, static_cast<float>(value));
      high = std::max(high, static_cast<float>(value));
    }
  }
  const float scale =
      std::max((high - low) / 255, std::numeric_limits<float>::min());
  const float zero = std::nearbyint(std::clamp(-(low / scale), 0.0f, 255.0f));
  for (Doubles& state : states) {
    for (double& value : state) {
      const float q = std::nearbyint(static_cast<float>(value) / scale) + zero;
      value = (std::clamp(q, 0.0f, 255.0f) - zero) * scale;
    }
  }
}

// The operands of one direction without panels: element `unit` of a gate is at
// [gate * hidden + unit].
class Direction {
 public:
  Direction(const Node& node, Operands in, int64_t direction)
      : attrs_(node.attrs_as<RecurrentAttrs>()),
        x_(in[0]),
        direction_(direction),
        directions_(in[0].shape()[2]),
        batch_(in[0].shape()[1]),
        panels_(in[0].shape()[3]),
        gates_(in[0].shape()[4]),
        units_(in[0].shape()[5]),
        hidden_(in[3].shape()[2]) {
    for (int64_t row = 0; row < gates_ * hidden_; ++row) {
      bias_.push_back(LoadFloat(in[2], InPanels(row, gates_, 1, 0)));
      Doubles weights(hidden_);
      for (int64_t k = 0; k < hidden_; ++k) weights[k] = Weight(in, row, k);
      weights_.push_back(std::move(weights));
    }
    const bool has_cell = attrs_.cell == RecurrentCell::kLstm;
    if (attrs_.peepholes) {
      for (int64_t row = 0; row < 3 * hidden_; ++row) {
        peepholes_.push_back(
            LoadFloat(in[attrs_.quantized ? 7 : 5], InPanels(row, 3, 1, 0)));
      }
    }
    for (int64_t n = 0; n < batch_; ++n) {
      h_.push_back(State(in[3], n));
      c_.push_back(has_cell ? State(in[4], n) : Doubles());
    }
  }

  const std::vector<Doubles>& h() const { return h_; }
  const std::vector<Doubles>& c() const { return c_; }

  // Advances the sequences `n` for which runs[n] is true by step `t`.
  void Step(int64_t t, const std::vector<bool>& runs) {
    std::vector<Doubles> multiplied = h_;
    if (attrs_.quantized) RoundToBytes(multiplied);
    for (int64_t n = 0; n < batch_; ++n) {
      if (!runs[n]) continue;
      const Doubles x = Inputs(t, n);
      switch (attrs_.cell) {
        case RecurrentCell::kRnn:
          h_[n] = Rnn(x, multiplied[n]);
          break;
        case RecurrentCell::kGru:
          h_[n] = Gru(x, multiplied[n]);
          break;
        case RecurrentCell::kLstm:
          Lstm(x, multiplied[n], h_[n], c_[n]);
          break;
      }
    }
  }

 private:
  // The position of element `k` of a row in an operand
  // [directions, panels, gates, depth, units].
  int64_t InPanels(int64_t row, int64_t gates, int64_t depth, int64_t k) const {
    const int64_t gate = row / hidden_, unit = row % hidden_;
    const int64_t panel = direction_ * panels_ + unit / units_;
    return ((panel * gates + gate) * depth + k) * units_ + unit % units_;
  }
  double Weight(Operands in, int64_t row, int64_t k) const {
    const NDArray& weights = in[1];
    if (!attrs_.quantized) {
      return LoadFloat(weights, InPanels(row, gates_, hidden_, k));
    }
    const int64_t words = weights.shape()[3];
    const auto word = static_cast<uint64_t>(
        LoadInt(weights, InPanels(row, gates_, words, k / 4)));
    const auto byte = static_cast<int8_t>(word >> (8 * (k % 4)) & 0xff);
    const int64_t at = InPanels(row, gates_, 1, 0);
    return byte * LoadFloat(in[5], at) + LoadFloat(in[6], at);
  }
  Doubles State(const NDArray& states, int64_t n) const {
    Doubles state(hidden_);
    for (int64_t k = 0; k < hidden_; ++k) {
      state[k] = LoadFloat(states, (direction_ * batch_ + n) * hidden_ + k);
    }
    return state;
  }
  Doubles Inputs(int64_t t, int64_t n) const {
    const int64_t width = panels_ * gates_ * units_;
    const int64_t begin = ((t * batch_ + n) * directions_) * width;
    Doubles x(gates_ * hidden_);
    for (int64_t row = 0; row < gates_ * hidden_; ++row) {
      x[row] = LoadFloat(x_, begin + InPanels(row, gates_, 1, 0));
    }
    return x;
  }

  // The product of a state with the weights of a gate, and the bias.
  double Product(int64_t gate, int64_t unit, const Doubles& state) const {
    const int64_t row = gate * hidden_ + unit;
    double sum = 0;
    for (int64_t k = 0; k < hidden_; ++k) sum += state[k] * weights_[row][k];
    return sum + bias_[row];
  }
  double Clipped(double x) const {
    const double clip = attrs_.clip;
    return std::min(std::max(x, -clip), clip);
  }
  double Gate(int64_t function, double x) const {
    return Apply(attrs_.Function(direction_, function), Clipped(x));
  }

  Doubles Rnn(const Doubles& x, const Doubles& h) const {
    Doubles next(hidden_);
    for (int64_t k = 0; k < hidden_; ++k) {
      next[k] = Gate(0, x[k] + Product(0, k, h));
    }
    return next;
  }
  // Gates: update, reset, hidden.
  Doubles Gru(const Doubles& x, const Doubles& h) const {
    Doubles reset(hidden_), scaled(hidden_), next(hidden_);
    for (int64_t k = 0; k < hidden_; ++k) {
      reset[k] = Gate(0, x[hidden_ + k] + Product(1, k, h));
      scaled[k] = reset[k] * h[k];
    }
    for (int64_t k = 0; k < hidden_; ++k) {
      const double update = Gate(0, x[k] + Product(0, k, h));
      const double inner = attrs_.linear_before_reset
                               ? reset[k] * Product(2, k, h)
                               : Product(2, k, scaled);
      const double hidden = Gate(1, x[2 * hidden_ + k] + inner);
      next[k] = (1 - update) * hidden + update * h[k];
    }
    return next;
  }
  // Gates: input, output, forget, cell. Peepholes: input, output, forget.
  void Lstm(const Doubles& x, const Doubles& multiplied, Doubles& h,
            Doubles& c) const {
    for (int64_t k = 0; k < hidden_; ++k) {
      const auto sum = [&](int64_t gate) {
        return x[gate * hidden_ + k] + Product(gate, k, multiplied);
      };
      const auto peephole = [&](int64_t gate, double cell) {
        return peepholes_.empty() ? 0 : peepholes_[gate * hidden_ + k] * cell;
      };
      const double input = Gate(0, sum(0) + peephole(0, c[k]));
      const double forget =
          attrs_.input_forget ? 1 - input : Gate(0, sum(2) + peephole(2, c[k]));
      c[k] = forget * c[k] + input * Gate(1, sum(3));
      const double output = Gate(0, sum(1) + peephole(1, c[k]));
      h[k] = output * Apply(attrs_.Function(direction_, 2), c[k]);
    }
  }

  const RecurrentAttrs& attrs_;
  const NDArray& x_;
  const int64_t direction_, directions_, batch_, panels_, gates_, units_,
      hidden_;
  std::vector<Doubles> weights_;
  Doubles bias_, peepholes_;
  std::vector<Doubles> h_, c_;  // of each sequence
};

void StoreStates(const std::vector<Doubles>& states, int64_t direction,
                 NDArray& out) {
  const int64_t batch = out.shape()[1], hidden = out.shape()[2];
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t k = 0; k < hidden; ++k) {
      StoreFloat(out, (direction * batch + n) * hidden + k, states[n][k]);
    }
  }
}

}  // namespace

Results Recurrent(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<RecurrentAttrs>();
  std::vector<NDArray> results;
  for (const TensorType& type : node.types()) {
    results.emplace_back(type.dtype, type.shape);
  }
  const Shape& y = results[0].shape();
  const int64_t steps = y[0], directions = y[1], batch = y[2], hidden = y[3];
  for (int64_t d = 0; d < directions; ++d) {
    Direction direction(node, in, d);
    for (int64_t i = 0; i < steps; ++i) {
      const int64_t t = attrs.reverse[d] != 0 ? steps - 1 - i : i;
      std::vector<bool> runs(batch, true);
      for (int64_t n = 0; n < batch && attrs.lengths; ++n) {
        runs[n] = t < LoadInt(in[in.size() - 1], n);
      }
      direction.Step(t, runs);
      for (int64_t n = 0; n < batch; ++n) {
        for (int64_t k = 0; k < hidden; ++k) {
          StoreFloat(results[0],
                     ((t * directions + d) * batch + n) * hidden + k,
                     runs[n] ? direction.h()[n][k] : 0);
        }
      }
    }
    StoreStates(direction.h(), d, results[1]);
    if (results.size() > 2) StoreStates(direction.c(), d, results[2]);
  }
  return results;
}

}  // namespace assay::graph::reference
