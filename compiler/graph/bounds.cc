#include "compiler/graph/bounds.h"

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

// The axis of `to` that holds what axis `axis` of `from` does, if a reshape
// keeps it.
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

// Where an axis that is not reduced ends up.
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

// The same axis where `sound` says so.
std::optional<int> If(bool sound, int axis) {
  return sound ? std::optional<int>(axis) : std::nullopt;
}

// The axis of the result that axis `axis` of operand `operand` becomes, if the
// operator keeps its indices apart. Other operands that vary along that axis
// are the caller's business.
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
      // Regions, and the images that they lie in.
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
  // Not where one element is repeated: how often is no matter of the extent.
  const int d = axis + rank - static_cast<int>(shape.size());
  return If(node.type().shape[d] == shape[axis], d);
}

// Whether operand `operand`, not bounded itself, has the same elements for
// every index of axis `axis` of the result, or none of its own there.
bool IsConstantAlong(const Node& node, int operand, int axis) {
  if (node.kind() == OpKind::kConcat) return false;
  if (node.kind() == OpKind::kRoiAlign) return operand == 0;
  if (OpPattern(node.kind()) > PatternKind::kBroadcast) return true;
  const TensorType& type = node.input(operand).type();
  const int d = axis - node.type().rank() + type.rank();
  return d < 0 || type.shape[d] == 1;
}

}  // namespace

const Bound* Bounds::Find(Value value) const {
  const auto found = bounds_.find(value);
  return found == bounds_.end() ? nullptr : &found->second;
}

absl::Status Bounds::Derive(const Node& node) {
  std::optional<Bound> result;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Bound* bound = Find(node.input(i));
    if (bound == nullptr) continue;
    const std::optional<int> axis = ResultAxis(node, i, bound->axis);
    if (!axis.has_value()) {
      return absl::UnimplementedError(
          absl::StrCat("the extent of axis ", bound->axis, " of operand ", i,
                       ", ", node.input(i).type().ToString(),
                       " at most, is known only when the model runs, and ",
                       OpName(node.kind()), " does not keep that axis apart"));
    }
    const Bound derived = {*axis, bound->extent};
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
