#include "compiler/frontend/onnx/signature.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::TensorType;
using graph::Value;

// The name of tensor `i` in a value that is called `name`.
std::string PartName(const std::string& name, bool is_sequence, size_t i) {
  return is_sequence ? absl::StrCat(name, "[", i, "]") : name;
}

absl::string_view DeclaredKind(const onnx::TypeProto& type) {
  if (type.has_optional_type()) return "an optional value";
  if (type.has_sequence_type()) return "a sequence";
  return type.has_tensor_type() ? "a tensor" : "no tensor";
}

}  // namespace

Signature::Signature(const onnx::GraphProto& proto,
                     const ImportOptions& options, MemoryBudget* memory,
                     const graph::BoundedDims* bounded_dims,
                     graph::Graph* graph)
    : proto_(proto),
      options_(options),
      memory_(memory),
      bounded_dims_(bounded_dims),
      graph_(graph),
      types_(options.dims, *memory) {}

absl::Status Signature::AddInputs(Values& values) {
  for (const onnx::ValueInfoProto& info : proto_.input()) {
    const std::string label = absl::StrCat("input ", Quote(info.name()));
    const auto initializer = values.find(info.name());
    if (initializer != values.end()) {
      // Old versions of the format list weights among the inputs.
      ASSAY_RETURN_IF_ERROR(Annotate(
          types_.CheckDeclared(info, initializer->second.tensor().type()),
          label));
      continue;
    }
    const absl::StatusOr<ImportValue> value = AddInput(info);
    if (!value.ok()) return Annotate(value.status(), label);
    values[info.name()] = *value;
  }
  ASSAY_RETURN_IF_ERROR(types_.CheckDims());
  return CheckOptions();
}

absl::StatusOr<ImportValue> Signature::AddInput(
    const onnx::ValueInfoProto& info) {
  const auto bound = options_.bound_inputs.find(info.name());
  if (bound != options_.bound_inputs.end()) {
    const Value value{graph_->AddConstant(bound->second, info.name())};
    memory_->Use(static_cast<int64_t>(bound->second.num_bytes()));
    ASSAY_RETURN_IF_ERROR(types_.CheckDeclared(info, value.type()));
    return ImportValue(value);
  }
  if (info.type().has_sequence_type() || info.type().has_optional_type()) {
    return AddParts(info);
  }
  ASSAY_ASSIGN_OR_RETURN(const TensorType type, types_.ReadInput(info));
  ASSAY_ASSIGN_OR_RETURN(const Value value, AddTensor(info.name(), type));
  return ImportValue(value);
}

absl::StatusOr<Value> Signature::AddTensor(const std::string& name,
                                           const TensorType& type) {
  memory_->Use(type.num_bytes());
  ASSAY_ASSIGN_OR_RETURN(graph::Node * node, graph_->AddInput(name, type));
  return Value{node};
}

absl::StatusOr<ImportValue> Signature::AddParts(
    const onnx::ValueInfoProto& info) {
  const bool optional = info.type().has_optional_type();
  const onnx::TypeProto& type =
      optional ? info.type().optional_type().elem_type() : info.type();
  const bool is_sequence = type.has_sequence_type();
  const onnx::TypeProto& declared =
      is_sequence ? type.sequence_type().elem_type() : type;
  const auto found = options_.input_parts.find(info.name());
  if (found == options_.input_parts.end()) {
    return Unsupported(
        optional ? "is an optional value; the file does not say whether it is "
                   "present"
                 : "is a sequence; the file does not say how many elements it "
                   "has");
  }
  const ValueParts& parts = found->second;
  if (!parts.present) {
    if (!optional) return Malformed("is a sequence but is given as absent");
    return ImportValue::Absent();
  }
  if (!declared.has_tensor_type()) {
    return Unsupported("contains values that are no tensors");
  }
  if (!is_sequence && parts.types.size() != 1) {
    return Malformed("is a tensor in an optional value but is given ",
                     parts.types.size(), " types");
  }
  TensorSequence tensors;
  ASSAY_ASSIGN_OR_RETURN(tensors.dtype,
                         ReadElementType(declared.tensor_type().elem_type()));
  for (size_t i = 0; i < parts.types.size(); ++i) {
    const std::string name = PartName(info.name(), is_sequence, i);
    const absl::StatusOr<Value> part = AddPart(name, declared, parts.types[i]);
    if (!part.ok()) return Annotate(part.status(), Quote(name));
    tensors.elements.push_back(*part);
  }
  const ImportValue content = is_sequence ? ImportValue(std::move(tensors))
                                          : ImportValue(tensors.elements[0]);
  return optional ? ImportValue::Present(content) : content;
}

absl::StatusOr<Value> Signature::AddPart(const std::string& name,
                                         const onnx::TypeProto& declared,
                                         const TensorType& type) {
  onnx::ValueInfoProto part;
  *part.mutable_type() = declared;
  ASSAY_RETURN_IF_ERROR(types_.CheckDeclared(part, type));
  ASSAY_RETURN_IF_ERROR(CheckSize(type, memory_->left()));
  return AddTensor(name, type);
}

const onnx::ValueInfoProto* Signature::FindInput(
    const std::string& name) const {
  for (const onnx::ValueInfoProto& info : proto_.input()) {
    if (info.name() == name) return &info;
  }
  return nullptr;
}

// Finds entries of bound_inputs and input_parts that have no effect.
absl::Status Signature::CheckOptions() const {
  for (const auto& [name, value] : options_.bound_inputs) {
    if (FindInput(name) == nullptr) {
      return Malformed("the model has no input ", Quote(name),
                       ", for which a value is given");
    }
    for (const onnx::TensorProto& tensor : proto_.initializer()) {
      if (tensor.name() != name) continue;
      return Malformed("a value is given for input ", Quote(name),
                       ", which has one in the model");
    }
  }
  for (const auto& [name, parts] : options_.input_parts) {
    const onnx::ValueInfoProto* info = FindInput(name);
    if (info == nullptr) {
      return Malformed("the model has no input ", Quote(name),
                       ", for which parts are given");
    }
    if (!info->type().has_sequence_type() &&
        !info->type().has_optional_type()) {
      return Malformed("parts are given for input ", Quote(name),
                       ", which is no sequence and no optional value");
    }
  }
  return absl::OkStatus();
}

absl::Status Signature::AddOutputs(const Values& values) const {
  absl::flat_hash_set<std::string> names;
  for (const onnx::ValueInfoProto& info : proto_.output()) {
    const ImportValue& value = values.at(info.name());
    ASSAY_RETURN_IF_ERROR(CheckDeclared(
        info, value, absl::StrCat("output ", Quote(info.name()))));
    const std::vector<Value> tensors = value.tensors();
    for (size_t i = 0; i < tensors.size(); ++i) {
      const std::string name = PartName(info.name(), value.has_sequence(), i);
      if (!names.insert(name).second) {
        return Malformed("two graph outputs are named ", Quote(name));
      }
      graph_->AddOutput(name, tensors[i]);
    }
  }
  if (graph_->outputs().empty()) {
    return Unsupported(
        "all outputs of the model are empty sequences or absent values");
  }
  const int count = static_cast<int>(graph_->outputs().size());
  for (int i = 0; i < count; ++i) {
    const graph::Output& output = graph_->outputs()[static_cast<size_t>(i)];
    const auto dims = bounded_dims_->Find(output.value);
    if (dims.size() > 1) {
      return Unsupported("output ", Quote(output.name), " has ", dims.size(),
                         " extents that are known only when the model runs; "
                         "one is supported");
    }
    for (const graph::BoundedDim& dim : dims) {
      graph_->BoundOutput(i, dim.axis, dim.extent);
    }
  }
  return absl::OkStatus();
}

absl::Status Signature::CheckDeclared(const onnx::ValueInfoProto& info,
                                      const ImportValue& value,
                                      absl::string_view label) const {
  if (value.is_tensor()) return CheckTensor(info, value.tensor(), label);
  if (!info.has_type()) return absl::OkStatus();
  const bool optional = info.type().has_optional_type();
  const onnx::TypeProto& type =
      optional ? info.type().optional_type().elem_type() : info.type();
  if (optional != value.is_optional() ||
      (!optional && !type.has_sequence_type())) {
    return Malformed(label, ": is declared as ", DeclaredKind(info.type()),
                     " but is ", value.KindName());
  }
  if (optional && !value.is_present()) return absl::OkStatus();
  if (type.has_sequence_type() != value.has_sequence()) {
    return Malformed(label, ": is declared to contain ", DeclaredKind(type),
                     " but contains ", value.content().KindName());
  }
  onnx::ValueInfoProto part;
  *part.mutable_type() =
      value.has_sequence() ? type.sequence_type().elem_type() : type;
  const std::vector<Value> tensors = value.tensors();
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = PartName(info.name(), value.has_sequence(), i);
    ASSAY_RETURN_IF_ERROR(
        CheckTensor(part, tensors[i], absl::StrCat(label, ", ", Quote(name))));
  }
  return absl::OkStatus();
}

absl::Status Signature::CheckTensor(const onnx::ValueInfoProto& info,
                                    Value value,
                                    absl::string_view label) const {
  ASSAY_RETURN_IF_ERROR(
      Annotate(types_.CheckElementType(info, value.type()), label));
  std::vector<int> bounded;
  for (const graph::BoundedDim& dim : bounded_dims_->Find(value)) {
    bounded.push_back(dim.axis);
  }
  const absl::Status shape = types_.CheckShape(info, value.type(), bounded);
  if (!shape.ok() && options_.warn != nullptr) {
    options_.warn(absl::StrCat(label, ": ", shape.message()));
  }
  return absl::OkStatus();
}

absl::Status Signature::CheckValueInfos(const Values& values) const {
  for (const onnx::ValueInfoProto& info : proto_.value_info()) {
    const auto value = values.find(info.name());
    if (value == values.end()) continue;
    ASSAY_RETURN_IF_ERROR(CheckDeclared(
        info, value->second, absl::StrCat("value ", Quote(info.name()))));
  }
  return absl::OkStatus();
}

}  // namespace assay::frontend
