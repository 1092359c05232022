// OneNode: an ONNX model with one node, for tests of single operators.
//
//   EXPECT_EQ(OneNode("Flatten", 7).Data({2, 3, 4}).Text(),
//             "%1: float32[2,12] = reshape(%x0) {shape=[2,12]} \"n\"");
//
// The name of the node is `n`. Its operands are named `x0`, `x1`, … in order.
// Its first result is named `y` and is the only output of the graph, unless
// Output() adds others.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_TESTING_ONE_NODE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_TESTING_ONE_NODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

class OneNode {
 public:
  OneNode(absl::string_view op_type, int opset);

  // The next five methods add an operand to the node.
  // Data: a graph input.
  OneNode& Data(const Shape& shape, onnx::TensorProto::DataType element_type =
                                        onnx::TensorProto::FLOAT);
  // Constant: an initializer.
  OneNode& Constant(const NDArray& value);
  // Weights: an initializer of type float32 whose elements are 0.
  OneNode& Weights(const Shape& shape);
  // Int64s: an initializer of type int64 and rank 1.
  OneNode& Int64s(const std::vector<int64_t>& values);
  // LeaveOut: an optional operand that is left out.
  OneNode& LeaveOut();

  // The next five methods add an attribute to the node.
  OneNode& Int(absl::string_view name, int64_t value);
  OneNode& Ints(absl::string_view name, const std::vector<int64_t>& values);
  OneNode& Float(absl::string_view name, float value);
  OneNode& Floats(absl::string_view name, const std::vector<float>& values);
  OneNode& String(absl::string_view name, absl::string_view value);
  // Adds another result to the node. It is not an output of the graph.
  OneNode& Result(absl::string_view name);
  // Adds another result to the node, which is an output of the graph.
  OneNode& Output(absl::string_view name);
  // Puts the node in a domain, of which the model imports version 1.
  OneNode& Domain(absl::string_view domain);

  const std::string& op_type() const {
    return model_.graph().node(0).op_type();
  }
  onnx::ModelProto& model() { return model_; }
  onnx::NodeProto& node() { return *model_.mutable_graph()->mutable_node(0); }

  absl::StatusOr<std::unique_ptr<graph::Graph>> Import() const;
  // Imports the model and returns the text of the graph, one node per line.
  // Inputs are omitted, and so are constants that are not outputs. If import
  // fails, returns `error: ` and the message; if the graph is invalid, returns
  // `wrong graph: ` and the message.
  std::string Text() const;
  // Like Text(), after the pass fake_quantization_to_integer.
  std::string IntegerText() const;

 private:
  std::string AddOperand();

  onnx::ModelProto model_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TESTING_ONE_NODE_H_
