// Fields of ONNX messages that the schema in use does not define, because it
// is older than the file. The parser keeps such fields in encoded form.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_UNKNOWN_FIELDS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_UNKNOWN_FIELDS_H_

#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace assay::frontend {

struct UnknownField {
  int number = 0;
  // The content of a field with a length: a string, or a message in encoded
  // form. Empty for other fields.
  std::string content;
};

// Decodes the fields in `encoded`, which is `unknown_fields()` of a message.
std::vector<UnknownField> DecodeUnknownFields(const std::string& encoded);

// Numbers of fields that newer versions of the format have added.
constexpr int kNodeOverload = 8;
constexpr int kFunctionOverload = 13;
constexpr int kFunctionAttributeDefault = 11;

// Functions with the same domain and name differ in their overload, and a call
// names the overload. It is empty in most models.
std::string OverloadOf(const onnx::NodeProto& call);
std::string OverloadOf(const onnx::FunctionProto& function);

// Returns the attributes of a function that have a default value
// (attribute_proto), which calls may leave out.
std::vector<onnx::AttributeProto> AttributeDefaults(
    const onnx::FunctionProto& function);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_UNKNOWN_FIELDS_H_
