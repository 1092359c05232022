#include "compiler/graph/builder/bounded_dims.h"

#include <algorithm>
#include <optional>
#include <vector>

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

// The result of ResultAxis() if the extents of the other operands alone decide
// which elements the result has.
constexpr int kVanishes = -1;

std::optional<int> GatheredNdAxis(const Node& node, int operand, int axis) {
  const int indices = node.input(1).type().rank();
  if (operand == 1) return If(axis < indices - 1, axis);
  const auto batch =
      static_cast<int>(node.attrs_as<GatherNdAttrs>().batch_dims);
  const int end = batch + static_cast<int>(node.input(1).type().shape.back());
  if (axis < batch) return axis;
  return If(axis >= end, indices - 1 + axis - end);
}

// Rows of the first operand, columns of the second and axes of both that number
// the matrices.
std::optional<int> MultipliedAxis(const Node& node, int operand, int axis) {
  const int rank = node.type().rank();
  const int given = node.input(operand).type().rank();
  if (axis < given - 2) return axis + rank - given;
  return If(axis == (operand == 0 ? given - 2 : given - 1),
            operand == 0 ? rank - 2 : rank - 1);
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
    case OpKind::kGatherElements:
      if (operand == 1) return axis;
      return If(axis != node.attrs_as<GatherAttrs>().axis, kVanishes);
    case OpKind::kGatherNd:
      return GatheredNdAxis(node, operand, axis);
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
      return If(operand == 0, axis);
    case OpKind::kSlice:
      return SlicedAxis(node.attrs_as<SliceAttrs>(), shape, axis);
    case OpKind::kPad: {
      const auto& pad = node.attrs_as<PadAttrs>();
      return If(pad.before[axis] == 0 && pad.after[axis] == 0, axis);
    }
    case OpKind::kReverseSequence: {
      const auto& attrs = node.attrs_as<ReverseSequenceAttrs>();
      if (operand == 1) return static_cast<int>(attrs.batch_axis);
      return If(axis != attrs.time_axis, axis);
    }
    case OpKind::kArgSort:
      return If(axis != node.attrs_as<ArgSortAttrs>().axis, axis);
    case OpKind::kCumSum: {
      // Sums from the front depend on no later element.
      const auto& attrs = node.attrs_as<CumSumAttrs>();
      return If(axis != attrs.axis || !attrs.reverse, axis);
    }
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
    case OpKind::kBatchNorm:
      return If(operand == 0 && axis != 1, axis);
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      // Images, which are computed one by one.
      return If(operand == 0 && axis == 0, axis);
    case OpKind::kGridSample:
      return If(axis == 0, axis);
    case OpKind::kResample:
      return If(operand == 0 && node.attrs_as<ResampleAttrs>().axis != axis,
                axis);
    case OpKind::kRoiAlign:
    case OpKind::kMaxRoiPool:
      // The regions and the indices of their images.
      return If(operand > 0 && axis == 0, axis);
    case OpKind::kDense:
      return If(axis == 0, operand);
    case OpKind::kMatmul:
      return MultipliedAxis(node, operand, axis);
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
  const bool is_matrix = node.kind() == OpKind::kMatmul;
  switch (node.kind()) {
    case OpKind::kConcat:
      return false;
    case OpKind::kRoiAlign:
      return operand == 0;
    case OpKind::kGridSample:
      return axis != 0;
    case OpKind::kGatherNd:
      return axis >= node.attrs_as<GatherNdAttrs>().batch_dims;
    case OpKind::kReverseSequence:
      return axis != node.attrs_as<ReverseSequenceAttrs>().batch_axis;
    default:
      break;
  }
  if (is_matrix && axis >= node.type().rank() - 2) return true;
  if (!is_matrix && OpPattern(node.kind()) > PatternKind::kBroadcast) {
    return true;
  }
  const TensorType& type = node.input(operand).type();
  const int d = axis - node.type().rank() + type.rank();
  return d < 0 || type.shape[d] == 1;
}

}  // namespace

void BoundedDims::Set(Value value, BoundedDim dim) {
  std::vector<BoundedDim>& dims = dims_[value];
  const auto place = std::lower_bound(
      dims.begin(), dims.end(), dim.axis,
      [](const BoundedDim& other, int axis) { return other.axis < axis; });
  if (place != dims.end() && place->axis == dim.axis) {
    *place = dim;
  } else {
    dims.insert(place, dim);
  }
}

absl::Span<const BoundedDim> BoundedDims::Find(Value value) const {
  const auto found = dims_.find(value);
  if (found == dims_.end()) return {};
  return found->second;
}

const BoundedDim* BoundedDims::Find(Value value, int axis) const {
  for (const BoundedDim& dim : Find(value)) {
    if (dim.axis == axis) return &dim;
  }
  return nullptr;
}

absl::Status BoundedDims::Derive(const Node& node,
                                 absl::Span<const OperandAxis> settled) {
  std::vector<BoundedDim> results;
  // Pairs of an operand and an axis of the result along which it is bounded.
  std::vector<OperandAxis> agreeing;
  for (int i = 0; i < node.num_inputs(); ++i) {
    for (const BoundedDim& dim : Find(node.input(i))) {
      const OperandAxis own = {i, dim.axis};
      if (std::find(settled.begin(), settled.end(), own) != settled.end()) {
        continue;
      }
      const std::optional<int> axis = ResultAxis(node, i, dim.axis);
      if (!axis.has_value()) {
        return absl::UnimplementedError(absl::StrCat(
            "the extent of axis ", dim.axis, " of operand ", i, ", ",
            node.input(i).type().ToString(),
            " at most, is known only when the model runs, and ",
            OpName(node.kind()), " does not keep that axis apart"));
      }
      if (*axis == kVanishes) continue;
      const auto same = std::find_if(
          results.begin(), results.end(),
          [&](const BoundedDim& other) { return other.axis == *axis; });
      if (same == results.end()) {
        results.push_back({*axis, dim.extent});
      } else if (same->extent != dim.extent) {
        return absl::UnimplementedError(absl::StrCat(
            "operands have different extents that are known only when the "
            "model runs, which ",
            OpName(node.kind()), " cannot combine"));
      }
      agreeing.push_back({i, *axis});
    }
  }
  for (const BoundedDim& result : results) {
    for (int i = 0; i < node.num_inputs(); ++i) {
      const OperandAxis own = {i, result.axis};
      const bool agrees =
          std::find(agreeing.begin(), agreeing.end(), own) != agreeing.end();
      if (agrees || IsConstantAlong(node, i, result.axis)) continue;
      return absl::UnimplementedError(absl::StrCat(
          "operand ", i, ", ", node.input(i).type().ToString(),
          ", meets one whose extent is known only when the model runs"));
    }
  }
  for (const BoundedDim& result : results) {
    Set({const_cast<Node*>(&node)}, result);
  }
  return absl::OkStatus();
}

}  // namespace assay::graph
