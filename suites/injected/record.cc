#include "suites/injected/record.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/summary.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/trials/report_text.h"

namespace assay::suites {
namespace {

using stats::Verdict;

constexpr char kTryFormat[] = "%-17s %7s %5s %20s %20s %9s %9s %8s %7s %8s\n";
constexpr char kControlFormat[] = "%-40s %7s %8s %20s %10s %9s %8s %9s %8s\n";

std::string SourceTable(const std::vector<Injection>& injections) {
  // The first injection of each commit, method and budget, and their number.
  std::vector<std::pair<const Injection*, int64_t>> sources;
  for (const Injection& injection : injections) {
    const auto found = absl::c_find_if(sources, [&](const auto& source) {
      return source.first->commit == injection.commit &&
             source.first->method == injection.method &&
             source.first->budget_s == injection.budget_s;
    });
    if (found == sources.end()) {
      sources.emplace_back(&injection, 1);
    } else {
      ++found->second;
    }
  }
  constexpr char kFormat[] = "%-20s %-12s %-12s %8s %5s\n";
  std::string text =
      absl::StrFormat(kFormat, "first", "commit", "method", "budget s", "runs");
  for (const auto& [first, count] : sources) {
    absl::StrAppendFormat(&text, kFormat, first->date,
                          first->commit.substr(0, 12), first->method,
                          absl::StrCat(first->budget_s), absl::StrCat(count));
  }
  return text;
}

std::string Median(const std::vector<double>& values, double factor,
                   int decimals) {
  if (values.empty()) return "-";
  return absl::StrFormat("%.*f", decimals,
                         factor * stats::Percentile(values, 50));
}

// The injections of one kind or suite, and number of threads.
struct Group {
  std::string name, threads;
  std::vector<const Injection*> injections;
};

// Groups the tries or the controls by a field and the number of threads. The
// last group has all of them; there is none if there are no injections.
std::vector<Group> GroupsBy(std::string Injection::* field, bool controls,
                            const std::vector<Injection>& injections) {
  std::map<std::pair<std::string, int>, Group> groups;
  Group all = {"all", "", {}};
  for (const Injection& injection : injections) {
    if (injection.is_control() != controls) continue;
    Group& group = groups[{injection.*field, injection.threads}];
    group.injections.push_back(&injection);
    all.injections.push_back(&injection);
  }
  std::vector<Group> result;
  for (auto& [key, group] : groups) {
    group.name = key.first;
    group.threads = absl::StrCat(key.second);
    result.push_back(std::move(group));
  }
  if (!all.injections.empty()) result.push_back(std::move(all));
  return result;
}

std::string TryTable(const std::vector<Injection>& injections) {
  std::string text = absl::StrFormat(kTryFormat, "kind", "threads", "tries",
                                     "good %", "regressed %", "named", "stage",
                                     "change %", "sum %", "median s");
  for (const Group& group : GroupsBy(&Injection::kind, false, injections)) {
    // `with_nodes`: the tries that must be attributed to nodes. `named`: those
    // of them that were attributed to the right ones.
    // `with_stage` and `staged` count the same for the stage.
    int64_t good = 0, regressed = 0, with_nodes = 0, named = 0, with_stage = 0,
            staged = 0;
    std::vector<double> changes, errors, seconds;
    for (const Injection* injection : group.injections) {
      good += injection->good;
      regressed += injection->verdict == Verdict::kRegressed;
      changes.push_back(injection->change);
      seconds.push_back(injection->seconds);
      with_stage += !injection->stage.empty();
      staged += !injection->stage.empty() && IsAtStage(*injection);
      if (injection->nodes.empty()) continue;
      ++with_nodes;
      if (injection->named.empty()) continue;
      named += ConcernsNode(*injection, injection->named);
      errors.push_back(std::abs(SumError(*injection)));
    }
    const auto tries = static_cast<int64_t>(group.injections.size());
    absl::StrAppendFormat(
        &text, kTryFormat, group.name, group.threads, absl::StrCat(tries),
        RateText(good, tries), RateText(regressed, tries),
        with_nodes == 0 ? "-" : absl::StrCat(named, " of ", with_nodes),
        with_stage == 0 ? "-" : absl::StrCat(staged, " of ", with_stage),
        Median(changes, 100, 1), Median(errors, 100, 1), Median(seconds, 1, 0));
  }
  return text;
}

std::string ControlTable(const std::vector<Injection>& injections) {
  std::string text = absl::StrFormat(
      kControlFormat, "suite", "threads", "controls", "good %", "equivalent",
      "regressed", "improved", "largest %", "median s");
  for (const Group& group : GroupsBy(&Injection::suite, true, injections)) {
    int64_t good = 0;
    std::map<Verdict, int64_t> verdicts;
    double largest = 0;
    std::vector<double> seconds;
    for (const Injection* injection : group.injections) {
      good += injection->good;
      ++verdicts[injection->verdict];
      largest = std::max(largest, std::abs(injection->change));
      seconds.push_back(injection->seconds);
    }
    const auto controls = static_cast<int64_t>(group.injections.size());
    absl::StrAppendFormat(&text, kControlFormat, group.name, group.threads,
                          absl::StrCat(controls), RateText(good, controls),
                          absl::StrCat(verdicts[Verdict::kEquivalent]),
                          absl::StrCat(verdicts[Verdict::kRegressed]),
                          absl::StrCat(verdicts[Verdict::kImproved]),
                          absl::StrFormat("%.2f", 100 * largest),
                          Median(seconds, 1, 0));
  }
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
      "slow-down; stage: it changed\nat the stage of the compiler that the "
      "slow-down changes; sum: median difference between the\nsum of the "
      "kernels' changes and that of the whole; median s: with compilation and "
      "checks;\n[bounds] at 95 %\n\n",
      "Controls: another build of the same network.\n",
      ControlTable(injections), "\nlargest: |change|\n");
}

}  // namespace assay::suites
