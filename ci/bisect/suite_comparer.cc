#include "ci/bisect/suite_comparer.h"

#include <filesystem>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ci/bisect/measuring_lock.h"
#include "reports/result/run_folder.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::ci {
namespace {

// Attribution to kernels takes three times the budget.
constexpr double kBudgets = 5;
// Time to load the model, and to compute the expected outputs.
constexpr double kOtherSeconds = 1800;

constexpr char kSeconds[] = "seconds";

// The samples of the row itself are not used.
constexpr char kFewSamples[] = "--repeat=3";

// The kernels that are slower must be told from those that are not; by how much
// they are slower need not be known any better than the verdict requires.
constexpr char kRoughAttribution[] = "--attribution_precision=0.5";

std::string DigestOf(const Build& build, const std::string& cell) {
  const CellBuild* found = build.Find(cell);
  return found == nullptr ? "" : found->row.build.artifact_digest;
}

}  // namespace

std::string PatternOf(const std::string& cell) {
  std::string pattern;
  for (const char c : cell) {
    if (absl::string_view("*?[\\").find(c) != absl::string_view::npos) {
      pattern += '\\';
    }
    pattern += c;
  }
  return pattern;
}

std::string SuiteComparer::NameOf(const ComparisonRequest& request) const {
  std::string key = absl::StrCat(
      request.cell, "\n", DigestOf(*request.base, request.cell), "\n",
      DigestOf(*request.run, request.cell), "\n", request.margin, "\n");
  if (request.runtimes) {
    absl::StrAppend(&key, request.base->runtime_digest, "\n",
                    request.run->runtime_digest, "\n");
  }
  for (const std::string& node : request.nodes) {
    absl::StrAppend(&key, "node ", node, "\n");
  }
  if (!IsPatient(request)) key += "brief\n";
  return Sha256Hex(key).substr(0, 16);
}

absl::Status SuiteComparer::ForgetUndecided(const std::string& folder) {
  if (!FileExists(folder) || !seen_.insert(folder).second) {
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const reports::Row row, reports::ReadOnlyRow(folder));
  if (stats::IsJudgement(row.verdict)) return absl::OkStatus();
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  return absl::OkStatus();
}

absl::Status SuiteComparer::Measure(const ComparisonRequest& request,
                                    const std::string& folder) {
  std::vector<std::string> command = {
      options_.program,
      "--out=" + folder,
      "--artifacts=" + request.run->folder,
      "--against=" + request.base->folder,
      "--cells=" + PatternOf(request.cell),
      absl::StrCat("--margin=", request.margin),
      absl::StrCat("--budget=", options_.budget_s),
      absl::StrCat("--max_budget=", IsPatient(request) ? options_.max_budget_s
                                                       : options_.budget_s),
      "--attribute_undecided",
      kRoughAttribution};
  if (absl::c_none_of(options_.flags, [](const std::string& flag) {
        return absl::StartsWith(flag, "--repeat");
      })) {
    command.push_back(kFewSamples);
  }
  // Both runtimes take part in whole inferences.
  if (!request.runtimes) command.push_back("--changed_kernels");
  for (const std::string& node : request.nodes) {
    command.push_back("--node=" + node);
  }
  if (!options_.canary || canary_is_sound_) command.push_back("--no_canary");
  if (request.runtimes) {
    command.push_back("--artifacts_runtime=" + request.run->runtime);
    command.push_back("--against_runtime=" + request.base->runtime);
  }
  command.insert(command.end(), options_.flags.begin(), options_.flags.end());
  runtime::ProcessOptions process;
  process.timeout_s =
      kOtherSeconds + kBudgets * options_.budget_s + options_.max_budget_s;
  ASSAY_ASSIGN_OR_RETURN(const MeasuringLock lock, MeasuringLock::Acquire());
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(const runtime::ProcessResult result,
                         runtime::RunProcess(command, process));
  const double seconds = static_cast<double>(MonotonicNanos() - start) * 1e-9;
  if (!FileExists(JoinPath(folder, "results.json"))) {
    return absl::InternalError(
        absl::StrCat("the comparison of ", request.cell,
                     " failed: ", runtime::LastLines(result.err)));
  }
  // Without a sound canary, nothing has a verdict.
  ASSAY_ASSIGN_OR_RETURN(const reports::Row row, reports::ReadOnlyRow(folder));
  canary_is_sound_ |= stats::IsJudgement(row.verdict);
  return WriteFileAtomic(JoinPath(folder, kSeconds), absl::StrCat(seconds));
}

absl::StatusOr<Comparison> SuiteComparer::Compare(
    const ComparisonRequest& request) {
  const std::string folder = JoinPath(options_.folder, NameOf(request));
  ASSAY_RETURN_IF_ERROR(ForgetUndecided(folder));
  if (!FileExists(folder)) {
    if (options_.on_measurement) options_.on_measurement(request);
    const std::string partial = folder + ".partial";
    std::error_code error;
    std::filesystem::remove_all(partial, error);
    ASSAY_RETURN_IF_ERROR(MakeDirs(partial));
    ASSAY_RETURN_IF_ERROR(Measure(request, partial));
    std::filesystem::rename(partial, folder, error);
    if (error) {
      return absl::InternalError(
          absl::StrCat("cannot make `", folder, "`: ", error.message()));
    }
    SyncFolder(options_.folder);
    seen_.insert(folder);
  }
  ASSAY_ASSIGN_OR_RETURN(reports::Row row, reports::ReadOnlyRow(folder));
  Comparison comparison;
  comparison.verdict = row.verdict;
  comparison.reason = std::move(row.reason);
  comparison.paired = std::move(row.comparison.paired);
  comparison.folder = folder;
  ASSAY_ASSIGN_OR_RETURN(const std::string seconds,
                         ReadFile(JoinPath(folder, kSeconds)));
  (void)absl::SimpleAtod(seconds, &comparison.seconds);
  return comparison;
}

}  // namespace assay::ci
