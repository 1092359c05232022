#include "tests/onnx_conformance/bound_inputs.h"

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
      {"Slice", {1, 2, 3, 4}},
      {"Split", {1}},
      {"Squeeze", {1}},
      {"Tile", {1}},
      {"TopK", {1}},
      {"Trilu", {1}},
      {"Unsqueeze", {1}},
      {"Upsample", {1}},
  };
  return table;
}

}  // namespace

std::vector<std::string> InputsToBind(const onnx::ModelProto& model) {
  std::set<std::string> wanted;
  for (const onnx::NodeProto& node : model.graph().node()) {
    for (const Row& row : Table()) {
      if (node.op_type() != row.op_type) continue;
      for (const int i : row.operands) {
        if (i < node.input_size()) wanted.insert(node.input(i));
      }
    }
  }
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& input : ModelInputs(model)) {
    if (wanted.count(input.name()) > 0) names.push_back(input.name());
  }
  return names;
}

}  // namespace assay::conformance
