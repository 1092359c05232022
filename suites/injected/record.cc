#include "suites/injected/record.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/summary.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/trials/report_text.h"

namespace assay::suites {
namespace {

using stats::Verdict;

constexpr char kTryFormat[] = "%-17s %7s %5s %20s %20s %9s %8s %7s %8s\n";
constexpr char kControlFormat[] = "%-40s %7s %8s %20s %10s %9s %8s %9s %8s\n";

// All injections of one commit, method and budget.
struct Source {
  const Injection* first = nullptr;
  int64_t count = 0;
};

std::string SourceTable(const std::vector<Injection>& injections) {
  std::vector<Source> sources;
  for (const Injection& injection : injections) {
    auto found = std::find_if(
        sources.begin(), sources.end(), [&injection](const Source& source) {
          return source.first->commit == injection.commit &&
                 source.first->method == injection.method &&
                 source.first->budget_s == injection.budget_s;
        });
    if (found == sources.end()) {
      sources.push_back({&injection, 0});
      found = std::prev(sources.end());
    }
    ++found->count;
  }
  constexpr char kFormat[] = "%-20s %-12s %-12s %8s %5s\n";
  std::string text =
      absl::StrFormat(kFormat, "first", "commit", "method", "budget s", "runs");
  for (const Source& source : sources) {
    absl::StrAppendFormat(
        &text, kFormat, source.first->date, source.first->commit.substr(0, 12),
        source.first->method, absl::StrCat(source.first->budget_s),
        absl::StrCat(source.count));
  }
  return text;
}

std::string Median(const std::vector<double>& values, double factor,
                   int decimals) {
  if (values.empty()) return "-";
  return absl::StrFormat("%.*f", decimals,
                         factor * stats::Percentile(values, 50));
}

struct TryTally {
  // `with_nodes`: the tries that must be attributed to nodes. `named`: those of
  // them that were attributed to the right ones.
  int64_t tries = 0, good = 0, regressed = 0, with_nodes = 0, named = 0;
  std::vector<double> changes, errors, seconds;

  void Add(const Injection& injection) {
    ++tries;
    good += injection.good;
    regressed += injection.verdict == Verdict::kRegressed;
    changes.push_back(injection.change);
    seconds.push_back(injection.seconds);
    if (injection.nodes.empty()) return;
    ++with_nodes;
    if (injection.named.empty()) return;
    named += ConcernsNode(injection, injection.named);
    errors.push_back(std::abs(SumError(injection)));
  }
};

std::string TryTable(const std::vector<Injection>& injections) {
  std::map<std::pair<std::string, int>, TryTally> tallies;
  TryTally all;
  for (const Injection& injection : injections) {
    if (injection.is_control()) continue;
    tallies[{injection.kind, injection.threads}].Add(injection);
    all.Add(injection);
  }
  std::string text =
      absl::StrFormat(kTryFormat, "kind", "threads", "tries", "good %",
                      "regressed %", "named", "change %", "sum %", "median s");
  const auto add = [&](const std::string& kind, const std::string& threads,
                       const TryTally& tally) {
    absl::StrAppendFormat(
        &text, kTryFormat, kind, threads, absl::StrCat(tally.tries),
        RateText(tally.good, tally.tries),
        RateText(tally.regressed, tally.tries),
        tally.with_nodes == 0
            ? "-"
            : absl::StrCat(tally.named, " of ", tally.with_nodes),
        Median(tally.changes, 100, 1), Median(tally.errors, 100, 1),
        Median(tally.seconds, 1, 0));
  };
  for (const auto& [key, tally] : tallies) {
    add(key.first, absl::StrCat(key.second), tally);
  }
  if (all.tries > 0) add("all", "", all);
  return text;
}

struct ControlTally {
  int64_t controls = 0, good = 0, equivalent = 0, regressed = 0, improved = 0;
  double largest = 0;
  std::vector<double> seconds;

  void Add(const Injection& injection) {
    ++controls;
    good += injection.good;
    equivalent += injection.verdict == Verdict::kEquivalent;
    regressed += injection.verdict == Verdict::kRegressed;
    improved += injection.verdict == Verdict::kImproved;
    largest = std::max(largest, std::abs(injection.change));
    seconds.push_back(injection.seconds);
  }
};

std::string ControlTable(const std::vector<Injection>& injections) {
  std::map<std::pair<std::string, int>, ControlTally> tallies;
  ControlTally all;
  for (const Injection& injection : injections) {
    if (!injection.is_control()) continue;
    tallies[{injection.suite, injection.threads}].Add(injection);
    all.Add(injection);
  }
  std::string text = absl::StrFormat(
      kControlFormat, "suite", "threads", "controls", "good %", "equivalent",
      "regressed", "improved", "largest %", "median s");
  const auto add = [&](const std::string& suite, const std::string& threads,
                       const ControlTally& tally) {
    absl::StrAppendFormat(
        &text, kControlFormat, suite, threads, absl::StrCat(tally.controls),
        RateText(tally.good, tally.controls), absl::StrCat(tally.equivalent),
        absl::StrCat(tally.regressed), absl::StrCat(tally.improved),
        absl::StrFormat("%.2f", 100 * tally.largest),
        Median(tally.seconds, 1, 0));
  };
  for (const auto& [key, tally] : tallies) {
    add(key.first, absl::StrCat(key.second), tally);
  }
  if (all.controls > 0) add("all", "", all);
  return text;
}

}  // namespace

absl::StatusOr<InjectionRecord> InjectionRecord::Open(
    const std::string& folder, const std::string& method) {
  InjectionRecord record;
  if (folder.empty()) return record;
  record.folder = folder;
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(
      record.file, RecordFile<Injection>::Open(JoinPath(folder, "tries.csv")));
  for (const Injection& injection : record.file.records()) {
    ASSAY_RETURN_IF_ERROR(
        CheckMethod(folder, "results", injection.method, method));
  }
  return record;
}

absl::StatusOr<std::string> InjectionRecord::WriteReport(
    const runtime::DeviceFacts& machine) const {
  return WriteReportFile(folder, machine, InjectionReport(file.records()));
}

std::string InjectionReport(const std::vector<Injection>& injections) {
  return absl::StrCat(
      SourceTable(injections), "\nTries: the network has a slow-down.\n",
      TryTable(injections),
      "\nnamed: the kernel with the largest change computes a node of the "
      "slow-down; sum: median\ndifference between the sum of the kernels' "
      "changes and that of the whole; median s: with\ncompilation and checks; "
      "[bounds] at 95 %\n\n",
      "Controls: another build of the same network.\n",
      ControlTable(injections), "\nlargest: |change|\n");
}

}  // namespace assay::suites
