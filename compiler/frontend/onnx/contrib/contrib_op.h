// ContribOp: the node that a builder expands. A builder is the function that
// implements one operator of another domain (contrib_rows.h).
//
// Before a builder is called, the number of operands has been checked. The
// builder must read every attribute that the operator has, check the operands
// on whose form the body depends, add the nodes of the body and set its
// results. Example:
//
//   absl::Status BuildQuickGelu(ContribOp& op) {
//     ASSAY_ASSIGN_OR_RETURN(const float alpha,
//                            op.attributes().Float("alpha", 1.702f));
//     NodeBuilder& b = op.builder();
//     const std::string factor = b.Scalar(op.Type(0).dtype, alpha);
//     return op.SetResult(b.Mul(
//         op.In(0), b.Node("Sigmoid", {b.Mul(op.In(0), factor)})));
//   }
//
// Operands and attributes that only a standard operator reads need not be
// checked: its importer does.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_OP_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_OP_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/contrib/contrib_functions.h"
#include "compiler/frontend/onnx/contrib/node_builder.h"
#include "compiler/frontend/onnx/proto/attributes.h"
#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

// The name and the type of an attribute.
struct AttributeSpec {
  const char* name;
  onnx::AttributeProto::AttributeType type;
};

class ContribOp {
 public:
  // `call` must outlive this object.
  explicit ContribOp(const ContribCall& call);

  NodeBuilder& builder() { return builder_; }
  Attributes& attributes() { return attributes_; }
  // Returns the maximum size in bytes of a constant.
  int64_t max_bytes() const { return call_.max_bytes; }

  int num_inputs() const { return static_cast<int>(names_.size()); }
  bool HasInput(int i) const {
    return i < num_inputs() && call_.types[i] != nullptr;
  }
  // Returns the name of operand `i`; an empty name if it is left out.
  std::string In(int i) const {
    return HasInput(i) ? names_[i] : std::string();
  }
  // Returns the type of operand `i`, which must not be left out.
  const graph::TensorType& Type(int i) const { return *call_.types[i]; }
  // Returns the value of operand `i`; null if it is not known or left out.
  const NDArray* Known(int i) const {
    return HasInput(i) ? call_.values[i] : nullptr;
  }

  // Returns true if result `i` is used (OpImport::WantsResult).
  bool WantsResult(int i) const;

  // Return InvalidArgument, with the type of the operand, if an operand is left
  // out; if a given operand does not have exactly one element; if operand `i`
  // has another rank; or if it does not broadcast to `shape`.
  absl::Status Require(std::initializer_list<int> operands) const;
  absl::Status ExpectScalars(std::initializer_list<int> operands) const;
  absl::Status ExpectRank(int i, int rank) const;
  absl::Status ExpectBroadcast(int i, const Shape& shape) const;

  // Return the value of an attribute, or InvalidArgument if it is absent.
  absl::StatusOr<int64_t> RequiredInt(absl::string_view name);
  absl::StatusOr<float> RequiredFloat(absl::string_view name);
  // Adds copies of those of the attributes that the node has to `to`.
  absl::Status Copy(absl::Span<const AttributeSpec> attributes,
                    NodeBuilder::Added to);
  // Returns Unimplemented if the integer attribute is given and is not 0.
  absl::Status RefuseAttribute(absl::string_view name);
  // Returns Unimplemented if operand `i` is given. `what` is its name.
  absl::Status RefuseInput(int i, absl::string_view what) const;

  // Sets the results in order. An empty name stands for a result that is not
  // computed.
  void SetResults(std::vector<std::string> results) {
    results_ = std::move(results);
  }
  absl::Status SetResult(const std::string& result) {
    SetResults({result});
    return absl::OkStatus();
  }

  // Returns the body that the builder has made.
  ContribBody body() const;

 private:
  const ContribCall& call_;
  Attributes attributes_;
  NodeBuilder builder_;
  std::vector<std::string> names_;  // of the operands
  std::vector<std::string> results_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_OP_H_
