#include "compiler/frontend/onnx/functions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/operator_definitions.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/unknown_fields.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

std::string PlainDomain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

const onnx::AttributeProto* FindAttribute(const onnx::NodeProto& node,
                                          const std::string& name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

// Replaces references to attributes of the call by these attributes, also in
// bodies. An attribute that the call leaves out and that has no default value
// is removed.
void SetAttributes(const onnx::NodeProto& call, Nodes& nodes) {
  for (onnx::NodeProto& node : nodes) {
    auto& attributes = *node.mutable_attribute();
    for (int i = attributes.size() - 1; i >= 0; --i) {
      onnx::AttributeProto& attribute = attributes[i];
      if (attribute.has_g()) {
        SetAttributes(call, *attribute.mutable_g()->mutable_node());
      }
      if (attribute.ref_attr_name().empty()) continue;
      const onnx::AttributeProto* given =
          FindAttribute(call, attribute.ref_attr_name());
      if (given == nullptr) {
        attributes.DeleteSubrange(i, 1);
        continue;
      }
      const std::string name = attribute.name();
      attribute = *given;
      attribute.set_name(name);
    }
  }
}

// Removes the operands that a call leaves out from the nodes, also in bodies.
void LeaveOut(const std::set<std::string>& absent, Nodes& nodes) {
  for (onnx::NodeProto& node : nodes) {
    for (std::string& input : *node.mutable_input()) {
      if (absent.count(input) > 0) input.clear();
    }
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g()) continue;
      LeaveOut(absent, *attribute.mutable_g()->mutable_node());
    }
  }
}

absl::Status CheckSignature(
    const onnx::FunctionProto& function, absl::string_view what,
    const google::protobuf::RepeatedPtrField<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty() || !seen.insert(name).second) {
      return Malformed("function ", Quote(function.name()), " has an ", what,
                       " without a name of its own");
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool SameDomain(const std::string& a, const std::string& b) {
  return PlainDomain(a) == PlainDomain(b);
}

const onnx::FunctionProto* FindFunction(const onnx::ModelProto& model,
                                        const onnx::NodeProto& node) {
  for (const onnx::FunctionProto& function : model.functions()) {
    if (function.name() == node.op_type() &&
        SameDomain(function.domain(), node.domain()) &&
        OverloadOf(function) == OverloadOf(node)) {
      return &function;
    }
  }
  return nullptr;
}

absl::Status CheckFunctions(const onnx::ModelProto& model) {
  std::set<std::vector<std::string>> seen;
  for (const onnx::FunctionProto& function : model.functions()) {
    if (!seen.insert({PlainDomain(function.domain()), function.name(),
                      OverloadOf(function)})
             .second) {
      return Malformed("function ", Quote(function.name()),
                       " is defined twice");
    }
    ASSAY_RETURN_IF_ERROR(CheckSignature(function, "input", function.input()));
    ASSAY_RETURN_IF_ERROR(
        CheckSignature(function, "output", function.output()));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> FunctionOpset(const onnx::FunctionProto& function,
                                  int model_opset) {
  for (const onnx::OperatorSetIdProto& opset : function.opset_import()) {
    if (!SameDomain(opset.domain(), "")) continue;
    if (opset.version() < kMinOpset || opset.version() > kMaxOpset) {
      return Unsupported("function ", Quote(function.name()), " has opset ",
                         opset.version(), "; opsets ", kMinOpset, " to ",
                         kMaxOpset, " are supported");
    }
    return static_cast<int>(opset.version());
  }
  return model_opset;
}

absl::StatusOr<Nodes> CallBody(const onnx::FunctionProto& function,
                               const onnx::NodeProto& node) {
  const std::vector<onnx::AttributeProto> defaults =
      AttributeDefaults(function);
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const auto& names = function.attribute();
    const bool has_default = std::any_of(
        defaults.begin(), defaults.end(),
        [&](const auto& other) { return other.name() == attribute.name(); });
    if (!has_default && std::find(names.begin(), names.end(),
                                  attribute.name()) == names.end()) {
      return Malformed("attribute ", Quote(attribute.name()),
                       " is none of the function ", Quote(function.name()));
    }
  }
  onnx::NodeProto call = node;
  for (const onnx::AttributeProto& attribute : defaults) {
    if (FindAttribute(node, attribute.name()) == nullptr) {
      *call.add_attribute() = attribute;
    }
  }
  for (const onnx::AttributeProto& attribute : call.attribute()) {
    if (attribute.has_g() || attribute.graphs_size() > 0) {
      return Unsupported("attribute ", Quote(attribute.name()),
                         " gives a graph to the function ",
                         Quote(function.name()), ", which is not supported");
    }
  }
  std::set<std::string> absent;
  for (int i = 0; i < function.input_size(); ++i) {
    if (i >= node.input_size() || node.input(i).empty()) {
      absent.insert(function.input(i));
    }
  }
  Nodes nodes = function.node();
  SetAttributes(call, nodes);
  LeaveOut(absent, nodes);
  return nodes;
}

}  // namespace assay::frontend
