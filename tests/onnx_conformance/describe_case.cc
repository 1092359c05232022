#include "tests/onnx_conformance/describe_case.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"
#include "tests/onnx_conformance/packed_cases.h"

namespace assay::conformance {
namespace {

constexpr int64_t kMaxElements = 8;

std::string ArrayText(const std::string& name, const NDArray& array) {
  std::string text = absl::StrCat(name, " ", array.dtype().ToString(),
                                  ShapeToString(array.shape()));
  const int64_t count = std::min(kMaxElements, array.num_elements());
  for (int64_t i = 0; i < count; ++i) {
    if (array.dtype().is_float()) {
      absl::StrAppend(&text, " ", LoadFloat(array, i));
    } else {
      absl::StrAppend(&text, " ", LoadInt(array, i));
    }
  }
  return count < array.num_elements() ? text + " …" : text;
}

std::string AttributeText(const onnx::AttributeProto& attribute) {
  std::string value = "…";
  switch (attribute.type()) {
    case onnx::AttributeProto::FLOAT:
      value = absl::StrCat(attribute.f());
      break;
    case onnx::AttributeProto::INT:
      value = absl::StrCat(attribute.i());
      break;
    case onnx::AttributeProto::STRING:
      value = attribute.s();
      break;
    case onnx::AttributeProto::INTS:
      value = absl::StrJoin(attribute.ints(), ",");
      break;
    case onnx::AttributeProto::FLOATS:
      value = absl::StrJoin(attribute.floats(), ",");
      break;
    default:
      break;
  }
  return absl::StrCat(attribute.name(), "=", value);
}

}  // namespace

std::string DescribeCase(const PackedCase& packed) {
  std::vector<std::string> parts;
  onnx::ModelProto model;
  if (model.ParseFromString(packed.model()) && model.graph().node_size() > 0) {
    for (const auto& opset : model.opset_import()) {
      parts.push_back(absl::StrCat("opset ", opset.domain(), opset.version()));
    }
    std::vector<std::string> attributes;
    for (const auto& attribute : model.graph().node(0).attribute()) {
      attributes.push_back(AttributeText(attribute));
    }
    parts.push_back(absl::StrJoin(attributes, " "));
    for (const auto& tensor : model.graph().initializer()) {
      const auto array =
          frontend::ReadTensor(tensor, "", std::numeric_limits<int32_t>::max());
      if (array.ok()) parts.push_back(ArrayText(tensor.name(), *array));
    }
  }
  const auto test_case = Unpack(packed);
  if (test_case.ok()) {
    for (const auto& tensor : TensorsOf(test_case->sets[0].inputs)) {
      parts.push_back(ArrayText(tensor.name, tensor.value));
    }
  }
  return absl::StrCat(packed.name(), " (", absl::StrJoin(parts, "; "), ")");
}

}  // namespace assay::conformance
