// Concat, ReverseSequence, Transpose; DepthToSpace and SpaceToDepth, which
// become a reshape, a transpose and a reshape; Slice, whose parameters are
// attributes until opset 9; and Split, which becomes one slice for each result.
// Its extents are an attribute until opset 12 and an operand since 13; since 18
// their number may be given instead.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "compiler/graph/builder/run_time_movement.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using Extents = std::optional<std::vector<int64_t>>;
using Ints = std::vector<int64_t>;
using graph::OpKind;
using graph::Value;

absl::Status ImportConcat(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto given, op.attributes().OptionalInt("axis"));
  if (!given.has_value()) return Malformed("attribute `axis` is missing");
  ASSAY_ASSIGN_OR_RETURN(
      const int64_t axis,
      NormalizeAxis(op, "attribute `axis`", *given, op.InputType(0).rank()));
  return op.SetResult(
      op.Add(OpKind::kConcat, graph::ConcatAttrs{axis}, op.inputs()));
}

absl::Status ImportTranspose(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalInts("perm"));
  // The default permutation reverses the axes.
  std::vector<int64_t> perm(op.InputType(0).rank());
  std::iota(perm.rbegin(), perm.rend(), 0);
  return op.SetResult(op.AddTranspose(op.Input(0), given.value_or(perm)));
}

absl::Status ImportReverseSequence(OpImport& op) {
  graph::ReverseSequenceAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.batch_axis,
                         op.attributes().Int("batch_axis", 1));
  ASSAY_ASSIGN_OR_RETURN(attrs.time_axis, op.attributes().Int("time_axis", 0));
  return op.SetResult(
      op.Add(OpKind::kReverseSequence, attrs, {op.Input(0), op.Input(1)}));
}

struct Image {
  int64_t n = 0, c = 0, h = 0, w = 0, block = 0;
};

absl::StatusOr<Image> ReadImage(OpImport& op) {
  const graph::TensorType& x = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(const auto block,
                         op.attributes().OptionalInt("blocksize"));
  if (!block.has_value() || *block < 1 || *block > 1 << 16) {
    return Malformed("attribute `blocksize` is missing or not positive");
  }
  if (x.rank() != 4) {
    return Malformed("input 0 is ", x.ToString(), " but rank 4 is needed");
  }
  return Image{x.shape[0], x.shape[1], x.shape[2], x.shape[3], *block};
}

absl::Status Rearrange(OpImport& op, const Shape& apart,
                       std::vector<int64_t> perm, const Shape& result) {
  ASSAY_ASSIGN_OR_RETURN(Value y, op.AddReshape(op.Input(0), apart));
  ASSAY_ASSIGN_OR_RETURN(y, op.AddTranspose(y, std::move(perm)));
  return op.SetResult(op.AddReshape(y, result));
}

// Reads the order of channels and blocks, which opset `since` has introduced.
// Returns true for DCR, in which the channels come last.
absl::StatusOr<bool> IsDepthLast(OpImport& op, int since) {
  if (op.opset() < since) return true;
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("mode", "DCR"));
  if (mode == "DCR" || mode == "CRD") return mode == "DCR";
  return Malformed("attribute `mode` is ", Quote(mode),
                   " but DCR or CRD is needed");
}

absl::Status ImportDepthToSpace(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Image x, ReadImage(op));
  ASSAY_ASSIGN_OR_RETURN(const bool is_depth_last, IsDepthLast(op, 11));
  const int64_t b = x.block, depth = x.c / (b * b);
  if (depth * b * b != x.c) {
    return Malformed(x.c, " channels are not a multiple of ", b, " x ", b);
  }
  const Shape result = {x.n, depth, x.h * b, x.w * b};
  if (is_depth_last) {
    return Rearrange(op, {x.n, b, b, depth, x.h, x.w}, {0, 3, 4, 1, 5, 2},
                     result);
  }
  return Rearrange(op, {x.n, depth, b, b, x.h, x.w}, {0, 1, 4, 2, 5, 3},
                   result);
}

absl::Status ImportSpaceToDepth(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Image x, ReadImage(op));
  ASSAY_ASSIGN_OR_RETURN(const bool is_depth_last, IsDepthLast(op, 28));
  const int64_t b = x.block;
  if (x.h % b != 0 || x.w % b != 0) {
    return Malformed(x.h, " x ", x.w, " pixels are not a multiple of ", b,
                     " x ", b);
  }
  const std::vector<int64_t> perm =
      is_depth_last ? std::vector<int64_t>{0, 3, 5, 1, 2, 4}
                    : std::vector<int64_t>{0, 1, 3, 5, 2, 4};
  return Rearrange(op, {x.n, x.c, x.h / b, b, x.w / b, b}, perm,
                   {x.n, x.c * b * b, x.h / b, x.w / b});
}

using Ints = std::vector<int64_t>;

// Positions may be known only when the model runs.
struct Ranges {
  std::vector<RunTimeInt> starts, ends;
  Ints axes, steps;
};

// Starts and ends count from the front after negative ones were counted from
// the end; a start or end beyond the axis is clamped.
void SliceAxis(int64_t axis, int64_t start, int64_t end, int64_t step,
               int64_t extent, graph::SliceAttrs& attrs) {
  const int64_t low = step > 0 ? 0 : -1;
  const int64_t high = step > 0 ? extent : extent - 1;
  const auto place = [&](int64_t index) {
    if (index < 0) index = std::max(index, -extent - 1) + extent;
    return std::clamp(index, low, std::max(high, low));
  };
  const int64_t begin = place(start), last = place(end);
  const int64_t distance = step > 0 ? last - begin : begin - last;
  const int64_t stride = step > 0 ? step : -std::max(step, -extent - 1);
  attrs.begins[axis] = begin;
  attrs.sizes[axis] = distance <= 0 ? 0 : (distance - 1) / stride + 1;
  attrs.steps[axis] = attrs.sizes[axis] <= 1 ? 1 : step;
  if (attrs.sizes[axis] == 0) attrs.begins[axis] = 0;
}

absl::Status Slice(OpImport& op, const Ranges& ranges) {
  Value x = op.Input(0);
  const Shape shape = x.type().shape;
  graph::SliceAttrs attrs;
  attrs.begins.assign(shape.size(), 0);
  attrs.steps.assign(shape.size(), 1);
  attrs.sizes = shape;
  const size_t count = ranges.starts.size();
  if (ranges.ends.size() != count || ranges.axes.size() != count ||
      ranges.steps.size() != count) {
    return Malformed("starts, ends, axes and steps have ", count, ", ",
                     ranges.ends.size(), ", ", ranges.axes.size(), " and ",
                     ranges.steps.size(), " entries");
  }
  // The entries of the axes that are sliced by positions that are no numbers.
  std::vector<std::pair<size_t, int64_t>> run_time;
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = ranges.axes[i];
    const auto rank = static_cast<int64_t>(shape.size());
    // Slice accepts negative axes since opset 10.
    if (axis < 0 && op.opset() == 10) axis += rank;
    ASSAY_ASSIGN_OR_RETURN(axis, NormalizeAxis(op, "axis", axis, rank));
    if (ranges.steps[i] == 0) {
      return Malformed("the step of axis ", axis, " is 0");
    }
    if (ranges.starts[i].is_number() && ranges.ends[i].is_number() &&
        ExtentOf(op, x, axis).is_number()) {
      SliceAxis(axis, ranges.starts[i].low, ranges.ends[i].low, ranges.steps[i],
                shape[axis], attrs);
    } else {
      run_time.push_back({i, axis});
    }
  }
  if (attrs.sizes != shape ||
      std::count(attrs.steps.begin(), attrs.steps.end(), 1) !=
          static_cast<int64_t>(shape.size())) {
    ASSAY_ASSIGN_OR_RETURN(x, op.Add(graph::OpKind::kSlice, attrs, {x}));
  }
  for (const auto& [i, axis] : run_time) {
    ASSAY_ASSIGN_OR_RETURN(x, AddRunTimeSlice(op, x, axis, ranges.starts[i],
                                              ranges.ends[i], ranges.steps[i]));
  }
  return op.SetResult(x);
}

std::vector<RunTimeInt> Numbers(const Ints& values) {
  std::vector<RunTimeInt> numbers;
  for (const int64_t value : values) {
    numbers.push_back(RunTimeInt::Number(value));
  }
  return numbers;
}

Ints Counting(size_t n) {
  Ints numbers;
  for (size_t i = 0; i < n; ++i) numbers.push_back(static_cast<int64_t>(i));
  return numbers;
}

// Constant operand `i`, int32 or int64, or `absent`.
absl::StatusOr<Ints> Operand(const OpImport& op, int i, const char* what,
                             const Ints& absent) {
  if (!op.HasInput(i)) return absent;
  const NDArray* array = op.KnownInput(i);
  if (array == nullptr || array->dtype() != DType::Int32()) {
    return op.KnownInts(i, what);
  }
  Ints values;
  for (int64_t k = 0; k < array->num_elements(); ++k) {
    values.push_back(LoadInt(*array, k));
  }
  return values;
}

absl::Status ImportSliceAttributes(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto starts,
                         op.attributes().OptionalInts("starts"));
  ASSAY_ASSIGN_OR_RETURN(const auto ends, op.attributes().OptionalInts("ends"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, op.attributes().OptionalInts("axes"));
  if (!starts.has_value()) return Malformed("attribute `starts` is missing");
  if (!ends.has_value()) return Malformed("attribute `ends` is missing");
  return Slice(
      op, {Numbers(*starts), Numbers(*ends),
           axes.value_or(Counting(starts->size())), Ints(starts->size(), 1)});
}

absl::Status ImportSliceInputs(OpImport& op) {
  Ranges ranges;
  ASSAY_ASSIGN_OR_RETURN(ranges.starts, IntsOf(op, 1, "starts"));
  ASSAY_ASSIGN_OR_RETURN(ranges.ends, IntsOf(op, 2, "ends"));
  const size_t count = ranges.starts.size();
  ASSAY_ASSIGN_OR_RETURN(ranges.axes, Operand(op, 3, "axes", Counting(count)));
  ASSAY_ASSIGN_OR_RETURN(ranges.steps, Operand(op, 4, "steps", Ints(count, 1)));
  return Slice(op, ranges);
}

using Extents = std::optional<std::vector<int64_t>>;

// `count` equal parts of an axis whose extent is computed when the model runs;
// the last ones may be smaller.
absl::Status SplitEvenly(OpImport& op, int64_t axis, int64_t count) {
  RunTimeMath math(op);
  const RunTimeInt part = math.DivideUp(ExtentOf(op, op.Input(0), axis), count);
  std::vector<Value> results;
  for (int64_t i = 0; i < count; ++i) {
    const RunTimeInt begin = math.Multiply(part, RunTimeInt::Number(i));
    const RunTimeInt end = math.Multiply(part, RunTimeInt::Number(i + 1));
    ASSAY_RETURN_IF_ERROR(math.status());
    ASSAY_ASSIGN_OR_RETURN(
        const Value result,
        AddRunTimeSlice(op, op.Input(0), axis, begin, end, 1));
    results.push_back(result);
  }
  op.SetResults(results);
  return absl::OkStatus();
}

absl::Status Split(OpImport& op, Extents given, int64_t count) {
  const Shape& shape = op.InputType(0).shape;
  ASSAY_ASSIGN_OR_RETURN(const int64_t asked, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         NormalizeAxis(op, "attribute `axis`", asked,
                                       static_cast<int64_t>(shape.size())));
  const bool is_bounded = !ExtentOf(op, op.Input(0), axis).is_number();
  if (is_bounded && !given.has_value() && count == op.num_results()) {
    return SplitEvenly(op, axis, count);
  }
  if (!given.has_value() && count == op.num_results()) {
    // Equal parts, of which the last may be smaller.
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
    // The extents make up the whole axis, however long it is.
    ASSAY_ASSIGN_OR_RETURN(
        const graph::Value part,
        op.AddNode(graph::OpKind::kSlice, attrs, {op.Input(0)},
                   {graph::OperandAxis{0, static_cast<int>(axis)}}));
    results.push_back(part);
    begin += extent;
  }
  if (results.size() != extents->size() ||
      (begin != shape[axis] && !is_bounded)) {
    return Malformed("the extents ", ShapeToString(*extents),
                     " do not make up axis ", axis, " of ",
                     op.InputType(0).ToString());
  }
  op.SetResults(results);
  return absl::OkStatus();
}

absl::Status ImportSplitAttribute(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(Extents extents,
                         op.attributes().OptionalInts("split"));
  const int64_t count = op.num_results();
  if (!extents.has_value() && op.InputType(0).rank() > 0) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t axis, op.attributes().Int("axis", 0));
    const Shape& shape = op.InputType(0).shape;
    const auto rank = static_cast<int64_t>(shape.size());
    if (axis >= -rank && axis < rank && !op.HasBoundedInput() &&
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
  ASSAY_ASSIGN_OR_RETURN(Extents extents, op.KnownInts(1, "split"));
  return Split(op, std::move(extents), count);
}

constexpr OperatorRow kOperators[] = {
    {"Concat", 4, 13, 1, kAnyNumber, 1, ImportConcat},
    {"DepthToSpace", 1, 28, 1, 1, 1, ImportDepthToSpace},
    {"ReverseSequence", 10, 28, 2, 2, 1, ImportReverseSequence},
    {"Slice", 1, 1, 1, 1, 1, ImportSliceAttributes},
    {"Slice", 10, 13, 3, 5, 1, ImportSliceInputs},
    {"SpaceToDepth", 1, 28, 1, 1, 1, ImportSpaceToDepth},
    {"Split", 2, 11, 1, 1, kAnyNumber, ImportSplitAttribute},
    {"Split", 13, 18, 1, 2, kAnyNumber, ImportSplitInput},
    {"Transpose", 1, 25, 1, 1, 1, ImportTranspose},
};

}  // namespace

absl::Span<const OperatorRow> DataMovementOperators() { return kOperators; }

}  // namespace assay::frontend
