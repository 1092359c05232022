// Split: one slice for each result. Where the extents are said depends on the
// opset: an attribute until 12, an operand since 13; since 18 their number can
// be said instead.
#include <optional>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using Extents = std::optional<std::vector<int64_t>>;

absl::Status Split(OpImport& op, Extents given, int64_t count) {
  const Shape& shape = op.InputType(0).shape;
  ASSAY_ASSIGN_OR_RETURN(const int64_t asked, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         NormalizeAxis(op, "attribute `axis`", asked,
                                       static_cast<int64_t>(shape.size())));
  if (!given.has_value() && count == op.num_results()) {
    // Equal parts; the last may be smaller.
    const int64_t part = (shape[axis] + count - 1) / count;
    given.emplace(count, part);
    given->back() = shape[axis] - part * (count - 1);
  }
  const Extents& extents = given;
  const int64_t parts =
      extents.has_value() ? static_cast<int64_t>(extents->size()) : count;
  if (parts != op.num_results()) {
    return Malformed("there are ", parts, " extents for ", op.num_results(),
                     " results");
  }
  graph::SliceAttrs attrs;
  attrs.begins.assign(shape.size(), 0);
  attrs.steps.assign(shape.size(), 1);
  attrs.sizes = shape;
  std::vector<graph::Value> results;
  int64_t begin = 0;
  for (int64_t extent : *extents) {
    if (extent < 0 || extent > shape[axis] - begin) break;
    attrs.begins[axis] = extent == 0 ? 0 : begin;
    attrs.sizes[axis] = extent;
    ASSAY_ASSIGN_OR_RETURN(const graph::Value part,
                           op.Add(graph::OpKind::kSlice, attrs, {op.Input(0)}));
    results.push_back(part);
    begin += extent;
  }
  if (results.size() != extents->size() || begin != shape[axis]) {
    return Malformed("the extents ", ShapeToString(*extents),
                     " do not make up axis ", axis, " of ",
                     op.InputType(0).ToString());
  }
  op.SetResults(std::move(results));
  return absl::OkStatus();
}

}  // namespace

absl::Status ImportSplitAttribute(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(Extents extents,
                         op.attributes().OptionalInts("split"));
  const int64_t count = op.num_results();
  if (!extents.has_value() && op.InputType(0).rank() > 0) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t axis, op.attributes().Int("axis", 0));
    const Shape& shape = op.InputType(0).shape;
    const auto rank = static_cast<int64_t>(shape.size());
    if (axis >= -rank && axis < rank &&
        shape[axis < 0 ? axis + rank : axis] % count != 0) {
      return Malformed(count, " equal parts do not make up ",
                       op.InputType(0).ToString());
    }
  }
  return Split(op, std::move(extents), count);
}

absl::Status ImportSplitInput(OpImport& op) {
  int64_t count = op.num_results();
  if (op.opset() >= 18) {
    ASSAY_ASSIGN_OR_RETURN(count, op.attributes().Int("num_outputs", count));
    if (count < 1) return Malformed("attribute `num_outputs` is ", count);
  }
  if (!op.HasInput(1)) return Split(op, std::nullopt, count);
  ASSAY_ASSIGN_OR_RETURN(Extents extents, op.ConstantInts(1, "split"));
  return Split(op, std::move(extents), count);
}

}  // namespace assay::frontend
