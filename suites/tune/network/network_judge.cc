#include "suites/tune/network/network_judge.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/base/status_macros.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {
namespace {

// With several inputs, a program that keeps its outputs is wrong.
constexpr uint64_t kExamples = 2;

}  // namespace

absl::Status NetworkJudge::FindAnswers() {
  for (uint64_t i = 0; i < kExamples; ++i) {
    Example example;
    example.inputs = SeededInputs(*model_.graph, options_.seed + i);
    ASSAY_ASSIGN_OR_RETURN(example.answer,
                           oracle_.Reference(model_, example.inputs));
    example.noise = std::make_shared<RoundingSensitivity>(
        *model_.graph, [this, inputs = example.inputs](uint64_t seed) {
          return oracle_.Outputs(model_, inputs, seed);
        });
    examples_.push_back(std::move(example));
  }
  return absl::OkStatus();
}

absl::StatusOr<TunedComparison> NetworkJudge::Compare(
    const runtime::Artifact& untuned, const runtime::Artifact& tuned) {
  if (examples_.empty()) ASSAY_RETURN_IF_ERROR(FindAnswers());
  return CompareWithDefault({examples_, &untuned, &tuned, &runner_, threads_,
                             InterpreterRule(model_)},
                            options_);
}

}  // namespace assay::suites
