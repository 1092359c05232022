// OneNode: an ONNX model of one node, for tests of single operators.
//
//   EXPECT_EQ(OneNode("Flatten", 13).Data({2, 3, 4}).Int("axis", 2).Text(),
//             "%0: float32[2,3,4] = input ...");
//
// The node is named `n`, its operands `x0`, `x1`, …, its result `y`, which is
// the graph's output.
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

  // Operands: a graph input, an initializer, an omitted operand.
  OneNode& Data(const Shape& shape, onnx::TensorProto::DataType element_type =
                                        onnx::TensorProto::FLOAT);
  OneNode& Constant(const NDArray& value);
  OneNode& Weights(const Shape& shape);
  OneNode& Int64s(const std::vector<int64_t>& values);
  OneNode& LeaveOut();

  OneNode& Int(absl::string_view name, int64_t value);
  OneNode& Ints(absl::string_view name, const std::vector<int64_t>& values);
  OneNode& Float(absl::string_view name, float value);
  OneNode& String(absl::string_view name, absl::string_view value);
  // A second result, which is not read.
  OneNode& Result(absl::string_view name);

  onnx::ModelProto& model() { return model_; }
  onnx::NodeProto& node() { return *model_.mutable_graph()->mutable_node(0); }

  absl::StatusOr<std::unique_ptr<graph::Graph>> Import() const;
  // The text of the graph after its inputs and constants, one node per line, or
  // `error: ` and the message.
  std::string Text() const;

 private:
  std::string AddOperand();

  onnx::ModelProto model_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TESTING_ONE_NODE_H_
