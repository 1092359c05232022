// The optimizers of `ai.onnx.preview.training`: Adagrad, Adam and Momentum. A
// node updates any number of tensors. Its operands are the learning rate R and
// the update count T, then all tensors X, all gradients G, and the states of
// all tensors, kind by kind; its results are the new tensors and states.
//
// The names in this file are those of the definition in ONNX.
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// Operands 0 (R) and 1 (T) as scalars.
struct Step {
  std::string rate;
  DType rate_type;
  std::string count;  // int64
  int tensors = 0;    // number of tensors that are updated
};

// Each tensor has `kinds` operands: itself, its gradient and its states.
absl::StatusOr<Step> ReadStep(ContribOp& op, int kinds) {
  ASSAY_RETURN_IF_ERROR(op.ExpectScalars({0, 1}));
  const int given = op.num_inputs() - 2;
  if (given % kinds != 0) {
    return Malformed("has ", given, " tensors, which are not ", kinds,
                     " for each tensor that is updated");
  }
  for (int i = 0; i < op.num_inputs(); ++i) {
    const bool is_count = i == 1;
    const DType dtype = op.Type(i).dtype;
    if (is_count ? dtype == DType::Int64() : dtype.is_float()) continue;
    return Malformed("input ", i, " is ", op.Type(i).ToString(), " but ",
                     is_count ? "int64" : "a float type", " is needed");
  }
  NodeBuilder& b = op.builder();
  Step step;
  step.rate = b.Node("Squeeze", {op.In(0)});
  step.rate_type = op.Type(0).dtype;
  step.count = b.Node("Squeeze", {op.In(1)});
  step.tensors = given / kinds;
  return step;
}

// One tensor in the course of its update.
class Tensor {
 public:
  Tensor(ContribOp& op, const Step& step, int index)
      : op_(op),
        b_(op.builder()),
        step_(step),
        index_(index),
        dtype_(op.Type(2 + index).dtype) {}

  // The operand of this tensor of kind `kind`: 0 is X, 1 is G.
  std::string Operand(int kind) const {
    return op_.In(2 + kind * step_.tensors + index_);
  }
  std::string Number(double value) { return b_.Scalar(dtype_, value); }
  std::string Scaled(const std::string& x, double factor) {
    return b_.Mul(x, Number(factor));
  }
  // `value`, of type `from`, in the type of the tensor.
  std::string Converted(const std::string& value, DType from) {
    return b_.Cast(value, from, dtype_);
  }
  // norm_coefficient * X + G
  std::string Gradient(float norm_coefficient) {
    const std::string norm = Scaled(Operand(0), norm_coefficient);
    return b_.Add(norm, Operand(1));
  }

 private:
  ContribOp& op_;
  NodeBuilder& b_;
  const Step& step_;
  const int index_;
  const DType dtype_;
};

// The results of all tensors, kind by kind.
class Results {
 public:
  Results(const Step& step, int kinds)
      : tensors_(static_cast<size_t>(step.tensors)),
        names_(tensors_ * static_cast<size_t>(kinds)) {}
  void Set(int kind, int index, std::string name) {
    names_[static_cast<size_t>(kind) * tensors_ + static_cast<size_t>(index)] =
        std::move(name);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  const size_t tensors_;
  std::vector<std::string> names_;
};

absl::Status BuildAdagrad(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const float decay_factor,
                         op.attributes().Float("decay_factor", 0));
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", 1e-6f));
  ASSAY_ASSIGN_OR_RETURN(const float norm_coefficient,
                         op.attributes().Float("norm_coefficient", 0));
  ASSAY_ASSIGN_OR_RETURN(const Step step, ReadStep(op, 3));
  NodeBuilder& b = op.builder();
  // R / (1 + T * decay_factor)
  const DType type = step.rate_type;
  const std::string count = b.Cast(step.count, DType::Int64(), type);
  const std::string decay = b.Mul(count, b.Scalar(type, decay_factor));
  const std::string rate = b.Div(step.rate, b.Add(decay, b.Scalar(type, 1)));
  Results results(step, 2);
  for (int i = 0; i < step.tensors; ++i) {
    Tensor x(op, step, i);
    const std::string g = x.Gradient(norm_coefficient);
    const std::string h = b.Add(x.Operand(2), b.Mul(g, g));
    const std::string root = b.Add(b.Sqrt(h), x.Number(epsilon));
    const std::string update = b.Mul(x.Converted(rate, type), g);
    results.Set(0, i, b.Sub(x.Operand(0), b.Div(update, root)));
    results.Set(1, i, h);
  }
  op.SetResults(results.names());
  return absl::OkStatus();
}

// T > 0 ? R * sqrt(1 - beta^T) / (1 - alpha^T) : R, in float64: for small T,
// the powers are close to 1.
std::string AdamRate(NodeBuilder& b, const Step& step, float alpha,
                     float beta) {
  const DType wide = DType::Float64();
  const std::string rate = b.Cast(step.rate, step.rate_type, wide);
  const std::string count = b.Cast(step.count, DType::Int64(), wide);
  const std::string one = b.Scalar(wide, 1);
  const auto complement = [&](float base) {
    const std::string power = b.Node("Pow", {b.Scalar(wide, base), count});
    return b.Sub(one, power);
  };
  const std::string second = b.Sqrt(complement(beta));
  const std::string first = complement(alpha);
  const std::string corrected = b.Div(b.Mul(rate, second), first);
  const std::string is_later =
      b.Node("Greater", {step.count, b.Scalar(DType::Int64(), 0)});
  return b.Where(is_later, corrected, rate);
}

absl::Status BuildAdam(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 0.9f));
  ASSAY_ASSIGN_OR_RETURN(const float beta,
                         op.attributes().Float("beta", 0.999f));
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", 1e-6f));
  ASSAY_ASSIGN_OR_RETURN(const float norm_coefficient,
                         op.attributes().Float("norm_coefficient", 0));
  ASSAY_ASSIGN_OR_RETURN(const float norm_coefficient_post,
                         op.attributes().Float("norm_coefficient_post", 0));
  ASSAY_ASSIGN_OR_RETURN(const Step step, ReadStep(op, 4));
  NodeBuilder& b = op.builder();
  const std::string rate = AdamRate(b, step, alpha, beta);
  Results results(step, 3);
  for (int i = 0; i < step.tensors; ++i) {
    Tensor x(op, step, i);
    const std::string g = x.Gradient(norm_coefficient);
    const std::string old_v = x.Scaled(x.Operand(2), alpha);
    const std::string v = b.Add(old_v, x.Scaled(g, 1.0 - alpha));
    const std::string old_h = x.Scaled(x.Operand(3), beta);
    const std::string h = b.Add(old_h, x.Scaled(b.Mul(g, g), 1.0 - beta));
    const std::string root = b.Add(b.Sqrt(h), x.Number(epsilon));
    const std::string direction = b.Div(v, root);
    const std::string update =
        b.Mul(x.Converted(rate, DType::Float64()), direction);
    const std::string moved = b.Sub(x.Operand(0), update);
    results.Set(0, i, x.Scaled(moved, 1.0 - norm_coefficient_post));
    results.Set(1, i, v);
    results.Set(2, i, h);
  }
  op.SetResults(results.names());
  return absl::OkStatus();
}

absl::Status BuildMomentum(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha, op.RequiredFloat("alpha"));
  ASSAY_ASSIGN_OR_RETURN(const float beta, op.RequiredFloat("beta"));
  ASSAY_ASSIGN_OR_RETURN(const float norm_coefficient,
                         op.RequiredFloat("norm_coefficient"));
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("mode", ""));
  if (mode != "standard" && mode != "nesterov") {
    return Malformed("attribute `mode` is ", Quote(mode),
                     " but standard or nesterov is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Step step, ReadStep(op, 3));
  NodeBuilder& b = op.builder();
  const std::string is_later =
      b.Node("Greater", {step.count, b.Scalar(DType::Int64(), 0)});
  Results results(step, 2);
  for (int i = 0; i < step.tensors; ++i) {
    Tensor x(op, step, i);
    const std::string g = x.Gradient(norm_coefficient);
    // The first gradient counts in full.
    const std::string later = x.Number(beta);
    const std::string factor = b.Where(is_later, later, x.Number(1));
    const std::string old_v = x.Scaled(x.Operand(2), alpha);
    const std::string v = b.Add(old_v, b.Mul(factor, g));
    const std::string direction =
        mode == "nesterov" ? b.Add(g, x.Scaled(v, alpha)) : v;
    const std::string update =
        b.Mul(x.Converted(step.rate, step.rate_type), direction);
    results.Set(0, i, b.Sub(x.Operand(0), update));
    results.Set(1, i, v);
  }
  op.SetResults(results.names());
  return absl::OkStatus();
}

constexpr ContribRow kRows[] = {
    {kTraining, "Adagrad", 5, kAnyInputs, BuildAdagrad},
    {kTraining, "Adam", 6, kAnyInputs, BuildAdam},
    {kTraining, "Momentum", 5, kAnyInputs, BuildMomentum},
};

}  // namespace

absl::Span<const ContribRow> ContribTrainingRows() { return kRows; }

}  // namespace assay::frontend
