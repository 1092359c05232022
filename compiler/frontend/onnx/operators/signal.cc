// DFT, STFT, and window functions of constant size. A transform of constant
// length is a product with a constant matrix; each row holds the real and
// imaginary parts next to each other.
#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

// The transform of signals of `given` elements, cut or extended by zeros to
// `length`. `parts` is 1 for real signals, otherwise 2. A one-sided transform
// returns the first half of the frequencies; a one-sided inverse transform
// takes them and returns a real signal of `length` elements.
struct Transform {
  int64_t given = 0;
  int64_t length = 0;
  int64_t parts = 1;
  bool inverse = false;
  bool onesided = false;

  bool to_real() const { return inverse && onesided; }
  int64_t results() const {
    return onesided && !inverse ? length / 2 + 1 : length;
  }
  int64_t result_parts() const { return to_real() ? 1 : 2; }
  // Number of elements of a signal that are used.
  int64_t used() const {
    return std::min(given, to_real() ? length / 2 + 1 : length);
  }
  // The frequencies that a one-sided signal leaves out are the conjugates of
  // those that it has: all except 0 and, if `length` is even, the last.
  int64_t Times(int64_t n) const {
    return to_real() && n != 0 && 2 * n != length ? 2 : 1;
  }
};

// [given * parts, results * result parts]
absl::StatusOr<Value> Matrix(OpImport& op, const Transform& t, DType type) {
  if (t.length < 1 || t.length > 1 << 12) {
    return Unsupported("a transform of ", t.length,
                       " elements is not supported; 1 to 4096 are");
  }
  const int64_t columns = t.results() * t.result_parts();
  const Shape shape = {t.given * t.parts, columns};
  ASSAY_RETURN_IF_ERROR(CheckSize({type, shape}, op.max_bytes()));
  NDArray matrix(type, shape);
  const double scale = t.inverse ? 1.0 / static_cast<double>(t.length) : 1;
  for (int64_t n = 0; n < t.used(); ++n) {
    for (int64_t k = 0; k < t.results(); ++k) {
      const double angle = (t.inverse ? 2 : -2) * M_PI *
                           static_cast<double>(n * k % t.length) /
                           static_cast<double>(t.length);
      const double factor = scale * static_cast<double>(t.Times(n));
      const double real = factor * std::cos(angle);
      const double imaginary = factor * std::sin(angle);
      const int64_t at = n * t.parts * columns + k * t.result_parts();
      StoreFloat(matrix, at, real);
      if (!t.to_real()) StoreFloat(matrix, at + 1, imaginary);
      if (t.parts == 1) continue;
      // The imaginary part of a frequency without a conjugate is not read.
      StoreFloat(matrix, at + columns,
                 t.to_real() && t.Times(n) == 1 ? 0 : -imaginary);
      if (!t.to_real()) StoreFloat(matrix, at + columns + 1, real);
    }
  }
  return op.AddConstant(std::move(matrix));
}

// Transforms the last but one axis of x, whose last axis holds the parts.
absl::StatusOr<Value> Transformed(OpImport& op, Value x, const Transform& t) {
  Shape shape = x.type().shape;
  ASSAY_ASSIGN_OR_RETURN(const Value matrix, Matrix(op, t, x.type().dtype));
  const int64_t row = t.given * t.parts;
  const auto outer = absl::MakeConstSpan(shape).subspan(0, shape.size() - 2);
  ASSAY_ASSIGN_OR_RETURN(Value y, op.AddReshape(x, {NumElements(outer), row}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMatmul, NoAttrs(), {y, matrix}));
  ASSAY_ASSIGN_OR_RETURN(y, ConvertedTo(op, y, x.type().dtype));
  shape[shape.size() - 2] = t.results();
  shape.back() = t.result_parts();
  return op.AddReshape(y, shape);
}

absl::StatusOr<std::optional<int64_t>> OptionalConstant(const OpImport& op,
                                                        int i) {
  if (!op.HasInput(i)) return std::nullopt;
  return KnownInteger(op, op.Input(i), absl::StrCat("input ", i));
}

// The last axis of the signal has one or two parts.
absl::Status CheckSignal(const OpImport& op, int64_t least_rank) {
  const graph::TensorType& type = op.InputType(0);
  if (type.rank() >= least_rank && type.dtype.is_float() &&
      (type.shape.back() == 1 || type.shape.back() == 2)) {
    return absl::OkStatus();
  }
  return Malformed("input 0 is ", type.ToString(), " but floats of rank ",
                   least_rank,
                   " or more that end in an axis of 1 or 2 are needed");
}

absl::Status ImportDFT(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(CheckSignal(op, 2));
  const graph::TensorType type = op.InputType(0);
  Transform t;
  ASSAY_ASSIGN_OR_RETURN(t.inverse, op.attributes().Flag("inverse", false));
  ASSAY_ASSIGN_OR_RETURN(t.onesided, op.attributes().Flag("onesided", false));
  int64_t axis = 1;
  if (op.opset() < 20) {
    ASSAY_ASSIGN_OR_RETURN(axis, op.attributes().Int("axis", 1));
  } else {
    ASSAY_ASSIGN_OR_RETURN(const auto given, OptionalConstant(op, 2));
    axis = given.value_or(-2);
  }
  ASSAY_ASSIGN_OR_RETURN(axis, NormalizeAxis(op, "axis", axis, type.rank()));
  if (axis == type.rank() - 1) {
    return Malformed("axis ", axis, " of ", type.ToString(),
                     " is that of the parts");
  }
  t.given = type.shape[axis];
  t.parts = type.shape.back();
  ASSAY_ASSIGN_OR_RETURN(const auto length, OptionalConstant(op, 1));
  t.length = length.value_or(t.to_real() ? 2 * (t.given - 1) : t.given);
  // The axis is swapped with the last but one axis, and back afterwards.
  std::vector<int64_t> perm = AxesBetween(0, type.rank());
  std::swap(perm[axis], perm[type.rank() - 2]);
  ASSAY_ASSIGN_OR_RETURN(Value y, op.AddTranspose(op.Input(0), perm));
  ASSAY_ASSIGN_OR_RETURN(y, Transformed(op, y, t));
  return op.SetResult(op.AddTranspose(y, perm));
}

// Frames are gathered, multiplied by the window and transformed.
absl::Status ImportSTFT(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(CheckSignal(op, 3));
  const graph::TensorType& type = op.InputType(0);
  Transform t;
  ASSAY_ASSIGN_OR_RETURN(t.onesided, op.attributes().Flag("onesided", true));
  ASSAY_ASSIGN_OR_RETURN(const auto step, OptionalConstant(op, 1));
  ASSAY_ASSIGN_OR_RETURN(const auto length, OptionalConstant(op, 3));
  const int64_t window =
      op.HasInput(2) ? op.InputType(2).num_elements() : type.shape[1];
  t.length = t.given = length.value_or(window);
  t.parts = type.shape.back();
  const bool fits = type.rank() == 3 && step.value_or(0) >= 1 &&
                    t.length >= 1 && t.length <= type.shape[1] &&
                    (!op.HasInput(2) || window == t.length);
  if (!fits) {
    return Malformed("frames of ", t.length, " elements every ",
                     step.value_or(0), " with a window of ", window,
                     " do not fit in ", type.ToString());
  }
  const int64_t frames = (type.shape[1] - t.length) / *step + 1;
  const Shape shape = {frames, t.length};
  ASSAY_RETURN_IF_ERROR(CheckSize({DType::Int64(), shape}, op.max_bytes()));
  NDArray indices(DType::Int64(), shape);
  for (int64_t i = 0; i < indices.num_elements(); ++i) {
    indices.data<int64_t>()[i] = i / t.length * *step + i % t.length;
  }
  ASSAY_ASSIGN_OR_RETURN(
      Value y, op.Add(OpKind::kGather, graph::GatherAttrs{1},
                      {op.Input(0), op.AddConstant(std::move(indices))}));
  if (op.HasInput(2)) {
    ASSAY_ASSIGN_OR_RETURN(const Value weights,
                           op.AddReshape(op.Input(2), {t.length, 1}));
    ASSAY_ASSIGN_OR_RETURN(y,
                           op.Add(OpKind::kMultiply, NoAttrs(), {y, weights}));
  }
  return op.SetResult(Transformed(op, y, t));
}

// a0 - a1 cos(t) + a2 cos(2 t), where t runs from 0 to 2 pi.
struct Cosines {
  double a0, a1, a2;
};

absl::Status Window(OpImport& op, const Cosines& cosines) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t size,
                         KnownInteger(op, op.Input(0), "input 0 (size)"));
  ASSAY_ASSIGN_OR_RETURN(const int64_t code,
                         op.attributes().Int("output_datatype", 1));
  ASSAY_ASSIGN_OR_RETURN(const bool periodic,
                         op.attributes().Flag("periodic", true));
  graph::TensorType type;
  ASSAY_ASSIGN_OR_RETURN(type.dtype,
                         ElementType(code, "attribute `output_datatype`"));
  if (!type.dtype.is_float() || size < 0) {
    return Unsupported("a window of ", size, " elements of ",
                       type.dtype.ToString(), " is not supported");
  }
  type.shape = {size};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray window(type.dtype, type.shape);
  const auto period = static_cast<double>(periodic ? size : size - 1);
  for (int64_t i = 0; i < size; ++i) {
    const double t = 2 * M_PI * static_cast<double>(i) / period;
    StoreFloat(
        window, i,
        cosines.a0 - cosines.a1 * std::cos(t) + cosines.a2 * std::cos(2 * t));
  }
  return op.SetResult(op.AddConstant(std::move(window)));
}

absl::Status ImportHannWindow(OpImport& op) {
  return Window(op, {0.5, 0.5, 0});
}

absl::Status ImportHammingWindow(OpImport& op) {
  return Window(op, {25.0 / 46, 21.0 / 46, 0});
}

absl::Status ImportBlackmanWindow(OpImport& op) {
  return Window(op, {0.42, 0.5, 0.08});
}

constexpr OperatorRow kOperators[] = {
    {"BlackmanWindow", 17, 17, 1, 1, 1, ImportBlackmanWindow},
    {"DFT", 17, 17, 1, 2, 1, ImportDFT},
    {"DFT", 20, 20, 1, 3, 1, ImportDFT},
    {"HammingWindow", 17, 17, 1, 1, 1, ImportHammingWindow},
    {"HannWindow", 17, 17, 1, 1, 1, ImportHannWindow},
    {"STFT", 17, 17, 2, 4, 1, ImportSTFT},
};

}  // namespace

absl::Span<const OperatorRow> SignalOperators() { return kOperators; }

}  // namespace assay::frontend
