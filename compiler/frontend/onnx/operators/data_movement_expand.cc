// Operators that repeat elements or make tensors of a given shape: Expand,
// Tile, ConstantOfShape, Range, EyeLike, OneHot, Trilu, Size. Positions
// are compared with a broadcast vector 0, 1, 2, ....
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "compiler/graph/builder/run_time_movement.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::TensorType;
using graph::Value;

absl::StatusOr<Value> BroadcastTo(OpImport& op, Value x, Shape shape) {
  if (x.type().shape == shape) return x;
  return op.Add(OpKind::kBroadcastTo, graph::ReshapeAttrs{std::move(shape)},
                {x});
}

Value AddInteger(OpImport& op, int64_t value) {
  return op.AddConstant(NDArray::FromVector<int64_t>({}, {value}));
}

// The value of the scalar operand `i`, of any type.
absl::StatusOr<double> AnyNumber(const OpImport& op, int i) {
  const NDArray* array = op.KnownInput(i);
  if (array == nullptr || array->num_elements() != 1) {
    return Unsupported("input ", i, " is ", op.InputType(i).ToString(),
                       "; only one constant is supported");
  }
  return array->dtype().is_float() ? LoadFloat(*array, 0)
                                   : static_cast<double>(LoadInt(*array, 0));
}

// `start + i * delta` for `count` elements; integers wrap around.
NDArray Sequence(const NDArray& start, const NDArray& delta, int64_t count) {
  NDArray result(start.dtype(), {count});
  for (int64_t i = 0; i < count; ++i) {
    if (start.dtype().is_float()) {
      StoreFloat(
          result, i,
          LoadFloat(start, 0) + static_cast<double>(i) * LoadFloat(delta, 0));
    } else {
      const auto first = static_cast<uint64_t>(LoadInt(start, 0));
      const auto step = static_cast<uint64_t>(LoadInt(delta, 0));
      const uint64_t number = first + static_cast<uint64_t>(i) * step;
      StoreInt(result, i, static_cast<int64_t>(number));
    }
  }
  return result;
}

// The numbers in `extents`; nothing if one is no number.
std::optional<Shape> AsShape(const std::vector<RunTimeInt>& extents) {
  Shape shape;
  for (const RunTimeInt& extent : extents) {
    if (!extent.is_number()) return std::nullopt;
    shape.push_back(extent.low);
  }
  return shape;
}

absl::Status ImportExpand(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto extents, IntsOf(op, 1, "shape"));
  const std::optional<Shape> known = AsShape(extents);
  if (!known.has_value() || op.HasBoundedInput()) {
    return op.SetResult(AddRunTimeExpand(op, op.Input(0), extents));
  }
  const Shape& shape = *known;
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(shape).status());
  ASSAY_ASSIGN_OR_RETURN(Shape result,
                         graph::BroadcastShapes(op.InputType(0).shape, shape));
  return op.SetResult(BroadcastTo(op, op.Input(0), std::move(result)));
}

// Splits each axis into two, of which the first repeats.
absl::Status ImportTile(OpImport& op) {
  const Shape& shape = op.InputType(0).shape;
  ASSAY_ASSIGN_OR_RETURN(const auto given, IntsOf(op, 1, "repeats"));
  if (given.size() != shape.size()) {
    return Malformed("input 1 (repeats) has ", given.size(),
                     " entries but data is ", op.InputType(0).ToString());
  }
  const std::optional<Shape> known = AsShape(given);
  if (!known.has_value() || op.HasBoundedInput()) {
    Value x = op.Input(0);
    for (size_t d = 0; d < given.size(); ++d) {
      ASSAY_ASSIGN_OR_RETURN(
          x, AddRunTimeTile(op, x, static_cast<int64_t>(d), given[d]));
    }
    return op.SetResult(x);
  }
  const Shape& repeats = *known;
  Shape split, repeated, result;
  for (size_t d = 0; d < shape.size(); ++d) {
    split.insert(split.end(), {1, shape[d]});
    repeated.insert(repeated.end(), {repeats[d], shape[d]});
    if (repeats[d] < 0 || repeats[d] > int64_t{1} << 31) {
      return Malformed("input 1 (repeats) is ", ShapeToString(repeats));
    }
    result.push_back(repeats[d] * shape[d]);
  }
  ASSAY_ASSIGN_OR_RETURN(Value y, op.AddReshape(op.Input(0), split));
  ASSAY_ASSIGN_OR_RETURN(y, BroadcastTo(op, y, repeated));
  return op.SetResult(op.AddReshape(y, result));
}

absl::Status ImportConstantOfShape(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto extents, IntsOf(op, 0, "shape"));
  ASSAY_ASSIGN_OR_RETURN(const onnx::TensorProto* tensor,
                         op.attributes().OptionalTensor("value"));
  NDArray value(DType::Float32(), {});
  if (tensor != nullptr) {
    const auto given = ReadTensor(*tensor, op.folder(), op.max_bytes());
    if (!given.ok()) return Annotate(given.status(), "attribute `value`");
    if (given->num_elements() != 1) {
      return Malformed("attribute `value` has ", given->num_elements(),
                       " elements but one is needed");
    }
    value = given->Reshaped({});
  }
  Shape limits;
  for (const RunTimeInt& extent : extents) {
    ASSAY_RETURN_IF_ERROR(ExpectUpperLimit(extent, "input 0 (shape)"));
    limits.push_back(extent.high);
  }
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(limits).status());
  ASSAY_ASSIGN_OR_RETURN(
      Value y, BroadcastTo(op, op.AddConstant(std::move(value)), limits));
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d].is_number()) continue;
    ASSAY_ASSIGN_OR_RETURN(y,
                           Bounded(op, y, static_cast<int64_t>(d), extents[d]));
  }
  return op.SetResult(y);
}

// A range of integers whose start or limit is computed when the model runs.
absl::Status RunTimeRange(OpImport& op) {
  std::vector<RunTimeInt> ends;  // start, limit and delta
  for (const int i : {0, 1, 2}) {
    const TensorType& type = op.InputType(i);
    if (type.dtype.is_float() || type.num_elements() != 1) {
      return Unsupported("input ", i, " is ", type.ToString(),
                         "; only one constant is supported");
    }
    ASSAY_ASSIGN_OR_RETURN(
        const RunTimeInt end,
        OneInteger(op, op.Input(i), absl::StrCat("input ", i)));
    ends.push_back(end);
  }
  if (!ends[2].is_number() || ends[2].low == 0 ||
      ends[2].low == RunTimeInt::kLowest) {
    return Unsupported(
        "input 2 (delta) is 0 or computed when the model runs; only other "
        "constants are supported");
  }
  const int64_t delta = ends[2].low;
  RunTimeMath math(op);
  const RunTimeInt distance = delta > 0 ? math.Subtract(ends[1], ends[0])
                                        : math.Subtract(ends[0], ends[1]);
  const RunTimeInt count =
      math.DivideUp(math.Maximum(distance, RunTimeInt::Number(0)),
                    delta > 0 ? delta : -delta);
  const Value start = math.Scalar(ends[0]);
  const Value step = math.Scalar(ends[2]);
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_RETURN_IF_ERROR(ExpectUpperLimit(count, "the number of elements"));
  ASSAY_ASSIGN_OR_RETURN(Value y, AddPositions(op, count.high, 0, 1));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMultiply, NoAttrs(), {y, step}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kAdd, NoAttrs(), {y, start}));
  ASSAY_ASSIGN_OR_RETURN(y, ConvertedTo(op, y, op.InputType(0).dtype));
  return op.SetResult(Bounded(op, y, 0, count));
}

absl::Status ImportRange(OpImport& op) {
  if (op.opset() >= 27) {
    // Applies to 16-bit floats only; their elements are computed in double.
    ASSAY_RETURN_IF_ERROR(op.attributes().Int("stash_type", 1).status());
  }
  for (const int i : {1, 2}) {
    if (op.InputType(i).dtype == op.InputType(0).dtype) continue;
    return Malformed("start is ", op.InputType(0).ToString(), " but input ", i,
                     " is ", op.InputType(i).ToString());
  }
  for (const int i : {0, 1, 2}) {
    if (op.KnownInput(i) == nullptr) return RunTimeRange(op);
  }
  ASSAY_ASSIGN_OR_RETURN(const double start, AnyNumber(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const double limit, AnyNumber(op, 1));
  ASSAY_ASSIGN_OR_RETURN(const double delta, AnyNumber(op, 2));
  const double count = std::max(std::ceil((limit - start) / delta), 0.0);
  if (!(count <= 1e9)) {
    return Malformed("a range from ", start, " to ", limit, " in steps of ",
                     delta, " is no sequence of at most 1000000000 numbers");
  }
  TensorType type = op.InputType(0);
  type.shape = {static_cast<int64_t>(count)};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  return op.SetResult(op.AddConstant(
      Sequence(*op.KnownInput(0), *op.KnownInput(2), type.shape[0])));
}

absl::Status ImportEyeLike(OpImport& op) {
  const TensorType& like = op.InputType(0);
  if (like.rank() != 2) {
    return Malformed("input 0 is ", like.ToString(), " but rank 2 is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const int64_t k, op.attributes().Int("k", 0));
  ASSAY_ASSIGN_OR_RETURN(const auto code, op.attributes().OptionalInt("dtype"));
  DType type = like.dtype;
  if (code.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(type, ElementType(*code, "attribute `dtype`"));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value row,
                         AddPositions(op, like.shape[0], 0, 2));
  ASSAY_ASSIGN_OR_RETURN(const Value column,
                         AddPositions(op, like.shape[1], 1, 2));
  ASSAY_ASSIGN_OR_RETURN(
      const Value diagonal,
      op.Add(OpKind::kAdd, NoAttrs(), {row, AddInteger(op, k)}));
  ASSAY_ASSIGN_OR_RETURN(const Value is_one,
                         op.Add(OpKind::kEqual, NoAttrs(), {diagonal, column}));
  return op.SetResult(ConvertedTo(op, is_one, type));
}

// bool: true at the position along a new axis that the index selects.
absl::Status ImportOneHot(OpImport& op) {
  const TensorType& given = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(const double depth, AnyNumber(op, 1));
  if (!(depth >= 1 && depth <= 1e9)) {
    return Malformed("input 1 (depth) is ", depth);
  }
  ASSAY_ASSIGN_OR_RETURN(const int64_t given_axis,
                         op.attributes().Int("axis", -1));
  const int64_t rank = given.rank() + 1;
  if (given_axis < -rank || given_axis >= rank) {
    return Malformed("attribute `axis` ", given_axis,
                     " is out of range for rank ", rank);
  }
  const int64_t axis = given_axis < 0 ? given_axis + rank : given_axis;
  ASSAY_ASSIGN_OR_RETURN(Value index,
                         ConvertedTo(op, op.Input(0), DType::Int64()));
  const auto size = static_cast<int64_t>(depth);
  ASSAY_ASSIGN_OR_RETURN(
      const Value is_negative,
      op.Add(OpKind::kLess, NoAttrs(), {index, AddInteger(op, 0)}));
  ASSAY_ASSIGN_OR_RETURN(
      const Value from_end,
      op.Add(OpKind::kAdd, NoAttrs(), {index, AddInteger(op, size)}));
  ASSAY_ASSIGN_OR_RETURN(index, op.Add(OpKind::kSelect, NoAttrs(),
                                       {is_negative, from_end, index}));
  Shape shape = given.shape;
  shape.insert(shape.begin() + axis, 1);
  ASSAY_ASSIGN_OR_RETURN(index, op.AddReshape(index, shape));
  ASSAY_ASSIGN_OR_RETURN(const Value positions,
                         AddPositions(op, size, axis, rank));
  ASSAY_ASSIGN_OR_RETURN(const Value is_hot,
                         op.Add(OpKind::kEqual, NoAttrs(), {index, positions}));
  if (op.InputType(2).shape != Shape{2}) {
    return Malformed("input 2 (values) is ", op.InputType(2).ToString(),
                     " but two values are needed");
  }
  std::vector<Value> values;
  for (const int64_t i : {0, 1}) {
    ASSAY_ASSIGN_OR_RETURN(
        const Value value,
        op.Add(OpKind::kSlice, graph::SliceAttrs{{i}, {1}, {1}},
               {op.Input(2)}));
    values.push_back(value);
  }
  return op.SetResult(
      op.Add(OpKind::kSelect, NoAttrs(), {is_hot, values[1], values[0]}));
}

// Keeps column j of row i where j - i is at least k (upper) or at most (lower).
absl::Status ImportTrilu(OpImport& op) {
  const TensorType& type = op.InputType(0);
  const int64_t rank = type.rank();
  if (rank < 2) {
    return Malformed("input 0 is ", type.ToString(),
                     " but rank 2 or more is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const bool upper, op.attributes().Flag("upper", true));
  Value k = AddInteger(op, 0);
  if (op.HasInput(1)) {
    ASSAY_ASSIGN_OR_RETURN(k, op.AddReshape(op.Input(1), {}));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value row,
                         AddPositions(op, type.shape[rank - 2], 0, 2));
  ASSAY_ASSIGN_OR_RETURN(const Value column,
                         AddPositions(op, type.shape[rank - 1], 1, 2));
  ASSAY_ASSIGN_OR_RETURN(const Value diagonal,
                         op.Add(OpKind::kAdd, NoAttrs(), {row, k}));
  ASSAY_ASSIGN_OR_RETURN(
      const Value stays,
      op.Add(OpKind::kLessEqual, NoAttrs(),
             {upper ? diagonal : column, upper ? column : diagonal}));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, AddScalar(op, 0));
  return op.SetResult(
      op.Add(OpKind::kSelect, NoAttrs(), {stays, op.Input(0), zero}));
}

absl::Status ImportSize(OpImport& op) {
  if (!op.HasBoundedInput()) {
    return op.SetResult(AddInteger(op, op.InputType(0).num_elements()));
  }
  RunTimeMath math(op);
  const Value size = math.Scalar(math.Product(ExtentsOf(op, op.Input(0))));
  ASSAY_RETURN_IF_ERROR(math.status());
  return op.SetResult(size);
}

constexpr OperatorRow kOperators[] = {
    {"ConstantOfShape", 9, 25, 1, 1, 1, ImportConstantOfShape},
    {"Expand", 8, 13, 2, 2, 1, ImportExpand},
    {"EyeLike", 9, 22, 1, 1, 1, ImportEyeLike},
    {"OneHot", 9, 28, 3, 3, 1, ImportOneHot},
    {"Range", 11, 27, 3, 3, 1, ImportRange},
    {"Size", 1, 25, 1, 1, 1, ImportSize},
    {"Tile", 6, 13, 2, 2, 1, ImportTile},
    {"Trilu", 14, 14, 1, 2, 1, ImportTrilu},
};

}  // namespace

absl::Span<const OperatorRow> DataMovementExpandOperators() {
  return kOperators;
}

}  // namespace assay::frontend
