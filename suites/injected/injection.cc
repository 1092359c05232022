#include "suites/injected/injection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "reports/render/csv_field.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/injected/slowdown.h"

namespace assay::suites {
namespace {

constexpr char kControl[] = "control";
constexpr char kHeader[] =
    "date,commit,method,budget_s,kind,suite,threads,seed,flags,nodes,exit_code,"
    "verdict,change,lower,upper,loads,named,kernels_ms,whole_ms,seconds,good";

Injection Try(const Slowdown& slowdown, int threads, uint64_t seed) {
  Injection injection;
  injection.kind = slowdown.kind;
  injection.suite = slowdown.suite;
  injection.threads = threads;
  injection.seed = seed;
  injection.flags = slowdown.flags;
  injection.nodes = slowdown.nodes;
  return injection;
}

Injection Control(const Slowdown& slowdown, int threads, uint64_t seed,
                  size_t number) {
  Injection injection = Try(slowdown, threads, seed);
  injection.kind = kControl;
  // The base has the layout seed 0.
  injection.flags = absl::StrCat("--layout_seed=", number + 1);
  injection.nodes.clear();
  return injection;
}

}  // namespace

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
    if (k < options.tries) plan.push_back(Try(slowdown, threads, seed));
    if (k < options.controls) {
      plan.push_back(Control(slowdown, threads, seed, number));
    }
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
  if (!injection.good) text += "  <- not good";
  return text;
}

std::string InjectionHeader() { return absl::StrCat(kHeader, "\n"); }

std::string InjectionLine(const Injection& i) {
  std::vector<std::string> fields = {i.date,
                                     i.commit,
                                     i.method,
                                     absl::StrCat(i.budget_s),
                                     i.kind,
                                     i.suite,
                                     absl::StrCat(i.threads),
                                     absl::StrCat(i.seed),
                                     i.flags,
                                     i.nodes,
                                     absl::StrCat(i.exit_code),
                                     std::string(stats::VerdictName(i.verdict)),
                                     absl::StrCat(i.change),
                                     absl::StrCat(i.lower),
                                     absl::StrCat(i.upper),
                                     absl::StrCat(i.loads),
                                     i.named,
                                     absl::StrCat(i.kernels_ms),
                                     absl::StrCat(i.whole_ms),
                                     absl::StrCat(i.seconds),
                                     i.good ? "1" : "0"};
  for (std::string& field : fields) field = reports::CsvField(field);
  return absl::StrCat(absl::StrJoin(fields, ","), "\n");
}

absl::StatusOr<std::vector<Injection>> ParseInjections(absl::string_view text) {
  std::vector<Injection> injections;
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (size_t n = 0; n < lines.size(); ++n) {
    if (lines[n].empty() || lines[n] == kHeader) continue;
    const std::vector<std::string> f = reports::SplitCsvLine(lines[n]);
    Injection i;
    const bool sound = f.size() == 21 && absl::SimpleAtod(f[3], &i.budget_s) &&
                       absl::SimpleAtoi(f[6], &i.threads) &&
                       absl::SimpleAtoi(f[7], &i.seed) &&
                       absl::SimpleAtoi(f[10], &i.exit_code) &&
                       absl::SimpleAtod(f[12], &i.change) &&
                       absl::SimpleAtod(f[13], &i.lower) &&
                       absl::SimpleAtod(f[14], &i.upper) &&
                       absl::SimpleAtoi(f[15], &i.loads) &&
                       absl::SimpleAtod(f[17], &i.kernels_ms) &&
                       absl::SimpleAtod(f[18], &i.whole_ms) &&
                       absl::SimpleAtod(f[19], &i.seconds);
    if (!sound) {
      return absl::InvalidArgumentError(absl::StrCat(
          "line ", n + 1, " is not an injection: `", lines[n], "`"));
    }
    ASSAY_ASSIGN_OR_RETURN(i.verdict, stats::ParseVerdict(f[11]));
    i.date = f[0];
    i.commit = f[1];
    i.method = f[2];
    i.kind = f[4];
    i.suite = f[5];
    i.flags = f[8];
    i.nodes = f[9];
    i.named = f[16];
    i.good = f[20] == "1";
    injections.push_back(std::move(i));
  }
  return injections;
}

}  // namespace assay::suites
