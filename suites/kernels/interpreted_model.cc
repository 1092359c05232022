#include "suites/kernels/interpreted_model.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/onnx_model.h"

namespace assay::suites {

absl::Status InterpretedModel::Run() {
  if (answer_.has_value()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const Model model,
                         LoadOnnxBytes("interpreted", model_, /*dims=*/{}));
  std::vector<NDArray> values;
  for (const graph::Node* input : model.graph->inputs()) {
    const NDArray* value = runtime::FindTensor(inputs_, input->name());
    if (value == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("input `", input->name(), "` has no value"));
    }
    values.push_back(*value);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> answers,
                         graph::Evaluate(model.computed(), values));
  answer_ = answers[0];
  return absl::OkStatus();
}

absl::StatusOr<NDArray> InterpretedModel::Output() {
  if (answer_.has_value()) return *answer_;
  return absl::FailedPreconditionError("nothing was interpreted yet");
}

}  // namespace assay::suites
