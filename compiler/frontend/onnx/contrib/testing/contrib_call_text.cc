#include "compiler/frontend/onnx/contrib/testing/contrib_call_text.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/frontend/onnx/contrib/contrib_functions.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;

constexpr int64_t kMaxBytes = 1 << 20;

std::string ValueText(const onnx::TensorProto& tensor) {
  const auto array = ReadTensor(tensor, "", kMaxBytes);
  if (!array.ok()) return std::string(array.status().message());
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < array->num_elements(); ++i) {
    numbers.push_back(array->dtype().is_float()
                          ? absl::StrCat(LoadFloat(*array, i))
                          : absl::StrCat(LoadInt(*array, i)));
  }
  if (array->shape().empty()) return numbers[0];
  return absl::StrCat("[", absl::StrJoin(numbers, ","), "]");
}

std::string AttributeText(const AttributeProto& attribute) {
  std::string value;
  if (attribute.type() == AttributeProto::INT) {
    value = absl::StrCat(attribute.i());
  } else if (attribute.type() == AttributeProto::FLOAT) {
    value = absl::StrCat(attribute.f());
  } else if (attribute.type() == AttributeProto::STRING) {
    value = attribute.s();
  } else {
    value = absl::StrCat("[", absl::StrJoin(attribute.ints(), ","), "]");
  }
  return absl::StrCat(attribute.name(), "=", value);
}

std::string BodyText(const ContribBody& body) {
  std::map<std::string, std::string> names = {{"", "_"}};
  for (const std::string& input : body.inputs) names[input] = input;
  std::string text;
  int next = 0;
  for (const onnx::NodeProto& node : body.nodes) {
    if (node.op_type() == "Constant") {
      names[node.output(0)] = ValueText(node.attribute(0).t());
      continue;
    }
    std::vector<std::string> operands, results, attributes;
    for (const std::string& name : node.input()) {
      operands.push_back(names.count(name) > 0 ? names[name] : "?");
    }
    for (const std::string& name : node.output()) {
      names[name] = absl::StrCat("%", next++);
      results.push_back(names[name]);
    }
    for (const AttributeProto& attribute : node.attribute()) {
      attributes.push_back(AttributeText(attribute));
    }
    absl::StrAppend(&text, absl::StrJoin(results, ", "), " = ", node.op_type(),
                    "(", absl::StrJoin(operands, ", "), ")");
    if (!attributes.empty()) {
      absl::StrAppend(&text, " {", absl::StrJoin(attributes, ", "), "}");
    }
    absl::StrAppend(&text, "\n");
  }
  std::vector<std::string> outputs;
  for (const std::string& name : body.outputs) outputs.push_back(names[name]);
  return absl::StrCat(text, "-> ", absl::StrJoin(outputs, ", "));
}

}  // namespace

ContribCallText::ContribCallText(const char* op_type, const char* domain) {
  node_.set_op_type(op_type);
  node_.set_domain(domain);
  node_.add_output("y");
}

ContribCallText& ContribCallText::In(const char* type) {
  const auto parsed = graph::TensorType::Parse(type);
  CHECK(parsed.ok()) << type;
  node_.add_input("x");
  types_.push_back(*parsed);
  given_.push_back(true);
  return *this;
}

ContribCallText& ContribCallText::LeaveOut() {
  node_.add_input("");
  types_.emplace_back();
  given_.push_back(false);
  return *this;
}

ContribCallText& ContribCallText::Out(const char* name) {
  node_.add_output(name);
  return *this;
}

ContribCallText& ContribCallText::Int(const char* name, int64_t value) {
  NewAttribute(name, AttributeProto::INT).set_i(value);
  return *this;
}

ContribCallText& ContribCallText::Ints(const char* name,
                                       const std::vector<int64_t>& values) {
  AttributeProto& attribute = NewAttribute(name, AttributeProto::INTS);
  for (const int64_t value : values) attribute.add_ints(value);
  return *this;
}

ContribCallText& ContribCallText::Float(const char* name, float value) {
  NewAttribute(name, AttributeProto::FLOAT).set_f(value);
  return *this;
}

ContribCallText& ContribCallText::Floats(const char* name,
                                         const std::vector<float>& values) {
  AttributeProto& attribute = NewAttribute(name, AttributeProto::FLOATS);
  for (const float value : values) attribute.add_floats(value);
  return *this;
}

ContribCallText& ContribCallText::String(const char* name, const char* value) {
  NewAttribute(name, AttributeProto::STRING).set_s(value);
  return *this;
}

std::string ContribCallText::Text() const {
  std::vector<const graph::TensorType*> types;
  for (size_t i = 0; i < types_.size(); ++i) {
    types.push_back(given_[i] ? &types_[i] : nullptr);
  }
  const std::vector<const NDArray*> values(types.size(), nullptr);
  const auto body = ExpandContrib({&node_, types, values, nullptr, kMaxBytes});
  if (body.ok()) return BodyText(*body);
  return absl::StrCat("error: ", std::string(body.status().message()));
}

AttributeProto& ContribCallText::NewAttribute(
    const char* name, AttributeProto::AttributeType type) {
  AttributeProto* attribute = node_.add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return *attribute;
}

}  // namespace assay::frontend
