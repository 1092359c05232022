// InterpretedModel: the answer of the reference interpreter, for a problem
// whose references cannot be had: nothing is timed unchecked.
#ifndef ASSAY_SUITES_KERNELS_INTERPRETED_MODEL_H_
#define ASSAY_SUITES_KERNELS_INTERPRETED_MODEL_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/references/reference.h"

namespace assay::suites {

class InterpretedModel : public Prepared {
 public:
  // `model` is the content of an ONNX file with one output; `inputs` has one
  // value for each of its inputs, in any order.
  InterpretedModel(std::string model, runtime::NamedTensors inputs)
      : model_(std::move(model)), inputs_(std::move(inputs)) {}

  // Only the first one computes: it takes seconds for the largest problems.
  // The error names an input without value.
  absl::Status Run() override;
  absl::StatusOr<NDArray> Output() override;

 private:
  const std::string model_;
  const runtime::NamedTensors inputs_;
  std::optional<NDArray> answer_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_INTERPRETED_MODEL_H_
