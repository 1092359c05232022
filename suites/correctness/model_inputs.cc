#include "suites/correctness/model_inputs.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<runtime::NamedTensors> ReadModelInputs(
    const InputFile& file, const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node* input : graph.inputs()) {
    names.push_back(input->name());
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<const UnreadTensor*> tensors,
                         MatchInputs(file, names));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const graph::TensorType& needed = graph.inputs()[i]->type();
    if (tensors[i]->type == needed) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(tensors[i]->label, " is ", tensors[i]->type.ToString(),
                     ", but the model needs ", needed.ToString()));
  }
  runtime::NamedTensors inputs;
  for (size_t i = 0; i < tensors.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, tensors[i]->read());
    inputs.push_back({names[i], std::move(value)});
  }
  return inputs;
}

}  // namespace assay::suites
