// Pad. The constant mode becomes `pad`, or a concat if its value is computed
// when the model runs; the other modes repeat elements of the data and become
// gathers with constant indices.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "compiler/graph/builder/run_time_movement.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;
using Ints = std::vector<int64_t>;

// The maximum number of elements of a tensor.
constexpr int64_t kMaxPad = int64_t{1} << 40;

// The index of the element that is repeated at position `i` outside the axis.
int64_t SourceIndex(const std::string& mode, int64_t i, int64_t extent) {
  if (mode == "edge") return std::clamp<int64_t>(i, 0, extent - 1);
  if (mode == "wrap") return (i % extent + extent) % extent;
  if (extent == 1) return 0;
  const int64_t period = 2 * (extent - 1);
  const int64_t place = (i % period + period) % period;
  return place < extent ? place : period - place;
}

// Negative padding removes elements.
absl::StatusOr<Value> Crop(OpImport& op, Value x, Ints& before, Ints& after) {
  graph::SliceAttrs attrs;
  attrs.sizes = x.type().shape;
  attrs.steps.assign(attrs.sizes.size(), 1);
  attrs.begins.assign(attrs.sizes.size(), 0);
  bool crops = false;
  for (size_t d = 0; d < attrs.sizes.size(); ++d) {
    const int64_t front = std::max<int64_t>(-before[d], 0);
    const int64_t back = std::max<int64_t>(-after[d], 0);
    crops = crops || front + back > 0;
    if (front + back > attrs.sizes[d]) {
      return Malformed("the padding cuts off more than axis ", d, " of ",
                       x.type().ToString(), " has");
    }
    attrs.begins[d] = front;
    attrs.sizes[d] -= front + back;
    before[d] = std::max<int64_t>(before[d], 0);
    after[d] = std::max<int64_t>(after[d], 0);
  }
  if (!crops) return x;
  return op.Add(OpKind::kSlice, attrs, {x});
}

absl::StatusOr<Value> Repeat(OpImport& op, Value x, const std::string& mode,
                             const Ints& before, const Ints& after) {
  const Shape shape = x.type().shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (before[d] + after[d] == 0) continue;
    TensorType result = x.type();
    result.shape[d] += before[d] + after[d];
    ASSAY_RETURN_IF_ERROR(CheckSize(result, op.max_bytes()));
    if (shape[d] == 0) return Malformed("axis ", d, " has no elements");
    Ints indices;
    for (int64_t i = -before[d]; i < shape[d] + after[d]; ++i) {
      indices.push_back(SourceIndex(mode, i, shape[d]));
    }
    const auto count = static_cast<int64_t>(indices.size());
    const Value constant =
        op.AddConstant(NDArray::FromVector<int64_t>({count}, indices));
    ASSAY_ASSIGN_OR_RETURN(
        x, op.Add(OpKind::kGather, graph::GatherAttrs{static_cast<int64_t>(d)},
                  {x, constant}));
  }
  return x;
}

// Puts `value`, a scalar that is computed when the model runs, around `x`.
absl::StatusOr<Value> Surround(OpImport& op, Value x, Value value,
                               const Ints& before, const Ints& after) {
  const auto border = [&](size_t axis, int64_t extent) {
    Shape shape = x.type().shape;
    shape[axis] = extent;
    return op.Add(OpKind::kBroadcastTo, graph::ReshapeAttrs{std::move(shape)},
                  {value});
  };
  for (size_t d = 0; d < before.size(); ++d) {
    std::vector<Value> parts = {x};
    if (before[d] > 0) {
      ASSAY_ASSIGN_OR_RETURN(const Value part, border(d, before[d]));
      parts.insert(parts.begin(), part);
    }
    if (after[d] > 0) {
      ASSAY_ASSIGN_OR_RETURN(const Value part, border(d, after[d]));
      parts.push_back(part);
    }
    if (parts.size() == 1) continue;
    ASSAY_ASSIGN_OR_RETURN(
        x, op.Add(OpKind::kConcat, graph::ConcatAttrs{static_cast<int64_t>(d)},
                  parts));
  }
  return x;
}

// The padding of an axis that is known only when the model runs, or of an axis
// whose extent is.
struct RunTimePadding {
  int64_t axis = 0;
  RunTimeInt before, after;
};

std::string PadsText(const std::vector<RunTimeInt>& pads) {
  std::vector<std::string> texts;
  for (const RunTimeInt& pad : pads) {
    texts.push_back(pad.is_number() ? absl::StrCat(pad.low) : "?");
  }
  return absl::StrCat("[", absl::StrJoin(texts, ","), "]");
}

// `computed` is the value of the padding if it is no constant; its node is null
// if `value` is used.
absl::Status Pad(OpImport& op, const std::vector<RunTimeInt>& pads,
                 const Ints& axes, float value, Value computed = {}) {
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("mode", "constant"));
  const bool has_wrap = op.opset() >= 19;
  if (mode != "constant" && mode != "edge" && mode != "reflect" &&
      !(mode == "wrap" && has_wrap)) {
    return Malformed("attribute `mode` is ", Quote(mode),
                     " but constant, edge, reflect", has_wrap ? " or wrap" : "",
                     " is needed");
  }
  const auto rank = op.InputType(0).shape.size();
  if (pads.size() != 2 * axes.size()) {
    return Malformed("pads ", PadsText(pads), " need ", 2 * axes.size(),
                     " numbers");
  }
  Ints before(rank, 0), after(rank, 0);
  std::vector<RunTimePadding> run_time;
  for (size_t i = 0; i < axes.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t axis,
        NormalizeAxis(op, "axis", axes[i], static_cast<int64_t>(rank)));
    const RunTimeInt &front = pads[i], &back = pads[i + axes.size()];
    for (const RunTimeInt& pad : {front, back}) {
      if (!pad.is_number() || (pad.low >= -kMaxPad && pad.low <= kMaxPad)) {
        continue;
      }
      return Malformed("pads ", PadsText(pads),
                       " have a number that is not between ", -kMaxPad, " and ",
                       kMaxPad);
    }
    if (front.is_number() && back.is_number() && !op.HasBoundedInput()) {
      before[axis] = front.low;
      after[axis] = back.low;
    } else {
      run_time.push_back({axis, front, back});
    }
  }
  ASSAY_ASSIGN_OR_RETURN(Value x, Crop(op, op.Input(0), before, after));
  const Ints none(rank, 0);
  if (before != none || after != none) {
    if (mode != "constant") {
      ASSAY_ASSIGN_OR_RETURN(x, Repeat(op, x, mode, before, after));
    } else if (computed.node != nullptr) {
      ASSAY_ASSIGN_OR_RETURN(x, Surround(op, x, computed, before, after));
    } else {
      ASSAY_ASSIGN_OR_RETURN(
          x, op.Add(OpKind::kPad, graph::PadAttrs{before, after, value}, {x}));
    }
  }
  if (run_time.empty()) return op.SetResult(x);
  if (computed.node == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(NDArray scalar,
                           graph::ScalarOf(x.type().dtype, value));
    computed = op.AddConstant(std::move(scalar));
  }
  for (const RunTimePadding& padding : run_time) {
    const RunTimeInt none_here = RunTimeInt::Number(0);
    if (padding.before == none_here && padding.after == none_here) continue;
    ASSAY_ASSIGN_OR_RETURN(x, AddRunTimePad(op, x, padding.axis, padding.before,
                                            padding.after, mode, computed));
  }
  return op.SetResult(x);
}

Ints AllAxes(const OpImport& op) {
  return AxesBetween(0, op.InputType(0).rank());
}

absl::Status ImportPadAttributes(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto pads, op.attributes().OptionalInts("pads"));
  if (!pads.has_value()) return Malformed("attribute `pads` is missing");
  ASSAY_ASSIGN_OR_RETURN(const float value,
                         op.attributes().Float("value", 0.0f));
  std::vector<RunTimeInt> numbers;
  for (const int64_t pad : *pads) numbers.push_back(RunTimeInt::Number(pad));
  return Pad(op, numbers, AllAxes(op), value);
}

absl::Status ImportPadInputs(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto pads, IntsOf(op, 1, "pads"));
  float value = 0;
  Value computed;
  if (op.HasInput(2)) {
    const std::optional<float> given = KnownScalar(op, 2);
    if (given.has_value()) {
      value = *given;
    } else if (op.InputType(2).num_elements() == 1) {
      ASSAY_ASSIGN_OR_RETURN(computed, op.AddReshape(op.Input(2), {}));
    } else {
      return Malformed("input 2 (constant_value) is ",
                       op.InputType(2).ToString(), " but one number is needed");
    }
  }
  Ints axes = AllAxes(op);
  if (op.HasInput(3)) {
    ASSAY_ASSIGN_OR_RETURN(axes, op.KnownInts(3, "axes"));
  }
  return Pad(op, pads, axes, value, computed);
}

constexpr OperatorRow kOperators[] = {
    {"Pad", 2, 2, 1, 1, 1, ImportPadAttributes},
    {"Pad", 11, 13, 2, 3, 1, ImportPadInputs},
    {"Pad", 18, 25, 2, 4, 1, ImportPadInputs},
};

}  // namespace

absl::Span<const OperatorRow> DataMovementPadOperators() { return kOperators; }

}  // namespace assay::frontend
