#include "compiler/frontend/onnx/operators/stack.h"

#include "runtime/base/status_macros.h"

namespace assay::frontend {

using graph::OpKind;
using graph::Value;

absl::StatusOr<Value> TakeRange(OpImport& op, Value x, int64_t axis,
                                int64_t begin, int64_t count) {
  graph::SliceAttrs slice;
  slice.sizes = x.type().shape;
  slice.begins.assign(slice.sizes.size(), 0);
  slice.steps.assign(slice.sizes.size(), 1);
  slice.begins[axis] = begin;
  slice.sizes[axis] = count;
  return op.Add(OpKind::kSlice, slice, {x});
}

absl::StatusOr<Value> TakeIndex(OpImport& op, Value x, int64_t axis,
                                int64_t i) {
  Shape shape = x.type().shape;
  shape.erase(shape.begin() + axis);
  ASSAY_ASSIGN_OR_RETURN(const Value part, TakeRange(op, x, axis, i, 1));
  return op.AddReshape(part, shape);
}

absl::StatusOr<Value> Stack(OpImport& op, absl::Span<const Value> parts,
                            int64_t axis, absl::string_view what) {
  std::vector<Value> rows;
  for (const Value part : parts) {
    Shape shape = part.type().shape;
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t at,
        NormalizeAxis(op, what, axis, static_cast<int64_t>(shape.size()) + 1));
    shape.insert(shape.begin() + at, 1);
    ASSAY_ASSIGN_OR_RETURN(const Value row, op.AddReshape(part, shape));
    rows.push_back(row);
    axis = at;
  }
  return op.Add(OpKind::kConcat, graph::ConcatAttrs{axis}, rows);
}

}  // namespace assay::frontend
