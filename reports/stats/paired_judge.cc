#include "reports/stats/paired_judge.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace assay::stats {
namespace {

PairedOptions OneOfTwo(PairedOptions options) {
  options.log_e_alarm += std::log(2.0);
  return options;
}

}  // namespace

std::string Describe(const PairedOutcome& outcome) {
  return absl::StrCat(outcome.typical_regressed ? "typical inferences: " : "",
                      Describe(outcome.verdict));
}

PairedJudge::PairedJudge(PairedOptions options)
    : fastest_(OneOfTwo(options)), typical_(OneOfTwo(options)) {}

void PairedJudge::Add(const LoadRatios& load) {
  fastest_.Add(load.fastest);
  typical_.Add(load.typical);
}

PairedOutcome PairedJudge::Judge(Budget budget) const {
  PairedOutcome outcome;
  outcome.verdict = fastest_.Judge(budget);
  if (outcome.verdict.verdict == Verdict::kRegressed) return outcome;
  const PairedVerdict typical = typical_.Judge(budget);
  if (typical.verdict == Verdict::kRegressed) {
    outcome.verdict = typical;
    outcome.typical_regressed = true;
  }
  return outcome;
}

}  // namespace assay::stats
