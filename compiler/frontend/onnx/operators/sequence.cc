// Operators on sequences. The length of a sequence is known during import, and
// the position of an element must be known, too. So a sequence is a list of
// tensors (import_value.h), and most operators add no graph node.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/operators/stack.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;
using Ints = std::vector<int64_t>;

int64_t Length(const TensorSequence& sequence) {
  return static_cast<int64_t>(sequence.elements.size());
}

// Sets the only result. Its memory is counted, because each node that inserts
// an element into a long sequence makes another one.
absl::Status SetSequence(OpImport& op, TensorSequence sequence) {
  const int64_t length = Length(sequence);
  ASSAY_RETURN_IF_ERROR(CheckUnrolled(length, "elements in a sequence"));
  ASSAY_RETURN_IF_ERROR(
      op.UseMemory("a sequence", length * static_cast<int64_t>(sizeof(Value))));
  op.SetImportValues({ImportValue(std::move(sequence))});
  return absl::OkStatus();
}

// Returns operand `i`, a position in `sequence` of at most `last`, or `absent`
// if the operand is left out. A negative position is counted from the end.
absl::StatusOr<int64_t> ReadPosition(const OpImport& op, int i,
                                     const TensorSequence& sequence,
                                     int64_t last, int64_t absent) {
  if (!op.HasInput(i)) return absent;
  const std::string what = absl::StrCat("input ", i, " (position)");
  ASSAY_ASSIGN_OR_RETURN(const Value value, op.InputTensor(i));
  ASSAY_ASSIGN_OR_RETURN(const int64_t position, KnownInteger(op, value, what));
  const int64_t length = Length(sequence);
  if (position < -length || position > last) {
    return Malformed(what, " is ", position, " but the sequence has ", length,
                     " elements");
  }
  return position < 0 ? position + length : position;
}

absl::Status ExpectElements(const TensorSequence& sequence) {
  if (!sequence.elements.empty()) return absl::OkStatus();
  return Malformed("input 0 is an empty sequence");
}

absl::Status ImportSequenceConstruct(OpImport& op) {
  TensorSequence sequence{op.InputType(0).dtype, {}};
  for (int i = 0; i < op.num_inputs(); ++i) {
    if (op.InputType(i).dtype != sequence.dtype) {
      return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                       " but input 0 is ", op.InputType(0).ToString(),
                       "; a sequence has one element type");
    }
    sequence.elements.push_back(op.Input(i));
  }
  return SetSequence(op, std::move(sequence));
}

absl::Status ImportSequenceEmpty(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t code, op.attributes().Int("dtype", 1));
  TensorSequence sequence;
  ASSAY_ASSIGN_OR_RETURN(sequence.dtype,
                         ElementType(code, "attribute `dtype`"));
  return SetSequence(op, std::move(sequence));
}

absl::Status ImportSequenceInsert(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(TensorSequence sequence, op.InputSequence(0));
  ASSAY_ASSIGN_OR_RETURN(const Value tensor, op.InputTensor(1));
  const int64_t length = Length(sequence);
  ASSAY_ASSIGN_OR_RETURN(const int64_t position,
                         ReadPosition(op, 2, sequence, length, length));
  if (tensor.type().dtype != sequence.dtype) {
    return Malformed("input 1 is ", tensor.type().ToString(),
                     " but the sequence is of ", sequence.dtype.ToString());
  }
  sequence.elements.insert(sequence.elements.begin() + position, tensor);
  return SetSequence(op, std::move(sequence));
}

absl::Status ImportSequenceErase(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(TensorSequence sequence, op.InputSequence(0));
  ASSAY_RETURN_IF_ERROR(ExpectElements(sequence));
  const int64_t last = Length(sequence) - 1;
  ASSAY_ASSIGN_OR_RETURN(const int64_t position,
                         ReadPosition(op, 1, sequence, last, last));
  sequence.elements.erase(sequence.elements.begin() + position);
  return SetSequence(op, std::move(sequence));
}

absl::Status ImportSequenceAt(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const TensorSequence sequence, op.InputSequence(0));
  ASSAY_RETURN_IF_ERROR(ExpectElements(sequence));
  const int64_t last = Length(sequence) - 1;
  ASSAY_ASSIGN_OR_RETURN(const int64_t position,
                         ReadPosition(op, 1, sequence, last, last));
  return op.SetResult(sequence.elements[static_cast<size_t>(position)]);
}

absl::Status ImportSequenceLength(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const TensorSequence sequence, op.InputSequence(0));
  return op.SetResult(
      op.AddConstant(NDArray::FromVector<int64_t>({}, {Length(sequence)})));
}

// Returns the extents of the parts of an axis of `extent` elements that operand
// 1 of SplitToSequence selects: all have the extent that a scalar names, except
// for the last, which may be smaller, or a list names all extents.
absl::StatusOr<Ints> ReadExtents(const OpImport& op, int64_t extent) {
  const NDArray* split = op.KnownInput(1);
  if (split == nullptr) {
    return Unsupported(
        "input 1 (split) is computed when the model runs; only constants are "
        "supported");
  }
  if ((split->dtype() != DType::Int32() && split->dtype() != DType::Int64()) ||
      split->shape().size() > 1) {
    return Malformed("input 1 (split) is ", op.InputType(1).ToString(),
                     " but whole numbers of rank 0 or 1 are needed");
  }
  ASSAY_RETURN_IF_ERROR(
      CheckUnrolled(split->num_elements(), "elements in a sequence"));
  Ints extents;
  for (int64_t i = 0; i < split->num_elements(); ++i) {
    extents.push_back(LoadInt(*split, i));
  }
  if (split->shape().empty()) {
    const int64_t size = extents[0];
    if (size < 1) {
      return Malformed("input 1 (split) is ", size, " but 1 or more is needed");
    }
    ASSAY_RETURN_IF_ERROR(
        CheckUnrolled(extent / size, "elements in a sequence"));
    extents.assign(static_cast<size_t>(extent / size), size);
    if (extent % size != 0) extents.push_back(extent % size);
  }
  int64_t left = extent;
  for (const int64_t part : extents) {
    if (part < 0 || part > left) break;
    left -= part;
  }
  if (left == 0) return extents;
  return Malformed("input 1 (split) is ", ShapeToString(extents), " for ",
                   extent, " elements");
}

absl::Status ImportSplitToSequence(OpImport& op) {
  const TensorType type = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(int64_t axis, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(
      axis, NormalizeAxis(op, "attribute `axis`", axis, type.rank()));
  ASSAY_ASSIGN_OR_RETURN(const bool keepdims,
                         op.attributes().Flag("keepdims", true));
  const int64_t extent = type.shape[static_cast<size_t>(axis)];
  Ints extents;
  if (op.HasInput(1)) {
    ASSAY_ASSIGN_OR_RETURN(extents, ReadExtents(op, extent));
  } else {
    ASSAY_RETURN_IF_ERROR(CheckUnrolled(extent, "elements in a sequence"));
    extents.assign(static_cast<size_t>(extent), 1);
  }
  // With operand 1, keepdims has no effect.
  const bool drops_axis = !keepdims && !op.HasInput(1);
  TensorSequence sequence{type.dtype, {}};
  int64_t begin = 0;
  for (const int64_t part : extents) {
    ASSAY_ASSIGN_OR_RETURN(const Value element,
                           drops_axis
                               ? TakeIndex(op, op.Input(0), axis, begin)
                               : TakeRange(op, op.Input(0), axis, begin, part));
    sequence.elements.push_back(element);
    begin += part;
  }
  return SetSequence(op, std::move(sequence));
}

absl::Status ImportConcatFromSequence(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const TensorSequence sequence, op.InputSequence(0));
  ASSAY_RETURN_IF_ERROR(ExpectElements(sequence));
  ASSAY_ASSIGN_OR_RETURN(const auto axis, op.attributes().OptionalInt("axis"));
  if (!axis.has_value()) return Malformed("attribute `axis` is missing");
  ASSAY_ASSIGN_OR_RETURN(const bool new_axis,
                         op.attributes().Flag("new_axis", false));
  if (new_axis) {
    return op.SetResult(
        Stack(op, sequence.elements, *axis, "attribute `axis`"));
  }
  graph::ConcatAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis,
                         NormalizeAxis(op, "attribute `axis`", *axis,
                                       sequence.elements[0].type().rank()));
  return op.SetResult(op.Add(OpKind::kConcat, attrs, sequence.elements));
}

// Checks the operands of SequenceMap: a sequence of `length` elements, then
// sequences of the same length and tensors.
absl::Status CheckMapped(const OpImport& op, int64_t length) {
  for (int i = 1; i < op.num_inputs(); ++i) {
    const ImportValue& operand = op.Operand(i);
    if (operand.is_sequence() && Length(operand.sequence()) != length) {
      return Malformed("input ", i, " has ", Length(operand.sequence()),
                       " elements but input 0 has ", length);
    }
    if (operand.is_optional()) return op.InputTensor(i).status();
  }
  return absl::OkStatus();
}

// Adds the results of one element, number `index`, to those of SequenceMap.
absl::Status AddMapped(const std::vector<ImportValue>& results, size_t index,
                       std::vector<TensorSequence>& sequences) {
  for (size_t r = 0; r < results.size(); ++r) {
    if (!results[r].is_tensor()) {
      return Malformed("result ", r, " of the body is ", results[r].KindName(),
                       " but a tensor is needed");
    }
    const Value tensor = results[r].tensor();
    const DType dtype = tensor.type().dtype;
    if (index == 0) sequences[r].dtype = dtype;
    if (sequences[r].dtype != dtype) {
      return Malformed("result ", r, " of the body is of ", dtype.ToString(),
                       " for element ", index, " but of ",
                       sequences[r].dtype.ToString(), " for element 0");
    }
    sequences[r].elements.push_back(tensor);
  }
  return absl::OkStatus();
}

// Applies a body to each element. The body's other operands are whole tensors,
// or the elements of other sequences at the same position.
absl::Status ImportSequenceMap(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* body,
                         op.attributes().OptionalGraph("body"));
  if (body == nullptr) return Malformed("attribute `body` is missing");
  ASSAY_ASSIGN_OR_RETURN(const TensorSequence first, op.InputSequence(0));
  ASSAY_RETURN_IF_ERROR(CheckMapped(op, Length(first)));
  std::vector<TensorSequence> sequences(
      static_cast<size_t>(body->output_size()));
  for (size_t index = 0; index < first.elements.size(); ++index) {
    std::vector<ImportValue> arguments;
    for (int i = 0; i < op.num_inputs(); ++i) {
      const ImportValue& operand = op.Operand(i);
      if (operand.is_sequence()) {
        arguments.emplace_back(operand.sequence().elements[index]);
      } else {
        arguments.push_back(operand);
      }
    }
    ASSAY_ASSIGN_OR_RETURN(const std::vector<ImportValue> results,
                           op.ImportBody(*body, arguments));
    ASSAY_RETURN_IF_ERROR(AddMapped(results, index, sequences));
  }
  std::vector<ImportValue> results;
  for (int r = 0; r < body->output_size(); ++r) {
    TensorSequence& sequence = sequences[static_cast<size_t>(r)];
    if (sequence.elements.empty()) {
      const auto dtype =
          ReadElementType(body->output(r).type().tensor_type().elem_type());
      if (!dtype.ok()) {
        return Annotate(dtype.status(),
                        absl::StrCat("result ", r, " of the body"));
      }
      sequence.dtype = *dtype;
    }
    results.emplace_back(std::move(sequence));
  }
  op.SetImportValues(std::move(results));
  return absl::OkStatus();
}

constexpr OperatorRow kOperators[] = {
    {"ConcatFromSequence", 11, 11, 1, 1, 1, ImportConcatFromSequence,
     /*takes_any_value=*/true},
    {"SequenceAt", 11, 11, 2, 2, 1, ImportSequenceAt, /*takes_any_value=*/true},
    {"SequenceConstruct", 11, 11, 1, kAnyNumber, 1, ImportSequenceConstruct},
    {"SequenceEmpty", 11, 11, 0, 0, 1, ImportSequenceEmpty},
    {"SequenceErase", 11, 11, 1, 2, 1, ImportSequenceErase,
     /*takes_any_value=*/true},
    {"SequenceInsert", 11, 11, 2, 3, 1, ImportSequenceInsert,
     /*takes_any_value=*/true},
    {"SequenceLength", 11, 11, 1, 1, 1, ImportSequenceLength,
     /*takes_any_value=*/true},
    {"SequenceMap", 17, 17, 1, kAnyNumber, kAnyNumber, ImportSequenceMap,
     /*takes_any_value=*/true},
    {"SplitToSequence", 11, 24, 1, 2, 1, ImportSplitToSequence},
};

}  // namespace

absl::Span<const OperatorRow> SequenceOperators() { return kOperators; }

}  // namespace assay::frontend
