#include "tests/fuzz/model_mutator.h"

#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/operators/operator_table.h"
#include "tests/fuzz/value_mutator.h"

namespace assay::fuzz {
namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::ValueInfoProto;

constexpr char kUnknownName[] = "no_such_value";

std::string Quote(absl::string_view name) {
  constexpr size_t kMost = 60;
  return absl::StrCat("`", absl::CHexEscape(name.substr(0, kMost)), "`");
}

// Appends `graph` and all graphs in attributes of its nodes.
void CollectGraphs(GraphProto* graph, std::vector<GraphProto*>* all) {
  all->push_back(graph);
  for (NodeProto& node : *graph->mutable_node()) {
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) CollectGraphs(attribute.mutable_g(), all);
      for (GraphProto& inner : *attribute.mutable_graphs()) {
        CollectGraphs(&inner, all);
      }
    }
  }
}

// Draws one change of a model and applies it.
class Mutator {
 public:
  Mutator(onnx::ModelProto& model, Rng& rng) : model_(model), values_(rng) {
    std::vector<GraphProto*> graphs;
    CollectGraphs(model_.mutable_graph(), &graphs);
    graph_ = graphs[Pick(2) == 0 ? 0 : Pick(graphs.size())];
  }

  // Returns what was changed. Returns an empty string if the change that was
  // drawn is not possible, for example because there is no weight.
  std::string Mutate() {
    using Change = std::string (Mutator::*)();
    static constexpr Change kChanges[] = {
        &Mutator::ChangeNodes,       &Mutator::ChangeNodes,
        &Mutator::ChangeLists,       &Mutator::ChangeAttribute,
        &Mutator::ChangeAttribute,   &Mutator::ChangeAttribute,
        &Mutator::ChangeOperator,    &Mutator::ChangeInputs,
        &Mutator::ChangeInputs,      &Mutator::ChangeOutputs,
        &Mutator::ChangeShape,       &Mutator::ChangeShape,
        &Mutator::ChangeElementType, &Mutator::ChangeInitializer,
        &Mutator::ChangeInitializer, &Mutator::ChangeInitializer,
        &Mutator::ChangeOpset,
    };
    return (this->*kChanges[Pick(std::size(kChanges))])();
  }

 private:
  int Pick(int64_t count) { return values_.Pick(count); }

  // The name of a value of the graph, or another name.
  std::string SomeName() {
    if (Pick(4) == 0) {
      const char* const names[] = {"", kUnknownName, kTwoLines};
      return names[Pick(std::size(names))];
    }
    std::vector<std::string> names = {kUnknownName};
    for (const NodeProto& node : graph_->node()) {
      names.insert(names.end(), node.output().begin(), node.output().end());
    }
    for (const ValueInfoProto& input : graph_->input()) {
      names.push_back(input.name());
    }
    for (const TensorProto& weight : graph_->initializer()) {
      names.push_back(weight.name());
    }
    return names[Pick(names.size())];
  }

  std::string NodeName(int index) const {
    return absl::StrCat("node ", index, " (",
                        Quote(graph_->node(index).op_type()), ")",
                        graph_ == &model_.graph() ? "" : " of a subgraph");
  }

  // Returns the index of a node that has the property, or -1.
  template <typename Property>
  int SomeNode(const Property& property) {
    std::vector<int> found;
    for (int i = 0; i < graph_->node_size(); ++i) {
      if (property(graph_->node(i))) found.push_back(i);
    }
    return found.empty() ? -1 : found[Pick(found.size())];
  }

  // Removes, duplicates or swaps entries of a list of messages.
  template <typename List>
  std::string ChangeEntries(absl::string_view kind, List* list) {
    if (list->empty()) return "";
    const int size = list->size();
    const int at = Pick(size);
    switch (Pick(3)) {
      case 0:
        list->DeleteSubrange(at, 1);
        return absl::StrCat("removed ", kind, " ", at);
      case 1: {
        const auto copy = list->Get(at);
        *list->Add() = copy;
        list->SwapElements(size, Pick(size + 1));
        return absl::StrCat("duplicated ", kind, " ", at);
      }
      default: {
        if (size == 1) return "";
        const int other = (at + 1 + Pick(size - 1)) % size;
        list->SwapElements(at, other);
        return absl::StrCat("swapped ", kind, " ", at, " and ", other);
      }
    }
  }

  std::string ChangeNodes() {
    return ChangeEntries("node", graph_->mutable_node());
  }

  std::string ChangeLists() {
    switch (Pick(6)) {
      case 0:
        return ChangeEntries("input", graph_->mutable_input());
      case 1:
        return ChangeEntries("output", graph_->mutable_output());
      case 2:
        return ChangeEntries("initializer", graph_->mutable_initializer());
      case 3:
        return ChangeEntries("value_info", graph_->mutable_value_info());
      case 4:
        return ChangeEntries("opset", model_.mutable_opset_import());
      default:
        return ChangeEntries("function", model_.mutable_functions());
    }
  }

  std::string ChangeAttribute() {
    const int at = SomeNode(
        [](const NodeProto& node) { return node.attribute_size() > 0; });
    if (at < 0) return "";
    NodeProto* const node = graph_->mutable_node(at);
    AttributeProto* const attribute =
        node->mutable_attribute(Pick(node->attribute_size()));
    const std::string name = absl::StrCat(
        " attribute ", Quote(attribute->name()), " of ", NodeName(at));
    switch (Pick(8)) {
      case 0:
        if (node->attribute_size() == 1) {
          node->clear_attribute();
          return absl::StrCat("removed", name);
        }
        return absl::StrCat(
            ChangeEntries("attribute", node->mutable_attribute()), " of ",
            NodeName(at));
      case 1:
        attribute->set_type(static_cast<AttributeProto::AttributeType>(
            Pick(AttributeProto::AttributeType_ARRAYSIZE)));
        return absl::StrCat("changed the type of", name);
      default:
        values_.ChangeAttribute(attribute);
        return absl::StrCat("changed", name);
    }
  }

  std::string ChangeOperator() {
    const int at = SomeNode([](const NodeProto&) { return true; });
    if (at < 0) return "";
    const std::string name = NodeName(at);
    NodeProto* const node = graph_->mutable_node(at);
    const absl::Span<const frontend::OperatorRow> rows =
        frontend::OperatorTable();
    switch (Pick(6)) {
      case 0:
        node->set_domain("com.microsoft");
        return absl::StrCat("changed the domain of ", name);
      case 1:
        node->set_op_type("NoSuchOperator");
        break;
      case 2: {
        const NodeProto& other = graph_->node(Pick(graph_->node_size()));
        node->set_op_type(std::string(other.op_type()));
        break;
      }
      default:
        node->set_op_type(rows[Pick(rows.size())].op_type);
        break;
    }
    return absl::StrCat("changed the operator of ", name, " to ",
                        Quote(node->op_type()));
  }

  std::string ChangeInputs() {
    const int at =
        SomeNode([](const NodeProto& node) { return node.input_size() > 0; });
    if (at < 0) return "";
    NodeProto* const node = graph_->mutable_node(at);
    const int size = node->input_size();
    const int input = Pick(size);
    const std::string name = NodeName(at);
    switch (Pick(7)) {
      case 0:
        node->mutable_input()->RemoveLast();
        return absl::StrCat("removed the last input of ", name);
      case 1:
        node->add_input(SomeName());
        return absl::StrCat("added an input to ", name);
      case 2:
        node->set_input(input, "");
        return absl::StrCat("left out input ", input, " of ", name);
      case 3:
      case 4: {
        if (size == 1) return "";
        const int other = (input + 1 + Pick(size - 1)) % size;
        node->mutable_input()->SwapElements(input, other);
        return absl::StrCat("swapped inputs ", input, " and ", other, " of ",
                            name);
      }
      default:
        node->set_input(input, SomeName());
        return absl::StrCat("changed input ", input, " of ", name, " to ",
                            Quote(node->input(input)));
    }
  }

  std::string ChangeOutputs() {
    const int at =
        SomeNode([](const NodeProto& node) { return node.output_size() > 0; });
    if (at < 0) return "";
    NodeProto* const node = graph_->mutable_node(at);
    const std::string name = NodeName(at);
    switch (Pick(4)) {
      case 0:
        node->mutable_output()->RemoveLast();
        return absl::StrCat("removed the last output of ", name);
      case 1:
        node->add_output(SomeName());
        return absl::StrCat("added an output to ", name);
      case 2:
        node->set_name(kTwoLines);
        return absl::StrCat("renamed ", name);
      default: {
        const int output = Pick(node->output_size());
        node->set_output(output, SomeName());
        return absl::StrCat("changed output ", output, " of ", name, " to ",
                            Quote(node->output(output)));
      }
    }
  }

  // Returns the entry of an input, an output or a value_info, or null.
  ValueInfoProto* SomeValue() {
    const auto some = [this](auto* list) {
      return list->empty() ? nullptr : list->Mutable(Pick(list->size()));
    };
    switch (Pick(4)) {
      case 0:
        return some(graph_->mutable_output());
      case 1:
        return some(graph_->mutable_value_info());
      default:
        return some(graph_->mutable_input());
    }
  }

  std::string ChangeShape() {
    ValueInfoProto* const value = SomeValue();
    if (value == nullptr) return "";
    onnx::TensorShapeProto* const shape =
        value->mutable_type()->mutable_tensor_type()->mutable_shape();
    const int size = shape->dim_size();
    switch (size == 0 ? 0 : Pick(6)) {
      case 0:
        shape->add_dim()->set_dim_value(values_.Int(1));
        break;
      case 1:
        shape->mutable_dim()->RemoveLast();
        break;
      case 2:
        shape->mutable_dim(Pick(size))->set_dim_param(SomeName());
        break;
      case 3:
        value->mutable_type()->mutable_tensor_type()->clear_shape();
        break;
      default: {
        onnx::TensorShapeProto::Dimension* const dim =
            shape->mutable_dim(Pick(size));
        dim->set_dim_value(values_.Int(dim->dim_value()));
        break;
      }
    }
    return absl::StrCat("changed the shape of ", Quote(value->name()));
  }

  std::string ChangeElementType() {
    ValueInfoProto* const value = SomeValue();
    if (value == nullptr) return "";
    const int32_t type = values_.ElementType();
    value->mutable_type()->mutable_tensor_type()->set_elem_type(type);
    return absl::StrCat("changed the element type of ", Quote(value->name()),
                        " to ", type);
  }

  // Half of the time, chooses an initializer of type int64, if there is one:
  // these are shapes, axes and indices.
  std::string ChangeInitializer() {
    std::vector<int> integers;
    for (int i = 0; i < graph_->initializer_size(); ++i) {
      if (graph_->initializer(i).data_type() == TensorProto::INT64) {
        integers.push_back(i);
      }
    }
    if (graph_->initializer_size() == 0) return "";
    const int at = !integers.empty() && Pick(2) == 0
                       ? integers[Pick(integers.size())]
                       : Pick(graph_->initializer_size());
    TensorProto* const tensor = graph_->mutable_initializer(at);
    const std::string name = Quote(tensor->name());
    return absl::StrCat("changed ", values_.ChangeTensor(tensor),
                        " of initializer ", name);
  }

  std::string ChangeOpset() {
    if (model_.opset_import_size() == 0) return "";
    onnx::OperatorSetIdProto* const opset =
        model_.mutable_opset_import(Pick(model_.opset_import_size()));
    if (Pick(4) == 0) {
      opset->set_domain("no.such.domain");
      return "changed the domain of an opset";
    }
    opset->set_version(Pick(2) == 0 ? Pick(25) : values_.Int(opset->version()));
    return absl::StrCat("changed the version of an opset to ",
                        opset->version());
  }

  onnx::ModelProto& model_;
  ValueMutator values_;
  GraphProto* graph_ = nullptr;
};

}  // namespace

std::string ChangeModel(onnx::ModelProto& model, Rng& rng) {
  constexpr int kDraws = 64;
  for (int i = 0; i < kDraws; ++i) {
    std::string what = Mutator(model, rng).Mutate();
    if (!what.empty()) return what;
  }
  return "";
}

}  // namespace assay::fuzz
