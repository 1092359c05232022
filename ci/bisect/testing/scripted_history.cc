#include "ci/bisect/testing/scripted_history.h"

#include <algorithm>

#include "absl/algorithm/container.h"
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
  cell.row.build.compile_ms = script.compile_ms;
  cell.row.timing.load_ms = script.load_ms;
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

double ScriptedHistory::TimeOfKernel(const runtime::KernelCall& call) const {
  const auto time = ms.find(call.code_digest);
  return time == ms.end() ? 1 : time->second;
}

double ScriptedHistory::TimeOf(const Build& build, bool runtime,
                               const std::vector<std::string>& nodes) const {
  double total = 0;
  for (const runtime::KernelCall& call : build.cells[0].calls) {
    if (nodes.empty() || absl::c_linear_search(nodes, call.sources[0])) {
      total += TimeOfKernel(call);
    }
  }
  const auto overhead = ms.find(build.runtime_digest);
  if (runtime && overhead != ms.end()) total += overhead->second;
  return total;
}

reports::Attribution ScriptedHistory::Attribute(const Build& base,
                                                const Build& run) const {
  reports::Attribution attribution;
  const auto& base_calls = base.cells[0].calls;
  const auto& run_calls = run.cells[0].calls;
  for (size_t i = 0; i < std::min(base_calls.size(), run_calls.size()); ++i) {
    reports::KernelChange change;
    change.sources = run_calls[i].sources;
    change.base_kernels = {base_calls[i].symbol};
    change.run_kernels = {run_calls[i].symbol};
    change.base_ms = TimeOfKernel(base_calls[i]);
    change.run_ms = TimeOfKernel(run_calls[i]);
    const auto seeming = seeming_ms.find(run_calls[i].code_digest);
    if (seeming != seeming_ms.end()) change.run_ms += seeming->second;
    change.change_ms = change.run_ms - change.base_ms;
    change.lower_ms = change.change_ms - 0.001;
    change.upper_ms = change.change_ms + 0.001;
    change.same_code = base_calls[i].code_digest == run_calls[i].code_digest;
    attribution.whole_ms += change.change_ms;
    attribution.kernels.push_back(std::move(change));
  }
  absl::c_sort(attribution.kernels, [](const auto& a, const auto& b) {
    return a.change_ms > b.change_ms;
  });
  return attribution;
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
  const double base_ms = TimeOf(*request.base, request.runtimes, {});
  const double run_ms = base_ms +
                        TimeOf(*request.run, request.runtimes, request.nodes) -
                        TimeOf(*request.base, request.runtimes, request.nodes);
  reports::PairedComparison paired;
  paired.change = run_ms / base_ms - 1;
  paired.nodes = request.nodes;
  paired.lower = paired.change - request.margin / 4;
  paired.upper = paired.change + request.margin / 4;
  comparison.verdict =
      paired.change > request.margin    ? stats::Verdict::kRegressed
      : paired.change < -request.margin ? stats::Verdict::kImproved
                                        : stats::Verdict::kEquivalent;
  if (noisy && request.nodes.empty() && !(patience_helps && request.patient)) {
    comparison.verdict = stats::Verdict::kInconclusive;
    comparison.reason = "too much noise";
  }
  if (request.nodes.empty() &&
      comparison.verdict != stats::Verdict::kEquivalent) {
    paired.attribution = Attribute(*request.base, *request.run);
  }
  comparison.paired = std::move(paired);
  return comparison;
}

}  // namespace assay::ci
