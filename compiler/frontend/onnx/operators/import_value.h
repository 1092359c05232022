// ImportValue: the meaning of a name in an ONNX file during import, which is a
// tensor, a sequence of tensors or an optional value.
//
// A graph has only tensors. Sequences and optional values exist only while a
// model is imported: the length of a sequence and the presence of an optional
// value are known then, and graph nodes are made from the tensors inside.
//
//   const ImportValue pair(TensorSequence{DType::Float32(), {a, b}});
//   const ImportValue maybe = ImportValue::Present(pair);
//   maybe.content().sequence().elements.size();  // 2
//
// As in ONNX, the elements of a sequence are tensors, and an optional value
// contains a tensor or a sequence. Copies of an ImportValue share a sequence.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_IMPORT_VALUE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_IMPORT_VALUE_H_

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "runtime/base/dtype.h"

namespace assay::frontend {

struct TensorSequence {
  // The element type of all tensors, also if there are none.
  DType dtype;
  std::vector<graph::Value> elements;
};

class ImportValue {
 public:
  // Creates an operand that is left out.
  ImportValue() = default;
  // Creates a tensor, or an operand that is left out if `tensor` is null.
  ImportValue(graph::Value tensor)  // NOLINT: tensors are the usual values
      : content_(tensor) {}
  explicit ImportValue(TensorSequence sequence)
      : content_(std::make_shared<TensorSequence>(std::move(sequence))) {}
  // Returns an optional value that contains `content`, which must be a tensor
  // or a sequence.
  static ImportValue Present(ImportValue content);
  // Returns an optional value that contains nothing.
  static ImportValue Absent();

  // For each value, exactly one of these functions returns true.
  bool is_left_out() const { return !is_optional_ && !has_content(); }
  bool is_tensor() const {
    return !is_optional_ && has_content() && !has_sequence();
  }
  bool is_sequence() const { return !is_optional_ && has_sequence(); }
  bool is_optional() const { return is_optional_; }

  // Returns true if this is a sequence, or an optional value that contains one.
  bool has_sequence() const {
    return std::holds_alternative<SharedSequence>(content_);
  }
  // Returns true if this is an optional value that contains something.
  bool is_present() const { return is_optional_ && has_content(); }

  // Returns the tensor. CHECK-fails if this is not a tensor.
  graph::Value tensor() const;
  // Returns the sequence. CHECK-fails if this is not a sequence.
  const TensorSequence& sequence() const;
  // Returns the content of an optional value. CHECK-fails unless is_present().
  ImportValue content() const;
  // Returns all tensors inside: one for a tensor, the elements of a sequence,
  // those of the content of an optional value.
  std::vector<graph::Value> tensors() const;

  // Returns the kind of the value for messages, for example "a sequence".
  absl::string_view KindName() const;

 private:
  using SharedSequence = std::shared_ptr<const TensorSequence>;

  bool has_content() const;

  // True for optional values, whose content is then in `content_`.
  bool is_optional_ = false;
  // A null Value if there is no content.
  std::variant<graph::Value, SharedSequence> content_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_IMPORT_VALUE_H_
