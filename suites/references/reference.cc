#include "suites/references/reference.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

std::string Reference::NameAndVersion() const {
  return absl::StrCat(name(), " ", version());
}

absl::StatusOr<PreparedReference> Reference::LoadModel(
    const OnnxSource& /*model*/, const runtime::NamedTensors& /*inputs*/,
    int /*threads*/) {
  return absl::UnimplementedError(absl::StrCat(name(), " runs no models"));
}

absl::StatusOr<PreparedReference> Reference::PrepareGemm(
    const GemmProblem& problem, const GemmOperands& operands, int threads) {
  ASSAY_ASSIGN_OR_RETURN(
      PreparedReference gemm,
      LoadModel({GemmModel(problem)}, {{"a", operands.a}, {"b", operands.b}},
                threads));
  gemm.parity.precision = problem.precision();
  return gemm;
}

absl::StatusOr<PreparedReference> Reference::PrepareConv(
    const ConvProblem& problem, const ConvOperands& operands, int threads) {
  ASSAY_ASSIGN_OR_RETURN(PreparedReference conv,
                         LoadModel({ConvModel(problem, operands)},
                                   {{"data", operands.data}}, threads));
  conv.parity.precision = problem.precision();
  return conv;
}

}  // namespace assay::suites
