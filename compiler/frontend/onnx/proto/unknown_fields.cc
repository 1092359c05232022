#include "compiler/frontend/onnx/proto/unknown_fields.h"

#include <cstdint>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace assay::frontend {
namespace {

using google::protobuf::internal::WireFormatLite;

std::string StringField(const std::string& encoded, int number) {
  std::string last;
  for (UnknownField& field : DecodeUnknownFields(encoded)) {
    if (field.number == number) last = std::move(field.content);
  }
  return last;
}

}  // namespace

std::vector<UnknownField> DecodeUnknownFields(const std::string& encoded) {
  std::vector<UnknownField> fields;
  google::protobuf::io::CodedInputStream in(
      reinterpret_cast<const uint8_t*>(encoded.data()),
      static_cast<int>(encoded.size()));
  while (const uint32_t tag = in.ReadTag()) {
    UnknownField field;
    field.number = WireFormatLite::GetTagFieldNumber(tag);
    uint32_t length = 0;
    const bool is_read =
        WireFormatLite::GetTagWireType(tag) ==
                WireFormatLite::WIRETYPE_LENGTH_DELIMITED
            ? in.ReadVarint32(&length) &&
                  in.ReadString(&field.content, static_cast<int>(length))
            : WireFormatLite::SkipField(&in, tag);
    if (!is_read) break;
    fields.push_back(std::move(field));
  }
  return fields;
}

std::string OverloadOf(const onnx::NodeProto& call) {
  return StringField(call.unknown_fields(), kNodeOverload);
}

std::string OverloadOf(const onnx::FunctionProto& function) {
  return StringField(function.unknown_fields(), kFunctionOverload);
}

std::vector<onnx::AttributeProto> AttributeDefaults(
    const onnx::FunctionProto& function) {
  std::vector<onnx::AttributeProto> defaults;
  for (const UnknownField& field :
       DecodeUnknownFields(function.unknown_fields())) {
    if (field.number != kFunctionAttributeDefault) continue;
    onnx::AttributeProto attribute;
    // A damaged attribute has no name, so no call can use it.
    if (attribute.ParseFromString(field.content)) defaults.push_back(attribute);
  }
  return defaults;
}

}  // namespace assay::frontend
