// InterpretedModel: runs a model with the reference interpreter. It is used to
// check the results of problems for which no reference library is available.
#ifndef ASSAY_SUITES_KERNELS_INTERPRETED_MODEL_H_
#define ASSAY_SUITES_KERNELS_INTERPRETED_MODEL_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/ndarray.h"
#include "suites/references/library_session.h"

namespace assay::suites {

class InterpretedModel : public PreparedKernel {
 public:
  // `model` is the content of an ONNX file with one output. `inputs` must
  // contain a value for each input of the model, in any order. If a value is
  // missing, runs fail.
  InterpretedModel(std::string model, runtime::NamedTensors inputs)
      : PreparedKernel(/*threads=*/1),
        model_(std::move(model)),
        inputs_(std::move(inputs)) {}

 private:
  // Computes the output in the first run; later runs do nothing, because
  // interpreting the largest problems takes seconds.
  absl::Status Run() override;
  absl::StatusOr<NDArray> Output() override;

  const std::string model_;
  const runtime::NamedTensors inputs_;
  std::optional<NDArray> answer_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_INTERPRETED_MODEL_H_
