// Attributes of recurrent operators (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_RECURRENT_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_RECURRENT_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// The text form is a word, such as `lstm`.
enum class RecurrentCell : uint8_t { kRnn, kGru, kLstm };

// The functions that the gates apply, with the parameters `alpha` and `beta`.
// The text form is a word, such as `leaky_relu`.
enum class Activation : uint8_t {
  kSigmoid,
  kTanh,
  kRelu,
  kSoftsign,
  kSoftplus,
  kLeakyRelu,        // x < 0 ? alpha * x : x
  kElu,              // x < 0 ? alpha * (exp(x) - 1) : x
  kHardSigmoid,      // alpha * x + beta, clamped to [0, 1]
  kAffine,           // alpha * x + beta
  kScaledTanh,       // alpha * tanh(beta * x)
  kThresholdedRelu,  // x < alpha ? 0 : x
};

struct ActivationCall {
  Activation function = Activation::kTanh;
  float alpha = 0, beta = 0;
};

// The number of gates of a cell, and the number of its activation functions.
constexpr int64_t GatesOf(RecurrentCell cell) {
  return cell == RecurrentCell::kRnn ? 1 : cell == RecurrentCell::kGru ? 3 : 4;
}
constexpr int64_t FunctionsOf(RecurrentCell cell) {
  return static_cast<int64_t>(cell) + 1;
}

// compiler/docs/graph_ir.md defines the operator.
struct RecurrentAttrs {
  RecurrentCell cell = RecurrentCell::kRnn;
  // For each direction: 1 if it runs from the last step to the first, else 0.
  std::vector<int64_t> reverse;
  // FunctionsOf(cell) functions for each direction.
  std::vector<Activation> functions;
  // The parameters of `functions`, one entry for each function. Empty if no
  // function uses the parameter.
  std::vector<float> alphas, betas;
  // The arguments of the activation functions of gates are clamped to
  // [-clip, clip].
  float clip = std::numeric_limits<float>::infinity();
  bool linear_before_reset = false;  // gru: the reset gate scales the product
  bool input_forget = false;         // lstm: the forget gate is 1 - input
  // True if there is an operand with peephole weights (only lstm), or with the
  // lengths of the sequences.
  bool peepholes = false;
  bool lengths = false;
  // True if the state is multiplied as bytes (only lstm).
  bool quantized = false;

  // Function `i` of a direction.
  ActivationCall Function(int64_t direction, int64_t i) const {
    const auto at = static_cast<size_t>(direction * FunctionsOf(cell) + i);
    return {functions[at], alphas.empty() ? 0 : alphas[at],
            betas.empty() ? 0 : betas[at]};
  }

  static constexpr auto Fields() {
    using A = RecurrentAttrs;
    return FieldList(
        Required("cell", &A::cell), Required("reverse", &A::reverse),
        Required("functions", &A::functions), Optional("alphas", &A::alphas),
        Optional("betas", &A::betas), Optional("clip", &A::clip),
        Optional("linear_before_reset", &A::linear_before_reset),
        Optional("input_forget", &A::input_forget),
        Optional("peepholes", &A::peepholes), Optional("lengths", &A::lengths),
        Optional("quantized", &A::quantized));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_RECURRENT_H_
