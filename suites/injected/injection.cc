#include "suites/injected/injection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "suites/injected/slowdown.h"

namespace assay::suites {

std::vector<Injection> PlanInjections(const InjectionOptions& options) {
  CHECK(!options.threads.empty());
  const std::vector<Slowdown> slowdowns = Slowdowns();
  std::vector<Injection> plan;
  for (int64_t k = 0; k < std::max(options.tries, options.controls); ++k) {
    const auto number = static_cast<size_t>(k);
    const int threads = options.threads[number % options.threads.size()];
    const size_t round = number / options.threads.size();
    const Slowdown& slowdown = slowdowns[round % slowdowns.size()];
    // The expected outputs are computed once per model and seed.
    const uint64_t seed = round / slowdowns.size();
    if (!options.kinds.empty() &&
        !absl::c_linear_search(options.kinds, slowdown.kind)) {
      continue;
    }
    Injection injection;
    injection.kind = slowdown.kind;
    injection.suite = slowdown.suite;
    injection.threads = threads;
    injection.seed = seed;
    injection.flags = slowdown.flags;
    injection.nodes = slowdown.nodes;
    injection.stage = slowdown.stage;
    if (k < options.tries) plan.push_back(injection);
    injection.kind = kControl;
    // The base has the layout seed 0.
    injection.flags = absl::StrCat("--layout_seed=", number + 1);
    injection.nodes.clear();
    injection.stage.clear();
    if (k < options.controls) plan.push_back(injection);
  }
  return plan;
}

bool SameParameters(const Injection& a, const Injection& b) {
  return a.kind == b.kind && a.suite == b.suite && a.threads == b.threads &&
         a.seed == b.seed && a.flags == b.flags && a.nodes == b.nodes;
}

bool ConcernsNode(const Injection& injection, absl::string_view node) {
  const std::vector<std::string> nodes =
      absl::StrSplit(injection.nodes, ' ', absl::SkipEmpty());
  return absl::c_linear_search(nodes, node);
}

bool IsAtStage(const Injection& injection) {
  return absl::StartsWith(injection.cause, injection.stage);
}

double SumError(const Injection& injection) {
  if (injection.whole_ms == 0) return std::numeric_limits<double>::infinity();
  return injection.kernels_ms / injection.whole_ms - 1;
}

bool IsGood(const Injection& injection) {
  if (injection.is_control()) {
    return injection.exit_code == 0 && injection.loads > 0;
  }
  if (injection.exit_code != 1 ||
      injection.verdict != stats::Verdict::kRegressed) {
    return false;
  }
  if (!IsAtStage(injection)) return false;
  return injection.nodes.empty() ||
         (ConcernsNode(injection, injection.named) &&
          std::abs(SumError(injection)) <= kSumTolerance);
}

bool AreGoodEnough(const std::vector<Injection>& injections) {
  for (const bool controls : {false, true}) {
    int64_t count = 0, good = 0;
    for (const Injection& injection : injections) {
      if (injection.is_control() != controls) continue;
      ++count;
      good += injection.good;
    }
    if (static_cast<double>(good) < kGoodEnough * static_cast<double>(count)) {
      return false;
    }
  }
  return true;
}

std::string Describe(const Injection& injection) {
  std::string text = absl::StrFormat(
      "%-17s  %s, %d thread%s: exit code %d, %s", injection.kind,
      injection.suite, injection.threads, injection.threads == 1 ? "" : "s",
      injection.exit_code, stats::VerdictName(injection.verdict));
  if (injection.loads > 0) {
    absl::StrAppendFormat(&text, ", %+.1f %% in %d loads",
                          100 * injection.change, injection.loads);
  }
  if (!injection.named.empty()) {
    absl::StrAppendFormat(
        &text, ", most of it in %s; kernels %+.3f of %+.3f ms (%+.0f %%)",
        injection.named, injection.kernels_ms, injection.whole_ms,
        100 * SumError(injection));
  }
  if (!injection.cause.empty()) {
    absl::StrAppend(&text, "; cause: ", injection.cause);
  }
  if (!injection.good) text += "  <- not good";
  return text;
}

}  // namespace assay::suites
