// RNN, GRU and LSTM, unrolled over the steps of the sequence.
//
// The products of the inputs of all steps with the weights are one matrix
// product; each step only multiplies the state. With sequence_lens, the state
// of a sequence is kept after its end, and its outputs are zero there.
//
// DynamicQuantizeLSTM is an LSTM whose products are those of quantized weights
// with data that is quantized when the model runs: the inputs of all steps with
// one scale, and the state of all sequences with one scale in each step.
#include <algorithm>
#include <functional>
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

using graph::OpKind;
using graph::TensorType;
using graph::Value;

using Function = std::function<Value(Compose&, Value)>;

// The attributes and extents that the three share. The weights of one direction
// are `gates` blocks of `hidden` rows.
struct Recurrence {
  int64_t gates = 1;
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0;
  int64_t directions = 1;
  bool backward = false;  // the only direction is
  bool batch_first = false;
  float clip = 0;                   // 0: none
  std::vector<Function> functions;  // all directions', one after the other
  bool linear_before_reset = false;
  bool input_forget = false;
  bool quantized = false;  // DynamicQuantizeLSTM
};

// The operands of one direction, [gates * hidden, …].
struct Weights {
  RecurrentWeights w, r;
  Value wb, rb;     // biases [gates * hidden]; null without
  Value peepholes;  // [3 * hidden]; null without
};

struct State {
  Value h;
  Value c;  // of LSTM
};

absl::StatusOr<Function> ReadFunction(const std::string& given, float alpha,
                                      float beta, bool has_alpha,
                                      bool has_beta) {
  const std::string name = absl::AsciiStrToLower(given);
  const auto unary = [](OpKind kind) {
    return [kind](Compose& c, Value x) { return c.Unary(kind, x); };
  };
  if (name == "sigmoid") return Function(unary(OpKind::kSigmoid));
  if (name == "tanh") return Function(unary(OpKind::kTanh));
  if (name == "relu") return Function(unary(OpKind::kRelu));
  if (name == "softsign") return Function(unary(OpKind::kSoftsign));
  if (name == "softplus") return Function(unary(OpKind::kSoftplus));
  if (name == "leakyrelu" || name == "elu") {
    const OpKind kind = name == "elu" ? OpKind::kElu : OpKind::kLeakyRelu;
    const float slope = has_alpha ? alpha : name == "elu" ? 1.0f : 0.01f;
    return Function([=](Compose& c, Value x) {
      return c.Node(kind, graph::AlphaAttrs{slope}, {x});
    });
  }
  if (name == "hardsigmoid") {
    const graph::LinearAttrs attrs = {has_alpha ? alpha : 0.2f,
                                      has_beta ? beta : 0.5f};
    return Function([=](Compose& c, Value x) {
      return c.Node(OpKind::kHardSigmoid, attrs, {x});
    });
  }
  if (name == "affine" || name == "scaledtanh") {
    const bool is_affine = name == "affine";
    return Function([=](Compose& c, Value x) {
      const DType dtype = x.type().dtype;
      const Value scale = c.Scalar(dtype, has_alpha ? alpha : 1.0f);
      const Value other = c.Scalar(dtype, has_beta ? beta : is_affine ? 0 : 1);
      if (is_affine) return c.Add(c.Multiply(x, scale), other);
      return c.Multiply(c.Unary(OpKind::kTanh, c.Multiply(x, other)), scale);
    });
  }
  return Unsupported("attribute `activations` has ", Quote(given),
                     ", which is not supported");
}

absl::StatusOr<std::vector<Function>> ReadFunctions(
    OpImport& op, const std::vector<std::string>& defaults,
    int64_t directions) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalStrings("activations"));
  ASSAY_ASSIGN_OR_RETURN(const auto alphas,
                         op.attributes().OptionalFloats("activation_alpha"));
  ASSAY_ASSIGN_OR_RETURN(const auto betas,
                         op.attributes().OptionalFloats("activation_beta"));
  std::vector<std::string> names;
  for (int64_t d = 0; d < directions; ++d) {
    names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (given.has_value()) {
    if (given->size() != names.size()) {
      return Malformed("attribute `activations` has ", given->size(),
                       " names but ", names.size(), " are needed");
    }
    names = *given;
  }
  // Only functions with a parameter consume one, in order.
  size_t next_alpha = 0, next_beta = 0;
  std::vector<Function> functions;
  for (const std::string& name : names) {
    const std::string lower = absl::AsciiStrToLower(name);
    const bool two =
        lower == "hardsigmoid" || lower == "affine" || lower == "scaledtanh";
    const bool takes_alpha = two || lower == "leakyrelu" || lower == "elu";
    const bool has_alpha =
        takes_alpha && alphas.has_value() && next_alpha < alphas->size();
    const bool has_beta = two && betas.has_value() && next_beta < betas->size();
    ASSAY_ASSIGN_OR_RETURN(
        Function function,
        ReadFunction(name, has_alpha ? (*alphas)[next_alpha] : 0,
                     has_beta ? (*betas)[next_beta] : 0, has_alpha, has_beta));
    next_alpha += has_alpha ? 1 : 0;
    next_beta += has_beta ? 1 : 0;
    functions.push_back(std::move(function));
  }
  return functions;
}

absl::Status CheckOptionalOperands(const OpImport& op, const Recurrence& r) {
  const Shape state = r.batch_first ? Shape{r.batch, r.directions, r.hidden}
                                    : Shape{r.directions, r.batch, r.hidden};
  const struct {
    const char* name;
    Shape shape;
  } operands[] = {{"B", {r.directions, 2 * r.gates * r.hidden}},
                  {"sequence_lens", {r.batch}},
                  {"initial_h", state},
                  {"initial_c", state},
                  {"P", {r.directions, 3 * r.hidden}}};
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
  if (rec.rank() == 3) r->hidden = rec.shape[r->quantized ? 1 : 2];
  const int64_t rows = r->gates * r->hidden;
  const auto expected = [&](int64_t columns) {
    return r->quantized ? Shape{r->directions, columns, rows}
                        : Shape{r->directions, rows, columns};
  };
  if (w.shape != expected(r->inputs) || rec.shape != expected(r->hidden)) {
    return Malformed("the weights are ", w.ToString(), " and ", rec.ToString(),
                     " for the data ", x.ToString(), " in ", r->directions,
                     " directions");
  }
  ASSAY_ASSIGN_OR_RETURN(const auto hidden,
                         op.attributes().OptionalInt("hidden_size"));
  if (hidden.has_value() && *hidden != r->hidden) {
    return Malformed("attribute `hidden_size` is ", *hidden,
                     " but the weights are for ", r->hidden);
  }
  ASSAY_RETURN_IF_ERROR(CheckUnrolled(r->steps, "steps of the sequence"));
  return CheckOptionalOperands(op, *r);
}

absl::StatusOr<Recurrence> ReadRecurrence(
    OpImport& op, int64_t gates, const std::vector<std::string>& functions,
    bool quantized = false) {
  Recurrence r;
  r.gates = gates;
  r.quantized = quantized;
  ASSAY_ASSIGN_OR_RETURN(const std::string direction,
                         op.attributes().String("direction", "forward"));
  if (direction != "forward" && direction != "reverse" &&
      direction != "bidirectional") {
    return Malformed("attribute `direction` is ", Quote(direction),
                     " but forward, reverse or bidirectional is needed");
  }
  r.directions = direction == "bidirectional" ? 2 : 1;
  r.backward = direction == "reverse";
  if (op.opset() >= 14) {
    ASSAY_ASSIGN_OR_RETURN(r.batch_first,
                           op.attributes().Flag("layout", false));
  }
  ASSAY_ASSIGN_OR_RETURN(r.clip, op.attributes().Float("clip", 0));
  ASSAY_ASSIGN_OR_RETURN(r.functions,
                         ReadFunctions(op, functions, r.directions));
  ASSAY_RETURN_IF_ERROR(ReadExtents(op, &r));
  return r;
}

// Part `i` of a tensor [parts * size, …] along its first axis.
Value Part(Compose& c, Value x, int64_t i, int64_t size) {
  return c.Slice(x, 0, i * size, size);
}

Value Clipped(Compose& c, const Recurrence& r, Value x) {
  if (r.clip <= 0) return x;
  return c.Node(OpKind::kClip, graph::ClipAttrs{-r.clip, r.clip}, {x});
}

// Runs one step: `xw` is the product of the step's input, [batch, gates *
// hidden], without the biases.
using Step = std::function<State(Compose&, const Recurrence&, const Weights&,
                                 const Function*, Value xw, const State&)>;

Value Column(Compose& c, const Recurrence& r, Value rows, int64_t gate) {
  return c.Slice(rows, 1, gate * r.hidden, r.hidden);
}

Value Biased(Compose& c, Value x, Value bias) {
  return bias.node == nullptr ? x : c.Add(x, bias);
}

Value Gate(Compose& c, const Recurrence& r, const Function& f, Value x) {
  return f(c, Clipped(c, r, x));
}

State RnnStep(Compose& c, const Recurrence& r, const Weights& w,
              const Function* f, Value xw, const State& s) {
  Value sum = c.Add(xw, RecurrentProduct(c, s.h, w.r));
  sum = Biased(c, Biased(c, sum, w.wb), w.rb);
  return {Gate(c, r, f[0], sum), Value()};
}

// Gates: update, reset, hidden.
State GruStep(Compose& c, const Recurrence& r, const Weights& w,
              const Function* f, Value xw, const State& s) {
  const int64_t both = 2 * r.hidden;
  xw = Biased(c, xw, w.wb);
  // All gates multiply the state, or only the first two.
  const int64_t width = r.linear_before_reset ? 3 * r.hidden : both;
  Value hr = c.Binary(OpKind::kDense, s.h, c.Slice(w.r.matrix, 0, 0, width));
  if (w.rb.node != nullptr) hr = c.Add(hr, c.Slice(w.rb, 0, 0, width));
  const auto gate = [&](int64_t g) {
    return Gate(c, r, f[0], c.Add(Column(c, r, xw, g), Column(c, r, hr, g)));
  };
  const Value update = gate(0), reset = gate(1);
  Value inner;
  if (r.linear_before_reset) {
    inner = c.Multiply(reset, Column(c, r, hr, 2));
  } else {
    inner = c.Binary(OpKind::kDense, c.Multiply(reset, s.h),
                     c.Slice(w.r.matrix, 0, both, r.hidden));
    if (w.rb.node != nullptr) {
      inner = c.Add(inner, c.Slice(w.rb, 0, both, r.hidden));
    }
  }
  const Value hidden = Gate(c, r, f[1], c.Add(Column(c, r, xw, 2), inner));
  // (1 - update) * hidden + update * h
  return {c.Add(hidden, c.Multiply(update, c.Subtract(s.h, hidden))), Value()};
}

// Gates: input, output, forget, cell. The state is only multiplied.
State LstmStep(Compose& c, const Recurrence& r, const Weights& w,
               const Function* f, Value xw, const State& s) {
  Value sum = c.Add(xw, RecurrentProduct(c, s.h, w.r));
  sum = Biased(c, Biased(c, sum, w.wb), w.rb);
  // Peephole weights are ordered input, output, forget.
  const auto gate = [&](int64_t g, Value cell) {
    Value x = Column(c, r, sum, g);
    if (w.peepholes.node != nullptr) {
      x = c.Add(x, c.Multiply(Part(c, w.peepholes, g, r.hidden), cell));
    }
    return Gate(c, r, f[0], x);
  };
  const Value input = gate(0, s.c);
  const Value forget = r.input_forget
                           ? c.Subtract(c.Scalar(sum.type().dtype, 1), input)
                           : gate(2, s.c);
  const Value cell = Gate(c, r, f[1], Column(c, r, sum, 3));
  State next;
  next.c = c.Add(c.Multiply(forget, s.c), c.Multiply(input, cell));
  next.h = c.Multiply(gate(1, next.c), f[2](c, next.c));
  return next;
}

// bool [batch, 1]: true if step `t` is within the sequence.
Value Within(Compose& c, Value lengths, int64_t t, int64_t batch) {
  return c.Binary(OpKind::kLess, c.Ints64({}, {t}),
                  c.Cast(c.Reshape(lengths, {batch, 1}), DType::Int64()));
}

Value Choose(Compose& c, Value within, Value after, Value before) {
  return c.Node(OpKind::kSelect, {}, {within, after, before});
}

struct Run {
  std::vector<Value> outputs;  // one per step, in the order of time
  State last;
};

// `x`, rounded by dynamic quantization if the products are quantized.
Value Multiplicand(Compose& c, OpImport& op, const Recurrence& r, Value x) {
  if (!r.quantized || !c.status().ok()) return x;
  return c.Take(AddDynamicQuantization(op, x));
}

RecurrentWeights ReadWeights(Compose& c, OpImport& op, const Recurrence& r,
                             int input, int scale, int64_t direction) {
  if (r.quantized) return QuantizedWeights(c, op, input, scale, direction);
  RecurrentWeights weights;
  weights.matrix = OfDirection(c, op.Input(input), direction);
  return weights;
}

Run RunDirection(Compose& c, OpImport& op, const Recurrence& r,
                 int64_t direction, Value rows, State state, const Step& step) {
  const DType dtype = op.InputType(0).dtype;
  const int64_t width = r.gates * r.hidden;
  Weights w;
  w.w = ReadWeights(c, op, r, 1, 8, direction);
  w.r = ReadWeights(c, op, r, 2, 10, direction);
  if (op.HasInput(3)) {
    const Value bias = OfDirection(c, op.Input(3), direction);
    w.wb = Part(c, bias, 0, width);
    w.rb = Part(c, bias, 1, width);
  }
  if (op.HasInput(7)) w.peepholes = OfDirection(c, op.Input(7), direction);
  // The inputs of all steps at once.
  const Value products =
      c.Reshape(RecurrentProduct(c, rows, w.w), {r.steps, r.batch, width});
  const auto per_direction =
      static_cast<int64_t>(r.functions.size()) / r.directions;
  const Function* functions = &r.functions[direction * per_direction];
  const bool backward = r.backward || direction == 1;
  Run run;
  run.outputs.resize(r.steps);
  for (int64_t i = 0; i < r.steps && c.status().ok(); ++i) {
    const int64_t t = backward ? r.steps - 1 - i : i;
    const Value xw = c.Reshape(c.Slice(products, 0, t, 1), {r.batch, width});
    State before = state;
    before.h = Multiplicand(c, op, r, state.h);
    State next = step(c, r, w, functions, xw, before);
    run.outputs[t] = next.h;
    if (op.HasInput(4)) {
      const Value within = Within(c, op.Input(4), t, r.batch);
      run.outputs[t] = Choose(c, within, next.h, c.Scalar(dtype, 0));
      next.h = Choose(c, within, next.h, state.h);
      if (next.c.node != nullptr) next.c = Choose(c, within, next.c, state.c);
    }
    state = next;
  }
  run.last = state;
  return run;
}

// One direction of an initial state, [batch, hidden]; zeros if it is left out.
Value Initial(Compose& c, OpImport& op, const Recurrence& r, int input,
              int64_t direction) {
  const Shape shape = {r.batch, r.hidden};
  if (!op.HasInput(input)) {
    const TensorType zeros = {op.InputType(0).dtype, shape};
    const absl::Status size = CheckSize(zeros, op.max_bytes());
    if (!size.ok()) return c.Take(size);
    return c.Take(op.AddConstant(NDArray(zeros.dtype, zeros.shape)));
  }
  const int64_t axis = r.batch_first ? 1 : 0;
  return c.Reshape(c.Slice(op.Input(input), axis, direction, 1), shape);
}

// [directions, batch, hidden], or with the batch first.
Value Final(Compose& c, const Recurrence& r, std::vector<Value> states) {
  const int64_t axis = r.batch_first ? 1 : 0;
  Shape shape = {r.batch, r.hidden};
  shape.insert(shape.begin() + axis, 1);
  for (Value& state : states) state = c.Reshape(state, shape);
  return c.Concat(states, axis);
}

absl::Status ImportRecurrence(OpImport& op, const Recurrence& r, bool has_cell,
                              const Step& step) {
  Compose c(op);
  const Value x =
      r.batch_first ? c.Transpose(op.Input(0), {1, 0, 2}) : op.Input(0);
  const Value rows =
      Multiplicand(c, op, r, c.Reshape(x, {r.steps * r.batch, r.inputs}));
  std::vector<std::vector<Value>> outputs;
  std::vector<Value> h, cells;
  for (int64_t d = 0; d < r.directions; ++d) {
    State state;
    state.h = Initial(c, op, r, 5, d);
    if (has_cell) state.c = Initial(c, op, r, 6, d);
    const Run run = RunDirection(c, op, r, d, rows, state, step);
    outputs.push_back(run.outputs);
    h.push_back(run.last.h);
    cells.push_back(run.last.c);
  }
  if (!c.status().ok()) return c.status();
  // [steps, directions, batch, hidden]
  std::vector<Value> parts;
  for (int64_t t = 0; t < r.steps; ++t) {
    for (int64_t d = 0; d < r.directions; ++d) parts.push_back(outputs[d][t]);
  }
  Value y =
      c.Reshape(c.Concat(parts, 0), {r.steps, r.directions, r.batch, r.hidden});
  if (r.batch_first) y = c.Transpose(y, {2, 0, 1, 3});
  std::vector<Value> results = {y, Final(c, r, h)};
  if (has_cell) results.push_back(Final(c, r, cells));
  return c.Finish(results);
}

absl::Status ImportRnn(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Recurrence r, ReadRecurrence(op, 1, {"Tanh"}));
  return ImportRecurrence(op, r, /*has_cell=*/false, RnnStep);
}

absl::Status ImportGru(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(Recurrence r,
                         ReadRecurrence(op, 3, {"Sigmoid", "Tanh"}));
  ASSAY_ASSIGN_OR_RETURN(r.linear_before_reset,
                         op.attributes().Flag("linear_before_reset", false));
  return ImportRecurrence(op, r, /*has_cell=*/false, GruStep);
}

absl::Status ImportAnyLstm(OpImport& op, bool quantized) {
  ASSAY_ASSIGN_OR_RETURN(
      Recurrence r,
      ReadRecurrence(op, 4, {"Sigmoid", "Tanh", "Tanh"}, quantized));
  ASSAY_ASSIGN_OR_RETURN(r.input_forget,
                         op.attributes().Flag("input_forget", false));
  return ImportRecurrence(op, r, /*has_cell=*/true, LstmStep);
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
