#include "tests/onnx_conformance/bound_inputs.h"

#include <map>
#include <set>

#include "tests/onnx_conformance/case.h"

namespace assay::conformance {
namespace {

struct Row {
  const char* op_type;
  std::vector<int> operands;  // 0-based
};

// Sorted. Float operands are listed if they determine an extent or the amount
// of data that is read.
const std::vector<Row>& Table() {
  static const auto& table = *new std::vector<Row>{
      {"BlackmanWindow", {0}},
      {"ConstantOfShape", {0}},
      {"CumSum", {1}},
      {"DFT", {1, 2}},
      {"Dropout", {1, 2}},
      {"Expand", {1}},
      {"HammingWindow", {0}},
      {"HannWindow", {0}},
      {"If", {0}},
      {"Loop", {0, 1}},
      {"MaxUnpool", {2}},
      {"MelWeightMatrix", {0, 1, 2, 3, 4}},
      {"NonMaxSuppression", {2, 3, 4}},
      {"OneHot", {1}},
      {"Pad", {1, 3}},
      {"Range", {0, 1, 2}},
      {"ReduceL1", {1}},
      {"ReduceL2", {1}},
      {"ReduceLogSum", {1}},
      {"ReduceLogSumExp", {1}},
      {"ReduceMax", {1}},
      {"ReduceMean", {1}},
      {"ReduceMin", {1}},
      {"ReduceProd", {1}},
      {"ReduceSum", {1}},
      {"ReduceSumSquare", {1}},
      {"Reshape", {1}},
      {"Resize", {1, 2, 3}},
      {"STFT", {1, 3}},
      {"SequenceAt", {1}},
      {"SequenceErase", {1}},
      {"SequenceInsert", {2}},
      {"Slice", {1, 2, 3, 4}},
      {"Split", {1}},
      {"SplitToSequence", {1}},
      {"Squeeze", {1}},
      {"Tile", {1}},
      {"TopK", {1}},
      {"Trilu", {1}},
      {"Unsqueeze", {1}},
      {"Upsample", {1}},
  };
  return table;
}

// The nodes of the model by the names of their results.
using Producers = std::map<std::string, const onnx::NodeProto*>;

// Returns true if the results of the operator depend on the types of its
// operands, but not on their elements.
bool ReadsOnlyTypes(const std::string& op_type) {
  return op_type == "Shape" || op_type == "Size" ||
         op_type == "SequenceLength" || op_type == "OptionalHasElement";
}

// Adds `name` and the names of all values from which it is computed.
void AddSources(const Producers& producers, const std::string& name,
                std::set<std::string>* sources) {
  std::vector<std::string> pending = {name};
  while (!pending.empty()) {
    const std::string next = pending.back();
    pending.pop_back();
    if (next.empty() || !sources->insert(next).second) continue;
    const auto producer = producers.find(next);
    if (producer == producers.end() ||
        ReadsOnlyTypes(producer->second->op_type())) {
      continue;
    }
    pending.insert(pending.end(), producer->second->input().begin(),
                   producer->second->input().end());
  }
}

}  // namespace

std::vector<std::string> InputsToBind(const onnx::ModelProto& model) {
  Producers producers;
  for (const onnx::NodeProto& node : model.graph().node()) {
    for (const std::string& name : node.output()) producers[name] = &node;
  }
  std::set<std::string> wanted;
  for (const onnx::NodeProto& node : model.graph().node()) {
    for (const Row& row : Table()) {
      if (node.op_type() != row.op_type) continue;
      for (const int i : row.operands) {
        if (i < node.input_size()) {
          AddSources(producers, node.input(i), &wanted);
        }
      }
    }
  }
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& input : ModelInputs(model)) {
    const bool is_tensor =
        !input.type().has_sequence_type() && !input.type().has_optional_type();
    if (is_tensor && wanted.count(input.name()) > 0) {
      names.push_back(input.name());
    }
  }
  return names;
}

}  // namespace assay::conformance
