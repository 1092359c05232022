// RNN, GRU and LSTM.
//
// The products of the inputs of all steps with the weights are one matrix
// product. The operator `recurrent` runs the steps.
//
// DynamicQuantizeLSTM is an LSTM whose products are those of quantized weights
// with data that is quantized when the model runs: the inputs of all steps with
// one scale, and the state of all sequences with one scale in each step.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/quantization.h"
#include "compiler/frontend/onnx/operators/recurrent_weights.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Activation;
using graph::OpKind;
using graph::RecurrentCell;
using graph::TensorType;
using graph::Value;

// The attributes and extents that the three share. The weights of one direction
// are `gates` blocks of `hidden` rows.
struct Recurrence {
  graph::RecurrentAttrs attrs;
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0;
  bool batch_first = false;

  int64_t gates() const { return graph::GatesOf(attrs.cell); }
  int64_t directions() const {
    return static_cast<int64_t>(attrs.reverse.size());
  }
  bool has_cell() const { return attrs.cell == RecurrentCell::kLstm; }
};

// An activation function, in lower case, with the default values of its
// parameters. It consumes an element of `activation_alpha` if it has an alpha,
// and one of `activation_beta` if it has a beta.
struct FunctionRow {
  const char* name;
  Activation function;
  std::optional<float> alpha, beta;
};
constexpr FunctionRow kFunctions[] = {
    {"sigmoid", Activation::kSigmoid, {}, {}},
    {"tanh", Activation::kTanh, {}, {}},
    {"relu", Activation::kRelu, {}, {}},
    {"softsign", Activation::kSoftsign, {}, {}},
    {"softplus", Activation::kSoftplus, {}, {}},
    {"leakyrelu", Activation::kLeakyRelu, 0.01f, {}},
    {"elu", Activation::kElu, 1.0f, {}},
    {"thresholdedrelu", Activation::kThresholdedRelu, 1.0f, {}},
    {"hardsigmoid", Activation::kHardSigmoid, 0.2f, 0.5f},
    {"affine", Activation::kAffine, 1.0f, 0.0f},
    {"scaledtanh", Activation::kScaledTanh, 1.0f, 1.0f},
};

absl::StatusOr<FunctionRow> FindFunction(const std::string& given) {
  const std::string name = absl::AsciiStrToLower(given);
  const auto* const row =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const FunctionRow& r) { return name == r.name; });
  if (row != std::end(kFunctions)) return *row;
  return Unsupported("attribute `activations` has ", Quote(given),
                     ", which is not supported");
}

// The next element of `given` if a function has the parameter.
float NextParameter(const std::optional<float>& absent,
                    const std::optional<std::vector<float>>& given,
                    size_t& next) {
  if (!absent.has_value()) return 0;
  if (!given.has_value() || next >= given->size()) return *absent;
  return (*given)[next++];
}

absl::Status ReadFunctions(OpImport& op,
                           const std::vector<std::string>& defaults,
                           Recurrence* r) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalStrings("activations"));
  ASSAY_ASSIGN_OR_RETURN(const auto alphas,
                         op.attributes().OptionalFloats("activation_alpha"));
  ASSAY_ASSIGN_OR_RETURN(const auto betas,
                         op.attributes().OptionalFloats("activation_beta"));
  std::vector<std::string> names;
  for (int64_t d = 0; d < r->directions(); ++d) {
    names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (given.has_value()) {
    if (given->size() != names.size()) {
      return Malformed("attribute `activations` has ", given->size(),
                       " names but ", names.size(), " are needed");
    }
    names = *given;
  }
  size_t next_alpha = 0, next_beta = 0;
  bool has_alpha = false, has_beta = false;
  for (const std::string& name : names) {
    ASSAY_ASSIGN_OR_RETURN(const FunctionRow row, FindFunction(name));
    r->attrs.functions.push_back(row.function);
    r->attrs.alphas.push_back(NextParameter(row.alpha, alphas, next_alpha));
    r->attrs.betas.push_back(NextParameter(row.beta, betas, next_beta));
    has_alpha = has_alpha || row.alpha.has_value();
    has_beta = has_beta || row.beta.has_value();
  }
  if (!has_alpha) r->attrs.alphas.clear();
  if (!has_beta) r->attrs.betas.clear();
  return absl::OkStatus();
}

absl::Status CheckOptionalOperands(const OpImport& op, const Recurrence& r) {
  const Shape state = r.batch_first ? Shape{r.batch, r.directions(), r.hidden}
                                    : Shape{r.directions(), r.batch, r.hidden};
  const struct {
    const char* name;
    Shape shape;
  } operands[] = {{"B", {r.directions(), 2 * r.gates() * r.hidden}},
                  {"sequence_lens", {r.batch}},
                  {"initial_h", state},
                  {"initial_c", state},
                  {"P", {r.directions(), 3 * r.hidden}}};
  // Operands after them are the scales and zero points of quantized weights.
  for (int i = 3; i < std::min(op.num_inputs(), 8); ++i) {
    const auto& [name, shape] = operands[i - 3];
    if (!op.HasInput(i) || op.InputType(i).shape == shape) continue;
    return Malformed("input ", i, " (", name, ") is ",
                     op.InputType(i).ToString(), " but ", ShapeToString(shape),
                     " is needed");
  }
  return absl::OkStatus();
}

absl::Status ReadExtents(OpImport& op, Recurrence* r) {
  const TensorType &x = op.InputType(0), &w = op.InputType(1),
                   &rec = op.InputType(2);
  if (x.rank() != 3) {
    return Malformed("input 0 is ", x.ToString(), " but rank 3 is needed");
  }
  r->steps = x.shape[r->batch_first ? 1 : 0];
  r->batch = x.shape[r->batch_first ? 0 : 1];
  r->inputs = x.shape[2];
  if (rec.rank() == 3) r->hidden = rec.shape[r->attrs.quantized ? 1 : 2];
  const int64_t rows = r->gates() * r->hidden;
  const auto expected = [&](int64_t columns) {
    return r->attrs.quantized ? Shape{r->directions(), columns, rows}
                              : Shape{r->directions(), rows, columns};
  };
  if (w.shape != expected(r->inputs) || rec.shape != expected(r->hidden)) {
    return Malformed("the weights are ", w.ToString(), " and ", rec.ToString(),
                     " for the data ", x.ToString(), " in ", r->directions(),
                     " directions");
  }
  ASSAY_ASSIGN_OR_RETURN(const auto hidden,
                         op.attributes().OptionalInt("hidden_size"));
  if (hidden.has_value() && *hidden != r->hidden) {
    return Malformed("attribute `hidden_size` is ", *hidden,
                     " but the weights are for ", r->hidden);
  }
  return CheckOptionalOperands(op, *r);
}

absl::StatusOr<Recurrence> ReadRecurrence(
    OpImport& op, RecurrentCell cell, const std::vector<std::string>& functions,
    bool quantized = false) {
  Recurrence r;
  r.attrs.cell = cell;
  r.attrs.quantized = quantized;
  ASSAY_ASSIGN_OR_RETURN(const std::string direction,
                         op.attributes().String("direction", "forward"));
  if (direction == "forward") {
    r.attrs.reverse = {0};
  } else if (direction == "reverse") {
    r.attrs.reverse = {1};
  } else if (direction == "bidirectional") {
    r.attrs.reverse = {0, 1};
  } else {
    return Malformed("attribute `direction` is ", Quote(direction),
                     " but forward, reverse or bidirectional is needed");
  }
  if (op.opset() >= 14) {
    ASSAY_ASSIGN_OR_RETURN(r.batch_first,
                           op.attributes().Flag("layout", false));
  }
  ASSAY_ASSIGN_OR_RETURN(const float clip, op.attributes().Float("clip", 0));
  if (clip > 0) r.attrs.clip = clip;
  ASSAY_RETURN_IF_ERROR(ReadFunctions(op, functions, &r));
  ASSAY_RETURN_IF_ERROR(ReadExtents(op, &r));
  r.attrs.lengths = op.HasInput(4);
  r.attrs.peepholes = op.HasInput(7);
  return r;
}

// Applies `of_direction` to both directions and joins the results along `axis`.
template <typename OfDirection>
Value EachDirection(Compose& c, const Recurrence& r, int64_t axis,
                    OfDirection of_direction) {
  std::vector<Value> parts;
  for (int64_t d = 0; d < r.directions(); ++d) parts.push_back(of_direction(d));
  return c.Concat(parts, axis);
}

// [directions, batch, hidden]; zeros if it is left out.
Value InitialState(Compose& c, OpImport& op, const Recurrence& r, int input) {
  if (op.HasInput(input)) {
    const Value state = op.Input(input);
    return r.batch_first ? c.Transpose(state, {1, 0, 2}) : state;
  }
  return Zeros(c, op,
               {op.InputType(0).dtype, {r.directions(), r.batch, r.hidden}});
}

// `results` are those of the operator `recurrent`.
absl::Status FinishRecurrence(Compose& c, OpImport& op, const Recurrence& r,
                              std::vector<Value> results) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (r.batch_first) {
      results[i] = c.Transpose(results[i], i == 0 ? Compose::Ints{2, 0, 1, 3}
                                                  : Compose::Ints{1, 0, 2});
    }
    results[i] = c.Cast(results[i], op.InputType(0).dtype);
  }
  return c.Finish(results);
}

// Imports a node that has elements.
class Importer {
 public:
  Importer(OpImport& op, const Recurrence& r)
      : op_(op),
        c_(op),
        r_(r),
        dtype_(op.InputType(0).dtype == DType::Float64() ? DType::Float64()
                                                         : DType::Float32()),
        layout_(PanelsFor(r.gates(), r.hidden)) {}

  absl::Status Import() {
    std::vector<Value> operands = {Inputs(), Value(), StateBias(), Initial(5)};
    if (r_.has_cell()) operands.push_back(Initial(6));
    AddWeights(operands);
    if (r_.attrs.peepholes) operands.push_back(Peepholes());
    if (r_.attrs.lengths) {
      operands.push_back(c_.Cast(op_.Input(4), DType::Int64()));
    }
    const Value y = c_.Node(OpKind::kRecurrent, r_.attrs, operands);
    if (!c_.status().ok()) return c_.status();
    std::vector<Value> results = {y};
    for (int i = 1; i < (r_.has_cell() ? 3 : 2); ++i) {
      results.push_back({y.node, i});
    }
    return FinishRecurrence(c_, op_, r_, std::move(results));
  }

 private:
  Value Operand(int i) { return c_.Cast(op_.Input(i), dtype_); }

  // The weights of a direction in operand `input`, and if they are quantized
  // `scale`.
  RecurrentWeights RowsOf(int input, int scale, int64_t d) {
    if (r_.attrs.quantized) {
      return QuantizedWeights(c_, op_, input, scale, d, layout_);
    }
    RecurrentWeights weights;
    weights.matrix = InPanels(c_, OfDirection(c_, Operand(input), d), layout_);
    return weights;
  }

  // One half of the biases of a direction: 0 are those of the inputs, 1 those
  // of the state.
  Value HalfOfBias(int64_t direction, int64_t half) {
    const int64_t width = r_.gates() * r_.hidden;
    const Value both = OfDirection(c_, Operand(3), direction);
    return InPanels(c_, c_.Slice(both, 0, half * width, width), layout_);
  }

  // The products of the inputs of all steps with the weights, and their biases:
  // [steps, batch, directions, panels, gates, units].
  Value Inputs() {
    Value x = Operand(0);
    if (r_.batch_first) x = c_.Transpose(x, {1, 0, 2});
    x = c_.Reshape(x, {r_.steps * r_.batch, r_.inputs});
    Value products;
    if (r_.attrs.quantized) {
      if (c_.status().ok()) x = c_.Take(AddDynamicQuantization(op_, x));
      products = EachDirection(c_, r_, 1, [&](int64_t d) {
        return RecurrentProduct(c_, x, RowsOf(1, 8, d));
      });
    } else {
      const Value weights = EachDirection(
          c_, r_, 0, [&](int64_t d) { return RowsOf(1, 8, d).matrix; });
      products = c_.Binary(OpKind::kDense, x, weights);
    }
    if (op_.HasInput(3)) {
      products = c_.Add(products, EachDirection(c_, r_, 0, [&](int64_t d) {
                          return HalfOfBias(d, 0);
                        }));
    }
    return c_.Reshape(products, {r_.steps, r_.batch, r_.directions(),
                                 layout_.panels, r_.gates(), layout_.units});
  }

  // Sets operand 1, the weights of the state. Quantized weights have a scale
  // and a shift, which are added to the operands.
  void AddWeights(std::vector<Value>& operands) {
    if (!r_.attrs.quantized) {
      operands[1] = WeightsOfSteps(
          r_.hidden, [&](int64_t d) { return RowsOf(2, 10, d).matrix; });
      return;
    }
    std::vector<WeightWords> weights;
    for (int64_t d = 0; d < r_.directions(); ++d) {
      weights.push_back(QuantizedWords(c_, op_, 2, 10, d, layout_));
    }
    operands[1] = WeightsOfSteps((r_.hidden + 3) / 4,
                                 [&](int64_t d) { return weights[d].words; });
    operands.push_back(InGates([&](int64_t d) { return weights[d].scale; }));
    operands.push_back(InGates([&](int64_t d) { return weights[d].shift; }));
  }
  // [directions, panels, gates, depth, units]; `rows` is [rows, depth].
  template <typename Rows>
  Value WeightsOfSteps(int64_t depth, Rows rows) {
    return EachDirection(c_, r_, 0, [&](int64_t d) {
      const Value panels = c_.Reshape(
          rows(d), {1, layout_.panels, r_.gates(), layout_.units, depth});
      return c_.Transpose(panels, {0, 1, 2, 4, 3});
    });
  }
  // [directions, panels, gates, units]; `rows` has one element for each row.
  template <typename Rows>
  Value InGates(Rows rows) {
    return c_.Reshape(
        EachDirection(c_, r_, 0, rows),
        {r_.directions(), layout_.panels, r_.gates(), layout_.units});
  }

  // [directions, panels, gates, units]
  Value StateBias() {
    const Shape shape = {r_.directions(), layout_.panels, r_.gates(),
                         layout_.units};
    if (!op_.HasInput(3)) return Zeros(c_, op_, {dtype_, shape});
    return InGates([&](int64_t d) { return HalfOfBias(d, 1); });
  }

  // [directions, panels, 3, units]
  Value Peepholes() {
    const RowPanels layout = PanelsFor(3, r_.hidden);
    return c_.Reshape(EachDirection(c_, r_, 0,
                                    [&](int64_t d) {
                                      return InPanels(
                                          c_, OfDirection(c_, Operand(7), d),
                                          layout);
                                    }),
                      {r_.directions(), layout.panels, 3, layout.units});
  }

  Value Initial(int input) {
    const Value state = InitialState(c_, op_, r_, input);
    return c_.Cast(state, dtype_);
  }

  OpImport& op_;
  Compose c_;
  const Recurrence& r_;
  const DType dtype_;  // of the arithmetic
  const RowPanels layout_;
};

absl::Status ImportRecurrence(OpImport& op, const Recurrence& r) {
  if (r.steps > 0 && r.batch > 0 && r.hidden > 0) {
    return Importer(op, r).Import();
  }
  // No step is executed.
  Compose c(op);
  const Shape y = {r.steps, r.directions(), r.batch, r.hidden};
  std::vector<Value> results = {Zeros(c, op, {op.InputType(0).dtype, y}),
                                InitialState(c, op, r, 5)};
  if (r.has_cell()) results.push_back(InitialState(c, op, r, 6));
  return FinishRecurrence(c, op, r, std::move(results));
}

absl::Status ImportRnn(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Recurrence r,
                         ReadRecurrence(op, RecurrentCell::kRnn, {"Tanh"}));
  return ImportRecurrence(op, r);
}

absl::Status ImportGru(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(Recurrence r, ReadRecurrence(op, RecurrentCell::kGru,
                                                      {"Sigmoid", "Tanh"}));
  ASSAY_ASSIGN_OR_RETURN(r.attrs.linear_before_reset,
                         op.attributes().Flag("linear_before_reset", false));
  return ImportRecurrence(op, r);
}

absl::Status ImportAnyLstm(OpImport& op, bool quantized) {
  ASSAY_ASSIGN_OR_RETURN(
      Recurrence r, ReadRecurrence(op, RecurrentCell::kLstm,
                                   {"Sigmoid", "Tanh", "Tanh"}, quantized));
  ASSAY_ASSIGN_OR_RETURN(r.attrs.input_forget,
                         op.attributes().Flag("input_forget", false));
  return ImportRecurrence(op, r);
}

absl::Status ImportLstm(OpImport& op) {
  return ImportAnyLstm(op, /*quantized=*/false);
}

// Operands: those of LSTM, the scale and the zero point of W, and those of R.
// W and R are transposed.
absl::Status ImportDynamicQuantizeLstm(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(CheckQuantizedWeights(op, 1, 8));
  ASSAY_RETURN_IF_ERROR(CheckQuantizedWeights(op, 2, 10));
  return ImportAnyLstm(op, /*quantized=*/true);
}

constexpr OperatorRow kOperators[] = {
    {"GRU", 7, 22, 3, 6, 2, ImportGru},
    {"LSTM", 7, 22, 3, 8, 3, ImportLstm},
    {"RNN", 7, 22, 3, 6, 2, ImportRnn},
};

constexpr OperatorRow kBodyOperators[] = {
    {"DynamicQuantizeLSTM", 21, 21, 3, 12, 3, ImportDynamicQuantizeLstm},
};

}  // namespace

absl::Span<const OperatorRow> RecurrentOperators() { return kOperators; }
absl::Span<const OperatorRow> RecurrentBodyOperators() {
  return kBodyOperators;
}

}  // namespace assay::frontend
