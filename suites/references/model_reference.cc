#include "suites/references/model_reference.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/references/one_node_model.h"

namespace assay::suites {
namespace {

constexpr const char* kNames[] = {"onnxruntime", "openvino"};

}  // namespace

absl::Span<const char* const> ModelReferenceNames() { return kNames; }

absl::StatusOr<PreparedReference> ModelReference::PrepareGemm(
    const GemmProblem& problem, const GemmOperands& operands, int threads) {
  ASSAY_ASSIGN_OR_RETURN(
      PreparedReference gemm,
      LoadModel({GemmModel(problem)}, {{"a", operands.a}, {"b", operands.b}},
                threads));
  gemm.parity.precision = problem.precision();
  return gemm;
}

absl::StatusOr<PreparedReference> ModelReference::PrepareConv(
    const ConvProblem& problem, const ConvOperands& operands, int threads) {
  ASSAY_ASSIGN_OR_RETURN(PreparedReference conv,
                         LoadModel({ConvModel(problem, operands)},
                                   {{"data", operands.data}}, threads));
  conv.parity.precision = problem.precision();
  return conv;
}

ModelSession::ModelSession(const runtime::NamedTensors& inputs, int threads,
                           PinnedWorkers* workers)
    : LibrarySession(threads, workers) {
  for (const runtime::NamedTensor& input : inputs) {
    inputs_.push_back({input.name, input.value.Clone()});
  }
}

absl::Status ModelSession::SetInputs(const runtime::NamedTensors& inputs) {
  for (runtime::NamedTensor& input : inputs_) {
    const NDArray* value = runtime::FindTensor(inputs, input.name);
    if (value == nullptr || value->num_bytes() != input.value.num_bytes()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no value of the right size for input `", input.name, "`"));
    }
    std::memcpy(input.value.raw(), value->raw(), value->num_bytes());
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
