#include "suites/injected/injection_bench.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/result/run_folder.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

// Time to compile a network, to compute the expected outputs, and for all other
// work that the budget does not limit.
constexpr double kOtherWorkSeconds = 600;
// The budget, three times as much for the attribution, and a margin.
constexpr double kBudgets = 8;

// Returns the first of `sources` that is a node of the injection, or else the
// first of all.
std::string NamedOf(const std::vector<std::string>& sources,
                    const Injection& injection) {
  for (const std::string& source : sources) {
    if (ConcernsNode(injection, source)) return source;
  }
  return sources.empty() ? "" : sources[0];
}

}  // namespace

void SetResults(const reports::Row& row, int exit_code, Injection* injection) {
  injection->exit_code = exit_code;
  injection->verdict = row.verdict;
  if (row.comparison.paired.has_value()) {
    const reports::PairedComparison& paired = *row.comparison.paired;
    injection->change = paired.change;
    injection->lower = paired.lower;
    injection->upper = paired.upper;
    injection->loads = static_cast<int64_t>(paired.base_ns.size());
    if (paired.attribution.has_value() &&
        !paired.attribution->kernels.empty()) {
      const reports::Attribution& found = *paired.attribution;
      injection->named = NamedOf(found.kernels[0].sources, *injection);
      injection->cause = found.kernels[0].cause;
      injection->kernels_ms = reports::SumOfChanges(found);
      injection->whole_ms = found.whole_ms;
    }
  }
  injection->good = IsGood(*injection);
}

absl::Status InjectionBench::Run(Injection* injection) {
  ASSAY_ASSIGN_OR_RETURN(const std::string base, BaseOf(*injection));
  const std::string folder =
      JoinPath(options_.folder, absl::StrCat(injection->kind, "_", runs_++));
  std::vector<std::string> flags = absl::StrSplit(injection->flags, ' ');
  flags.insert(flags.end(), {absl::StrCat("--seed=", injection->seed),
                             absl::StrCat("--budget=", options_.budget_s),
                             absl::StrCat("--max_budget=", options_.budget_s),
                             "--against=" + base});
  injection->budget_s = options_.budget_s;
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(const int code, RunSuite(*injection, folder, flags));
  injection->seconds = static_cast<double>(MonotonicNanos() - start) * 1e-9;
  ASSAY_ASSIGN_OR_RETURN(const reports::Row row, reports::ReadOnlyRow(folder));
  SetResults(row, code, injection);
  return absl::OkStatus();
}

absl::StatusOr<std::string> InjectionBench::BaseOf(const Injection& injection) {
  const std::pair<std::string, int> key = {injection.suite, injection.threads};
  const auto known = bases_.find(key);
  if (known != bases_.end()) return known->second;
  std::string folder =
      JoinPath(options_.folder, absl::StrCat("base_", bases_.size()));
  ASSAY_ASSIGN_OR_RETURN(const int code,
                         RunSuite(injection, folder, {"--keep_artifacts"}));
  if (code != 0) {
    return absl::InternalError(
        absl::StrCat("`", injection.suite, "` without a change exited with ",
                     code, "; its results are in `", folder, "`"));
  }
  bases_[key] = folder;
  return folder;
}

// Runs the suite and returns its exit code. `flags` are those in which the base
// and the other run differ.
absl::StatusOr<int> InjectionBench::RunSuite(
    const Injection& injection, const std::string& folder,
    const std::vector<std::string>& flags) const {
  std::vector<std::string> command = absl::StrSplit(injection.suite, ' ');
  ASSAY_ASSIGN_OR_RETURN(command[0], options_.find(command[0]));
  command.insert(
      command.end(),
      {"--fusion=on", "--repeat=6", "--out=" + folder,
       "--dump_dir=" + JoinPath(folder, "dump"),
       absl::StrCat("--threads=", injection.threads),
       // Without a stored baseline, the run of the base exits with 0.
       "--baseline=" + JoinPath(options_.folder, "no_baselines")});
  command.insert(command.end(), flags.begin(), flags.end());
  runtime::ProcessOptions process_options;
  process_options.timeout_s = kOtherWorkSeconds + kBudgets * options_.budget_s;
  ASSAY_ASSIGN_OR_RETURN(const runtime::ProcessResult process,
                         runtime::RunProcess(command, process_options));
  const int code = process.exit_code;
  if (process.signal == 0 && code <= 4 && code != 2) return code;
  return absl::InternalError(
      absl::StrCat("`", injection.suite,
                   "` failed; it wrote: ", runtime::LastLines(process.err)));
}

}  // namespace assay::suites
