#include <algorithm>

#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// The sums of so many products of uint8 and int8 fit in int32.
constexpr int64_t kMaxQuantizedHidden = int64_t{1} << 16;

absl::Status ExpectShape(int i, const TensorType& type, DType dtype,
                         const Shape& shape) {
  if (type.dtype == dtype && type.shape == shape) return absl::OkStatus();
  return Invalid("operand ", i, " is ", type.ToString(), " but ",
                 TensorType{dtype, shape}.ToString(), " is needed");
}

absl::Status CheckAttrs(const RecurrentAttrs& attrs) {
  const auto directions = static_cast<int64_t>(attrs.reverse.size());
  if (directions < 1 || directions > 2) {
    return Invalid("reverse has ", directions, " entries; 1 or 2 are needed");
  }
  for (const int64_t reverse : attrs.reverse) {
    if (reverse == 0 || reverse == 1) continue;
    return Invalid("reverse has the entry ", reverse,
                   "; only 0 and 1 are "
                   "allowed");
  }
  const auto functions =
      static_cast<size_t>(directions * FunctionsOf(attrs.cell));
  if (attrs.functions.size() != functions) {
    return Invalid("there are ", attrs.functions.size(), " functions but ",
                   functions, " are needed");
  }
  for (const auto* parameters : {&attrs.alphas, &attrs.betas}) {
    if (parameters->empty() || parameters->size() == functions) continue;
    return Invalid("there are ", parameters->size(), " parameters for ",
                   functions, " functions");
  }
  if (!(attrs.clip > 0)) {
    return Invalid("clip ", attrs.clip, " is not a positive number");
  }
  const bool is_lstm = attrs.cell == RecurrentCell::kLstm;
  if (!is_lstm && (attrs.input_forget || attrs.peepholes || attrs.quantized)) {
    return Invalid("input_forget, peepholes and quantized are only for lstm");
  }
  if (attrs.linear_before_reset && attrs.cell != RecurrentCell::kGru) {
    return Invalid("linear_before_reset is only for gru");
  }
  return absl::OkStatus();
}

}  // namespace

Results Recurrent(OpKind, const RecurrentAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(CheckAttrs(attrs));
  const bool is_lstm = attrs.cell == RecurrentCell::kLstm;
  ASSAY_RETURN_IF_ERROR(ExpectInputs(
      inputs, 4 + (is_lstm ? 1 : 0) + (attrs.quantized ? 2 : 0) +
                  (attrs.peepholes ? 1 : 0) + (attrs.lengths ? 1 : 0)));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  const TensorType &x = inputs[0], &weights = inputs[1];
  const DType dtype = x.dtype;
  if (dtype != DType::Float32() &&
      (dtype != DType::Float64() || attrs.quantized)) {
    return Invalid("operand 0 is ", x.ToString(), "; only float32",
                   attrs.quantized ? " is" : " and float64 are", " supported");
  }
  ASSAY_RETURN_IF_ERROR(ExpectType(0, x, dtype, 6));
  ASSAY_RETURN_IF_ERROR(ExpectType(3, inputs[3], dtype, 3));
  const auto directions = static_cast<int64_t>(attrs.reverse.size());
  const int64_t steps = x.shape[0], batch = x.shape[1], panels = x.shape[3],
                gates = GatesOf(attrs.cell), units = x.shape[5],
                hidden = inputs[3].shape[2];
  ASSAY_RETURN_IF_ERROR(ExpectShape(
      0, x, dtype, {steps, batch, directions, panels, gates, units}));
  if (attrs.quantized && hidden > kMaxQuantizedHidden) {
    return Invalid("sums of ", hidden, " products of bytes may overflow");
  }
  ASSAY_RETURN_IF_ERROR(
      ExpectShape(1, weights, attrs.quantized ? DType::Int32() : dtype,
                  {directions, panels, gates,
                   attrs.quantized ? (hidden + 3) / 4 : hidden, units}));
  if ((hidden - 1) / units + 1 != panels) {
    return Invalid(panels, " panels of ", units, " units do not hold ", hidden,
                   " units");
  }
  ASSAY_RETURN_IF_ERROR(
      ExpectShape(2, inputs[2], dtype, {directions, panels, gates, units}));
  const TensorType state = {dtype, {directions, batch, hidden}};
  int next = 3;
  for (const int last = is_lstm ? 4 : 3; next <= last; ++next) {
    ASSAY_RETURN_IF_ERROR(ExpectShape(next, inputs[next], dtype, state.shape));
  }
  for (const int end = next + (attrs.quantized ? 2 : 0); next < end; ++next) {
    ASSAY_RETURN_IF_ERROR(ExpectShape(next, inputs[next], dtype,
                                      {directions, panels, gates, units}));
  }
  if (attrs.peepholes) {
    ASSAY_RETURN_IF_ERROR(
        ExpectShape(next, inputs[next], dtype, {directions, panels, 3, units}));
    ++next;
  }
  if (attrs.lengths) {
    ASSAY_RETURN_IF_ERROR(
        ExpectShape(next, inputs[next], DType::Int64(), {batch}));
  }
  std::vector<TensorType> results = {
      {dtype, {steps, directions, batch, hidden}}, state};
  if (is_lstm) results.push_back(state);
  return results;
}

}  // namespace assay::graph::infer
