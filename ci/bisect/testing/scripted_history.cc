#include "ci/bisect/testing/scripted_history.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::ci {

std::vector<std::string> ScriptedHistory::Hashes() const {
  std::vector<std::string> hashes;
  for (size_t i = 0; i < commits_.size(); ++i) {
    hashes.push_back(absl::StrCat("c", i));
  }
  return hashes;
}

absl::StatusOr<const Build*> ScriptedHistory::Get(const std::string& commit) {
  Build& build = builds_[commit];
  if (!build.commit.empty()) return &build;
  int index = 0;
  CHECK(absl::SimpleAtoi(commit.substr(1), &index)) << commit;
  const ScriptedCommit& script = (*this)[index];
  build.commit = commit;
  build.runtime_digest = script.runtime;
  if (script.broken) {
    build.problem = "error: expected `;`";
    return &build;
  }
  if (!script.has_cell) return &build;
  CellBuild cell;
  cell.name = kScriptedCell;
  cell.row.verdict = script.verdict;
  cell.row.reason = "as scripted";
  cell.row.build.artifact_bytes = script.artifact_bytes;
  cell.row.build.arena_bytes = script.arena_bytes;
  for (size_t i = 0; i < script.kernels.size(); ++i) {
    runtime::KernelCall call;
    call.symbol = absl::StrCat("k", i);
    call.sources = {absl::StrCat("n", i)};
    call.kind = "op";
    call.code_digest = script.kernels[i];
    absl::StrAppend(&cell.row.build.artifact_digest, call.code_digest, "+");
    cell.calls.push_back(std::move(call));
  }
  build.cells.push_back(std::move(cell));
  return &build;
}

double ScriptedHistory::TimeOf(const Build& build, bool runtime) const {
  double total = 0;
  for (const runtime::KernelCall& call : build.cells[0].calls) {
    const auto time = ms.find(call.code_digest);
    total += time == ms.end() ? 1 : time->second;
  }
  const auto overhead = ms.find(build.runtime_digest);
  if (runtime && overhead != ms.end()) total += overhead->second;
  return total;
}

absl::StatusOr<Comparison> ScriptedHistory::Compare(
    const ComparisonRequest& request) {
  ++comparisons_;
  Comparison comparison;
  comparison.seconds = 5;
  if (undecided.count({request.base->commit, request.run->commit}) > 0) {
    comparison.reason = "too much noise";
    return comparison;
  }
  const double base_ms = TimeOf(*request.base, request.runtimes);
  const double run_ms = TimeOf(*request.run, request.runtimes);
  reports::PairedComparison paired;
  paired.change = run_ms / base_ms - 1;
  paired.lower = paired.change - request.margin / 4;
  paired.upper = paired.change + request.margin / 4;
  comparison.verdict =
      paired.change > request.margin    ? stats::Verdict::kRegressed
      : paired.change < -request.margin ? stats::Verdict::kImproved
                                        : stats::Verdict::kEquivalent;
  if (comparison.verdict == stats::Verdict::kRegressed) {
    reports::Attribution attribution;
    const auto& base = request.base->cells[0].calls;
    const auto& run = request.run->cells[0].calls;
    attribution.whole_ms = run_ms - base_ms;
    for (size_t i = 0; i < std::min(base.size(), run.size()); ++i) {
      const auto at = [&](const runtime::KernelCall& call) {
        const auto time = ms.find(call.code_digest);
        return time == ms.end() ? 1 : time->second;
      };
      reports::KernelChange change;
      change.sources = run[i].sources;
      change.base_kernels = {base[i].symbol};
      change.run_kernels = {run[i].symbol};
      change.base_ms = at(base[i]);
      change.run_ms = at(run[i]);
      change.change_ms = change.run_ms - change.base_ms;
      change.lower_ms = change.change_ms - 0.001;
      change.upper_ms = change.change_ms + 0.001;
      change.same_code = base[i].code_digest == run[i].code_digest;
      attribution.kernels.push_back(std::move(change));
    }
    std::sort(
        attribution.kernels.begin(), attribution.kernels.end(),
        [](const auto& a, const auto& b) { return a.change_ms > b.change_ms; });
    paired.attribution = std::move(attribution);
  }
  comparison.paired = std::move(paired);
  return comparison;
}

}  // namespace assay::ci
