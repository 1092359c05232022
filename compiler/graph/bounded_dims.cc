#include "compiler/graph/bounded_dims.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"

namespace assay::graph {
namespace {

int64_t Product(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t d = begin; d < end; ++d) product *= shape[d];
  return product;
}

// The axis of `to` that a reshape makes of axis `axis` of `from`, if it keeps
// it.
std::optional<int> ReshapedAxis(const Shape& from, int axis, const Shape& to) {
  const int64_t before = Product(from, 0, axis);
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d] == from[axis] && Product(to, 0, d) == before) {
      return static_cast<int>(d);
    }
  }
  return std::nullopt;
}

bool Contains(absl::Span<const int64_t> axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// The axis of the result of a reduction that axis `axis` becomes.
std::optional<int> ReducedAxis(absl::Span<const int64_t> axes, bool keepdims,
                               int axis) {
  if (Contains(axes, axis)) return std::nullopt;
  if (keepdims) return axis;
  const auto before = std::count_if(axes.begin(), axes.end(),
                                    [&](int64_t d) { return d < axis; });
  return axis - static_cast<int>(before);
}

std::optional<int> SlicedAxis(const SliceAttrs& slice, const Shape& shape,
                              int axis) {
  const bool whole = slice.begins[axis] == 0 && slice.steps[axis] == 1 &&
                     slice.sizes[axis] == shape[axis];
  return whole ? std::optional<int>(axis) : std::nullopt;
}

std::optional<int> GatheredAxis(const Node& node, int operand, int axis) {
  const auto gathered = static_cast<int>(node.attrs_as<GatherAttrs>().axis);
  if (operand == 1) return gathered + axis;
  if (axis == gathered) return std::nullopt;
  return axis < gathered ? axis : axis - 1 + node.input(1).type().rank();
}

// `axis` if `kept`.
std::optional<int> If(bool kept, int axis) {
  return kept ? std::optional<int>(axis) : std::nullopt;
}

// The axis of the result that axis `axis` of operand `operand` becomes, if no
// element of the result depends on several indices of it. The caller checks the
// other operands that vary along that axis.
std::optional<int> ResultAxis(const Node& node, int operand, int axis) {
  const Shape& shape = node.input(operand).type().shape;
  const int rank = node.type().rank();
  const PatternKind pattern = OpPattern(node.kind());
  switch (node.kind()) {
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return If(operand == 0, axis);
    case OpKind::kReshape:
      return ReshapedAxis(shape, axis, node.type().shape);
    case OpKind::kTranspose: {
      const auto& perm = node.attrs_as<TransposeAttrs>().perm;
      return static_cast<int>(std::find(perm.begin(), perm.end(), axis) -
                              perm.begin());
    }
    case OpKind::kConcat:
      return If(node.attrs_as<ConcatAttrs>().axis != axis, axis);
    case OpKind::kGather:
      return GatheredAxis(node, operand, axis);
    case OpKind::kSlice:
      return SlicedAxis(node.attrs_as<SliceAttrs>(), shape, axis);
    case OpKind::kArgMax:
    case OpKind::kArgMin: {
      const auto& attrs = node.attrs_as<ArgReduceAttrs>();
      return ReducedAxis({attrs.axis}, attrs.keepdims, axis);
    }
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      return If(node.attrs_as<SoftmaxAttrs>().axis != axis, axis);
    case OpKind::kLayerNorm:
      return If(operand == 0 && axis < node.attrs_as<LayerNormAttrs>().axis,
                axis);
    case OpKind::kResample:
      return If(operand == 0 && node.attrs_as<ResampleAttrs>().axis != axis,
                axis);
    case OpKind::kRoiAlign:
    case OpKind::kMaxRoiPool:
      // The regions and the indices of their images.
      return If(operand > 0 && axis == 0, axis);
    case OpKind::kDense:
    case OpKind::kPackedDense:
    case OpKind::kMatmul:
      // Rows of the first operand.
      return If(operand == 0 && axis == static_cast<int>(shape.size()) - 2,
                rank - 2);
    default:
      break;
  }
  if (IsReduce(node.kind())) {
    const auto& attrs = node.attrs_as<ReduceAttrs>();
    return ReducedAxis(attrs.axes, attrs.keepdims, axis);
  }
  if (pattern > PatternKind::kBroadcast) return std::nullopt;
  // A repeated element has no bounded dimension: the extent does not say how
  // often it is repeated.
  const int d = axis + rank - static_cast<int>(shape.size());
  return If(node.type().shape[d] == shape[axis], d);
}

// Returns true if operand `operand`, which is not bounded, does not vary along
// axis `axis` of the result.
bool IsConstantAlong(const Node& node, int operand, int axis) {
  if (node.kind() == OpKind::kConcat) return false;
  if (node.kind() == OpKind::kRoiAlign) return operand == 0;
  if (OpPattern(node.kind()) > PatternKind::kBroadcast) return true;
  const TensorType& type = node.input(operand).type();
  const int d = axis - node.type().rank() + type.rank();
  return d < 0 || type.shape[d] == 1;
}

}  // namespace

const BoundedDim* BoundedDims::Find(Value value) const {
  const auto found = dims_.find(value);
  return found == dims_.end() ? nullptr : &found->second;
}

absl::Status BoundedDims::Derive(const Node& node) {
  std::optional<BoundedDim> result;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const BoundedDim* dim = Find(node.input(i));
    if (dim == nullptr) continue;
    const std::optional<int> axis = ResultAxis(node, i, dim->axis);
    if (!axis.has_value()) {
      return absl::UnimplementedError(
          absl::StrCat("the extent of axis ", dim->axis, " of operand ", i,
                       ", ", node.input(i).type().ToString(),
                       " at most, is known only when the model runs, and ",
                       OpName(node.kind()), " does not keep that axis apart"));
    }
    const BoundedDim derived = {*axis, dim->extent};
    if (result.has_value() && !(*result == derived)) {
      return absl::UnimplementedError(absl::StrCat(
          "operands have different extents that are known only when the model "
          "runs, which ",
          OpName(node.kind()), " cannot combine"));
    }
    result = derived;
  }
  if (!result.has_value()) return absl::OkStatus();
  for (int i = 0; i < node.num_inputs(); ++i) {
    if (Find(node.input(i)) == nullptr &&
        !IsConstantAlong(node, i, result->axis)) {
      return absl::UnimplementedError(absl::StrCat(
          "operand ", i, ", ", node.input(i).type().ToString(),
          ", meets one whose extent is known only when the model runs"));
    }
  }
  Set({const_cast<Node*>(&node)}, *result);
  return absl::OkStatus();
}

}  // namespace assay::graph
