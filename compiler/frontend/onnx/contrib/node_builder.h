// NodeBuilder: writes a list of ONNX nodes, one operator after another, so that
// an expansion reads like the definition of the operator.
//
//   NodeBuilder b;
//   const std::string sum = b.Add(x, skip);
//   const std::string y = b.Node("LayerNormalization", {sum, gamma, beta})
//                             .Int("axis", -1)
//                             .Float("epsilon", epsilon);
//
// Values are referred to by their names. The builder names results `%0`, `%1`,
// …, so that they are unlikely to be names of the model. Nodes have no names.
// Operators have their meaning of opset kContribOpset (contrib_functions.h).
// The builder checks nothing: the importer of each operator does.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_NODE_BUILDER_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_NODE_BUILDER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/dtype.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// Returns the number of an element type in ONNX.
onnx::TensorProto::DataType OnnxElementType(DType dtype);

class NodeBuilder {
 public:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

  // A node that was added. The methods that add an attribute can be chained.
  // Converts to the name of the first result.
  class Added {
   public:
    Added& Int(absl::string_view name, int64_t value);
    Added& Ints(absl::string_view name, absl::Span<const int64_t> values);
    Added& Float(absl::string_view name, float value);
    Added& String(absl::string_view name, absl::string_view value);
    // Adds a copy of an attribute of another node.
    Added& Copy(const onnx::AttributeProto& attribute);

    const std::string& Result(int i) const { return node_->output(i); }
    operator std::string() const { return node_->output(0); }

   private:
    friend class NodeBuilder;
    explicit Added(onnx::NodeProto* node) : node_(node) {}
    onnx::AttributeProto& NewAttribute(
        absl::string_view name, onnx::AttributeProto::AttributeType type);

    onnx::NodeProto* node_;
  };

  // Adds a node. An empty name among `inputs` leaves out the operand.
  Added Node(absl::string_view op_type, absl::Span<const std::string> inputs,
             int results = 1);

  // Add the node of the operator of this name, and return its result.
  std::string Add(const std::string& a, const std::string& b);
  std::string Sub(const std::string& a, const std::string& b);
  std::string Mul(const std::string& a, const std::string& b);
  std::string Div(const std::string& a, const std::string& b);
  std::string MatMul(const std::string& a, const std::string& b);
  std::string Sqrt(const std::string& x);
  std::string Where(const std::string& condition, const std::string& a,
                    const std::string& b);
  std::string Reshape(const std::string& x, absl::Span<const int64_t> shape);
  std::string Transpose(const std::string& x, absl::Span<const int64_t> perm);
  // Converts `x`, of type `from`, to type `to`. Returns `x` if they are equal.
  std::string Cast(const std::string& x, DType from, DType to);

  // Add a constant: any array, a scalar, which is rounded to `dtype`, or an
  // int64 vector.
  std::string Constant(const NDArray& value);
  std::string Scalar(DType dtype, double value);
  std::string Int64s(absl::Span<const int64_t> values);

  const Nodes& nodes() const { return nodes_; }

 private:
  Nodes nodes_;
  int next_ = 0;  // number of the next result
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_NODE_BUILDER_H_
