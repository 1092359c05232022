// ContribCallText: a node of another domain, and the text of the nodes that
// replace it.
//
//   EXPECT_EQ(ContribCallText("BiasGelu").In("float32[2,3]").In("float32[3]")
//                 .Text(),
//             "%0 = Add(%in0, %in1)\n"
//             "%1 = Gelu(%0)\n"
//             "-> %1");
//
// The text has one line for each node, and one for the results. Constants are
// written where they are used, a scalar as `0.5` and others as `[1,2]`; the
// other results are numbered without them. `_` stands for an operand that is
// left out, or a result that is not computed.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_TESTING_CONTRIB_CALL_TEXT_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_TESTING_CONTRIB_CALL_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

class ContribCallText {
 public:
  explicit ContribCallText(const char* op_type,
                           const char* domain = "com.microsoft");

  // Adds an operand of a type such as `float32[2,3]`, or leaves one out.
  ContribCallText& In(const char* type);
  ContribCallText& LeaveOut();
  // Adds a result. The first result exists already.
  ContribCallText& Out(const char* name);

  // The next five methods add an attribute.
  ContribCallText& Int(const char* name, int64_t value);
  ContribCallText& Ints(const char* name, const std::vector<int64_t>& values);
  ContribCallText& Float(const char* name, float value);
  ContribCallText& Floats(const char* name, const std::vector<float>& values);
  ContribCallText& String(const char* name, const char* value);

  // Returns the text of the body. If the node cannot be expanded, returns
  // `error: ` and the message. No operand has a known value.
  std::string Text() const;

 private:
  onnx::AttributeProto& NewAttribute(const char* name,
                                     onnx::AttributeProto::AttributeType type);

  onnx::NodeProto node_;
  std::vector<graph::TensorType> types_;
  std::vector<bool> given_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_TESTING_CONTRIB_CALL_TEXT_H_
