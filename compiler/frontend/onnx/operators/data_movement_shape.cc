// Operators that change or read extents: Flatten, Reshape, Shape, Squeeze and
// Unsqueeze. If all extents are numbers, Shape becomes a constant, and the
// others become a reshape.
#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "compiler/graph/builder/run_time_movement.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using Axes = std::vector<int64_t>;

// The axes of Squeeze and Unsqueeze, counted from the front, without
// duplicates.
absl::StatusOr<std::vector<bool>> MarkAxes(const OpImport& op, const Axes& axes,
                                           int64_t rank) {
  std::vector<bool> marked(rank, false);
  for (const int64_t entry : axes) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                           NormalizeAxis(op, "axis", entry, rank));
    if (marked[axis]) return Malformed("axis ", entry, " is given twice");
    marked[axis] = true;
  }
  return marked;
}

absl::Status Squeeze(OpImport& op, const std::optional<Axes>& axes) {
  const Shape& shape = op.InputType(0).shape;
  std::vector<bool> drop(shape.size(), false);
  if (axes.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(drop, MarkAxes(op, *axes, shape.size()));
  } else {
    for (size_t i = 0; i < shape.size(); ++i) {
      drop[i] = ExtentOf(op, op.Input(0), static_cast<int64_t>(i)) ==
                RunTimeInt::Number(1);
    }
  }
  Shape result;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!drop[i]) {
      result.push_back(shape[i]);
    } else if (shape[i] != 1) {
      return Malformed("axis ", i, " of ", op.InputType(0).ToString(),
                       " is not of extent 1");
    }
  }
  return op.SetResult(op.AddReshape(op.Input(0), result));
}

absl::Status Unsqueeze(OpImport& op, const Axes& axes) {
  const Shape& shape = op.InputType(0).shape;
  // Limits the rank before memory of its size is allocated.
  if (axes.size() > 64) {
    return Malformed("has ", axes.size(), " axes, more than the limit of 64");
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<bool> added,
                         MarkAxes(op, axes, shape.size() + axes.size()));
  Shape result;
  auto next = shape.begin();
  for (const bool is_new : added) result.push_back(is_new ? 1 : *next++);
  return op.SetResult(op.AddReshape(op.Input(0), result));
}

absl::Status ImportSqueezeAxesAttribute(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto axes, op.attributes().OptionalInts("axes"));
  return Squeeze(op, axes);
}

absl::Status ImportSqueezeAxesInput(OpImport& op) {
  if (!op.HasInput(1)) return Squeeze(op, std::nullopt);
  ASSAY_ASSIGN_OR_RETURN(const Axes axes, op.KnownInts(1, "axes"));
  return Squeeze(op, axes);
}

absl::Status ImportUnsqueezeAxesAttribute(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto axes, op.attributes().OptionalInts("axes"));
  if (!axes.has_value()) return Malformed("attribute `axes` is missing");
  return Unsqueeze(op, *axes);
}

// Some models, also test cases of ONNX, give a single axis as a scalar.
absl::Status ImportUnsqueezeAxesInput(OpImport& op) {
  const NDArray* given = op.KnownInput(1);
  if (given != nullptr && given->dtype() == DType::Int64() &&
      given->shape().empty()) {
    return Unsqueeze(op, {given->data<int64_t>()[0]});
  }
  ASSAY_ASSIGN_OR_RETURN(const Axes axes, op.KnownInts(1, "axes"));
  return Unsqueeze(op, axes);
}

absl::Status ImportFlatten(OpImport& op) {
  const Shape& shape = op.InputType(0).shape;
  const int64_t rank = shape.size();
  ASSAY_ASSIGN_OR_RETURN(int64_t axis, op.attributes().Int("axis", 1));
  // Unlike for other operators, one past the last axis is valid, and the last
  // axis is still -1.
  if (axis != rank) {
    ASSAY_ASSIGN_OR_RETURN(axis,
                           NormalizeAxis(op, "attribute `axis`", axis, rank));
  }
  const auto all = absl::MakeConstSpan(shape);
  return op.SetResult(op.AddReshape(
      op.Input(0),
      {NumElements(all.subspan(0, axis)), NumElements(all.subspan(axis))}));
}

// Extents of the data or the shape are computed when the model runs.
absl::Status RunTimeReshape(OpImport& op, std::vector<RunTimeInt> shape,
                            bool allow_zero) {
  int open = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == RunTimeInt::Number(-1)) ++open;
    if (shape[i] != RunTimeInt::Number(0) || allow_zero) continue;
    if (static_cast<int>(i) >= op.InputType(0).rank()) {
      return Malformed("the shape copies extent ", i, " of ",
                       op.InputType(0).ToString(), ", which has none");
    }
    shape[i] = ExtentOf(op, op.Input(0), static_cast<int64_t>(i));
  }
  if (open > 1) return Malformed("the shape leaves more than one extent open");
  return op.SetResult(AddRunTimeReshape(op, op.Input(0), std::move(shape)));
}

absl::Status ImportReshape(OpImport& op) {
  const graph::TensorType& data = op.InputType(0);
  bool allow_zero = false;
  if (op.opset() >= 14) {
    ASSAY_ASSIGN_OR_RETURN(allow_zero,
                           op.attributes().Flag("allowzero", false));
  }
  ASSAY_ASSIGN_OR_RETURN(const auto extents, IntsOf(op, 1, "shape"));
  Shape shape;
  for (const RunTimeInt& extent : extents) shape.push_back(extent.low);
  const bool is_known =
      std::all_of(extents.begin(), extents.end(),
                  [](const RunTimeInt& x) { return x.is_number(); });
  if (!is_known || op.HasBoundedInput()) {
    return RunTimeReshape(op, extents, allow_zero);
  }
  const std::string asked = ShapeToString(shape);
  int64_t* open = nullptr;
  Shape known;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !allow_zero) {
      if (i >= data.shape.size()) {
        return Malformed("shape ", asked, " copies extent ", i, " of ",
                         data.ToString(), ", which has none");
      }
      shape[i] = data.shape[i];
    }
    if (shape[i] != -1) {
      known.push_back(shape[i]);
    } else if (open == nullptr) {
      open = &shape[i];
    } else {
      return Malformed("shape ", asked, " leaves more than one extent open");
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const int64_t elements, CheckedNumElements(known));
  if (open != nullptr) {
    if (elements == 0 || data.num_elements() % elements != 0) {
      return Malformed("shape ", asked, " does not divide the elements of ",
                       data.ToString());
    }
    *open = data.num_elements() / elements;
  }
  return op.SetResult(op.AddReshape(op.Input(0), shape));
}

absl::Status ImportShape(OpImport& op) {
  const Shape& shape = op.InputType(0).shape;
  const int64_t rank = shape.size();
  int64_t start = 0;
  int64_t end = rank;
  if (op.opset() >= 15) {
    ASSAY_ASSIGN_OR_RETURN(start, op.attributes().Int("start", 0));
    ASSAY_ASSIGN_OR_RETURN(end, op.attributes().Int("end", rank));
  }
  // An axis that is out of range is clamped; it is not an error.
  const auto clamp = [&](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  start = clamp(start);
  end = std::max(start, clamp(end));
  const std::vector<RunTimeInt> extents = ExtentsOf(op, op.Input(0));
  RunTimeMath math(op);
  const graph::Value result = math.Vector(absl::MakeConstSpan(extents).subspan(
      static_cast<size_t>(start), static_cast<size_t>(end - start)));
  ASSAY_RETURN_IF_ERROR(math.status());
  return op.SetResult(result);
}

constexpr OperatorRow kOperators[] = {
    {"Flatten", 1, 25, 1, 1, 1, ImportFlatten},
    {"Reshape", 5, 25, 2, 2, 1, ImportReshape},
    {"Shape", 1, 25, 1, 1, 1, ImportShape},
    {"Squeeze", 1, 11, 1, 1, 1, ImportSqueezeAxesAttribute},
    {"Squeeze", 13, 25, 1, 2, 1, ImportSqueezeAxesInput},
    {"Unsqueeze", 1, 11, 1, 1, 1, ImportUnsqueezeAxesAttribute},
    {"Unsqueeze", 13, 25, 2, 2, 1, ImportUnsqueezeAxesInput},
};

}  // namespace

absl::Span<const OperatorRow> DataMovementShapeOperators() {
  return kOperators;
}

}  // namespace assay::frontend
