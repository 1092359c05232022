#include "compiler/frontend/onnx/proto/attributes.h"

#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;

absl::string_view TypeName(AttributeProto::AttributeType type) {
  return AttributeProto::AttributeType_Name(type);
}

// The types of which `attribute` has values. Empty lists are not stored in a
// file.
std::vector<AttributeProto::AttributeType> TypesWithValues(
    const AttributeProto& attribute) {
  std::vector<AttributeProto::AttributeType> types;
  const auto add = [&](bool has, AttributeProto::AttributeType type) {
    if (has) types.push_back(type);
  };
  add(attribute.has_f(), AttributeProto::FLOAT);
  add(attribute.has_i(), AttributeProto::INT);
  add(attribute.has_s(), AttributeProto::STRING);
  add(attribute.has_t(), AttributeProto::TENSOR);
  add(attribute.has_g(), AttributeProto::GRAPH);
  add(attribute.has_sparse_tensor(), AttributeProto::SPARSE_TENSOR);
  add(attribute.has_tp(), AttributeProto::TYPE_PROTO);
  add(attribute.floats_size() > 0, AttributeProto::FLOATS);
  add(attribute.ints_size() > 0, AttributeProto::INTS);
  add(attribute.strings_size() > 0, AttributeProto::STRINGS);
  add(attribute.tensors_size() > 0, AttributeProto::TENSORS);
  add(attribute.graphs_size() > 0, AttributeProto::GRAPHS);
  add(attribute.sparse_tensors_size() > 0, AttributeProto::SPARSE_TENSORS);
  add(attribute.type_protos_size() > 0, AttributeProto::TYPE_PROTOS);
  return types;
}

}  // namespace

absl::Status Attributes::Check() const {
  absl::flat_hash_set<std::string> seen;
  for (const AttributeProto& attribute : node_.attribute()) {
    if (attribute.name().empty()) {
      return Malformed("an attribute has no name");
    }
    const std::string name = Quote(attribute.name());
    if (!seen.insert(attribute.name()).second) {
      return Malformed("attribute ", name, " is given twice");
    }
    if (!attribute.ref_attr_name().empty()) {
      return Malformed("attribute ", name, " refers to an attribute of a ",
                       "function, but the node is in no function");
    }
    if (attribute.type() == AttributeProto::UNDEFINED) {
      return Malformed("attribute ", name, " has no type");
    }
    for (const auto type : TypesWithValues(attribute)) {
      if (type != attribute.type()) {
        return Malformed("attribute ", name, " is declared as ",
                         TypeName(attribute.type()), " but has a value of ",
                         TypeName(type));
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const AttributeProto*> Attributes::Find(
    absl::string_view name, AttributeProto::AttributeType type) {
  read_.insert(std::string(name));
  for (const AttributeProto& attribute : node_.attribute()) {
    if (attribute.name() != name) continue;
    if (attribute.type() != type) {
      return Malformed("attribute ", Quote(name), " is ",
                       TypeName(attribute.type()), " but ", TypeName(type),
                       " is needed");
    }
    return &attribute;
  }
  return nullptr;
}

absl::StatusOr<std::optional<int64_t>> Attributes::OptionalInt(
    absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::INT));
  if (attribute == nullptr) return std::optional<int64_t>();
  return std::optional<int64_t>(attribute->i());
}

absl::StatusOr<std::optional<float>> Attributes::OptionalFloat(
    absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::FLOAT));
  if (attribute == nullptr) return std::optional<float>();
  return std::optional<float>(attribute->f());
}

absl::StatusOr<int64_t> Attributes::Int(absl::string_view name,
                                        int64_t absent) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<int64_t> value, OptionalInt(name));
  return value.value_or(absent);
}

absl::StatusOr<float> Attributes::Float(absl::string_view name, float absent) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<float> value, OptionalFloat(name));
  return value.value_or(absent);
}

absl::StatusOr<bool> Attributes::Flag(absl::string_view name, bool absent) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t value, Int(name, absent ? 1 : 0));
  if (value != 0 && value != 1) {
    return Malformed("attribute ", Quote(name), " is ", value,
                     " but 0 or 1 is needed");
  }
  return value == 1;
}

absl::StatusOr<std::string> Attributes::String(absl::string_view name,
                                               absl::string_view absent) {
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::STRING));
  return attribute == nullptr ? std::string(absent) : attribute->s();
}

absl::StatusOr<std::optional<std::vector<int64_t>>> Attributes::OptionalInts(
    absl::string_view name) {
  using Result = std::optional<std::vector<int64_t>>;
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::INTS));
  if (attribute == nullptr) return Result();
  return Result(std::in_place, attribute->ints().begin(),
                attribute->ints().end());
}

absl::StatusOr<std::optional<std::vector<std::string>>>
Attributes::OptionalStrings(absl::string_view name) {
  using Result = std::optional<std::vector<std::string>>;
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::STRINGS));
  if (attribute == nullptr) return Result();
  return Result(std::in_place, attribute->strings().begin(),
                attribute->strings().end());
}

absl::StatusOr<std::optional<std::vector<float>>> Attributes::OptionalFloats(
    absl::string_view name) {
  using Result = std::optional<std::vector<float>>;
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::FLOATS));
  if (attribute == nullptr) return Result();
  return Result(std::in_place, attribute->floats().begin(),
                attribute->floats().end());
}

absl::StatusOr<const onnx::TensorProto*> Attributes::OptionalTensor(
    absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::TENSOR));
  return attribute == nullptr ? nullptr : &attribute->t();
}

absl::StatusOr<const onnx::GraphProto*> Attributes::OptionalGraph(
    absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::GRAPH));
  return attribute == nullptr ? nullptr : &attribute->g();
}

absl::StatusOr<const onnx::TypeProto*> Attributes::OptionalType(
    absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const AttributeProto* attribute,
                         Find(name, AttributeProto::TYPE_PROTO));
  return attribute == nullptr ? nullptr : &attribute->tp();
}

absl::Status Attributes::CheckAllRead(int opset) const {
  for (const AttributeProto& attribute : node_.attribute()) {
    if (!read_.contains(attribute.name())) {
      return Unsupported("attribute ", Quote(attribute.name()),
                         " is not supported for ", node_.op_type(),
                         " in opset ", opset);
    }
  }
  return absl::OkStatus();
}

}  // namespace assay::frontend
