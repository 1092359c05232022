#include "suites/tune/network/network_judge.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {
namespace {

// With several inputs, a program that keeps its outputs is wrong.
constexpr uint64_t kExamples = 2;

// Returns the time of the calls, or 0 if a call was not measured.
double TimeOf(const PairedLoads::Times& times,
              const std::vector<int64_t>& calls) {
  double sum = 0;
  for (const int64_t call : calls) {
    const auto index = static_cast<size_t>(call);
    if (index >= times.call_ns.size()) return 0;
    sum += times.call_ns[index];
  }
  return sum;
}

}  // namespace

absl::Status NetworkJudge::FindAnswers() {
  for (uint64_t i = 0; i < kExamples; ++i) {
    Example example;
    example.inputs = SeededInputs(*model_.graph, options_.seed + i);
    ASSAY_ASSIGN_OR_RETURN(example.answer,
                           oracle_.Reference(model_, example.inputs));
    example.sensitivity = std::make_shared<RoundingSensitivity>(
        model_.computed(), [this, inputs = example.inputs](uint64_t seed) {
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

std::optional<double> KernelRatio(const std::vector<AlignedKernels>& parts,
                                  const std::vector<PairedLoads::Load>& loads,
                                  const std::vector<std::string>& nodes) {
  std::vector<int64_t> untuned, tuned;  // calls
  for (const AlignedKernels& part : parts) {
    if (!absl::c_any_of(part.sources, [&](const std::string& source) {
          return absl::c_linear_search(nodes, source);
        })) {
      continue;
    }
    untuned.insert(untuned.end(), part.base.begin(), part.base.end());
    tuned.insert(tuned.end(), part.run.begin(), part.run.end());
  }
  std::vector<double> ratios;
  for (const PairedLoads::Load& load : loads) {
    const double before = TimeOf(load.base, untuned);
    const double after = TimeOf(load.run, tuned);
    if (before > 0 && after > 0) ratios.push_back(after / before);
  }
  if (ratios.empty()) return std::nullopt;
  return stats::Median(ratios);
}

}  // namespace assay::suites
