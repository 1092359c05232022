#include "reports/site/commit_data.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "reports/site/data_script.h"
#include "reports/site/event_data.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Adds a bisection to the commits that it suspects, with what it knows of them.
void AddSuspects(const SiteJson& report, const SiteBisection& bisection,
                 std::map<std::string, SiteCommit>& commits) {
  if (!report.is_object()) return;
  for (const auto& cell : report.value("cells", SiteJson::array())) {
    if (!cell.is_object()) continue;
    for (const auto& finding : cell.value("findings", SiteJson::array())) {
      if (!finding.is_object()) continue;
      for (const auto& suspect : finding.value("suspects", SiteJson::array())) {
        const auto text = [&suspect = suspect](const char* name) {
          const auto at =
              suspect.is_object() ? suspect.find(name) : suspect.end();
          return at == suspect.end() || !at->is_string()
                     ? std::string()
                     : at->get<std::string>();
        };
        const std::string key = CommitKey(text("commit"));
        if (key.empty()) continue;
        SiteCommit& commit = commits[key];
        if (commit.sha.empty()) commit.sha = text("commit");
        commit.subject = text("subject");
        commit.author = text("author");
        commit.date = text("date");
        if (std::find(commit.bisections.begin(), commit.bisections.end(),
                      &bisection) == commit.bisections.end()) {
          commit.bisections.push_back(&bisection);
        }
      }
    }
  }
  for (const auto& branch : report.value("branches", SiteJson::array())) {
    AddSuspects(branch, bisection, commits);
  }
}

// Published events first, then the largest changes.
auto Rank(const std::pair<size_t, const SiteEvent*>& of) {
  const float change =
      std::isfinite(of.second->change) ? std::abs(of.second->change) : 0;
  return std::make_tuple(!of.second->published, -change, of.first,
                         of.second->run, of.second->metric);
}

const RowSummary* RowIn(const SummarizedCell& cell, uint32_t run) {
  const auto at = std::lower_bound(
      cell.rows.begin(), cell.rows.end(), run,
      [](const RowSummary* row, uint32_t r) { return row->run < r; });
  return at == cell.rows.end() || (*at)->run != run ? nullptr : *at;
}

// Returns the symbols of the kernels of `after` whose code is new.
absl::StatusOr<std::vector<std::string>> ChangedKernels(
    const SiteModel& model, const RowSummary& before, const RowSummary& after) {
  std::multiset<std::string> old;
  std::vector<std::string> changed;
  Row row;
  ASSAY_ASSIGN_OR_RETURN(const std::string* text,
                         model.store().Text(before.program));
  ASSAY_RETURN_IF_ERROR(ParseProgramText(*text, &row));
  for (const KernelCode& kernel : row.build.code) old.insert(kernel.digest);
  ASSAY_ASSIGN_OR_RETURN(text, model.store().Text(after.program));
  ASSAY_RETURN_IF_ERROR(ParseProgramText(*text, &row));
  for (const KernelCode& kernel : row.build.code) {
    const auto at = old.find(kernel.digest);
    if (at == old.end()) {
      changed.push_back(kernel.symbol);
    } else {
      old.erase(at);
    }
  }
  return changed;
}

SiteJson OrNull(const std::string& text) {
  return text.empty() ? SiteJson(nullptr) : SiteJson(text);
}

}  // namespace

std::map<std::string, SiteCommit> SiteCommits(const SiteModel& model) {
  std::map<std::string, SiteCommit> commits;
  std::vector<SiteCommit*> of_run(model.runs().size());
  for (uint32_t run = 0; run < model.runs().size(); ++run) {
    const std::string& sha = model.runs()[run].header.commit;
    const std::string key = CommitKey(sha);
    if (key.empty()) continue;
    SiteCommit& commit = commits[key];
    if (commit.sha.empty()) commit.sha = sha;
    commit.runs.push_back(run);
    if (run > 0 && model.runs()[run - 1].header.commit != sha) {
      commit.runs_before.push_back(run - 1);
    }
    of_run[run] = &commit;
  }
  for (size_t id = 0; id < model.cells.size(); ++id) {
    const SiteCell& cell = model.cells[id];
    if (cell.events == nullptr) continue;
    for (const SiteEvent& event : *cell.events) {
      const bool is_machine = event.causes.same_program() &&
                              !event.causes.Has(Cause::kMethod) && !event.shift;
      if (is_machine || of_run[event.run] == nullptr) continue;
      of_run[event.run]->events.emplace_back(id, &event);
    }
  }
  for (const SiteBisection& bisection : model.input->bisections) {
    AddSuspects(bisection.report, bisection, commits);
  }
  return commits;
}

std::string CommitFileKey(const SiteModel& model, const SiteCommit& commit) {
  std::string text = commit.sha;
  for (const uint32_t run : commit.runs) {
    absl::StrAppend(&text, "\n", run, model.runs()[run].state);
  }
  for (const auto& [id, event] : commit.events) {
    absl::StrAppend(&text, "\n", id, " ", event->run, " ", event->run_before,
                    event->published, event->shift, " ");
    AppendRounded(event->change, &text);
    absl::StrAppend(&text, " ", event->what, event->reason);
  }
  for (const SiteBisection* bisection : commit.bisections) {
    absl::StrAppend(&text, "\n", bisection->name, commit.subject);
  }
  return Sha256Hex(text).substr(0, 16);
}

absl::StatusOr<std::string> CommitScript(const SiteModel& model,
                                         const SiteCommit& commit) {
  auto events = commit.events;
  std::sort(events.begin(), events.end(),
            [](const auto& a, const auto& b) { return Rank(a) < Rank(b); });
  const size_t shown = std::min(events.size(), kCommitEvents);
  SiteJson list = SiteJson::array();
  SiteJson kernels = SiteJson::array();
  for (size_t i = 0; i < shown; ++i) {
    const auto& [id, event] = events[i];
    SiteJson json = {{"cell", id}};
    json.update(EventJson(model, *event));
    list.push_back(std::move(json));
    const SummarizedCell& cell = *model.cells[id].cell;
    const RowSummary* before = RowIn(cell, event->run_before);
    const RowSummary* after = RowIn(cell, event->run);
    if (!event->causes.Has(Cause::kCode) || event->shift || before == nullptr ||
        after == nullptr || kernels.size() >= kCommitKernels) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> changed,
                           ChangedKernels(model, *before, *after));
    for (const std::string& kernel : changed) {
      if (kernels.size() >= kCommitKernels) break;
      kernels.push_back(
          {{"cell", id}, {"kernel", kernel}, {"causes", {"code"}}});
    }
  }
  SiteJson bisections = SiteJson::array();
  for (const SiteBisection* bisection : commit.bisections) {
    bisections.push_back(bisection->name);
  }
  DataScript script("commit");
  script.Json("sha", commit.sha);
  script.Json("runs", commit.runs);
  script.Json("runs_before", commit.runs_before);
  script.Json("subject", OrNull(commit.subject));
  script.Json("author", OrNull(commit.author));
  script.Json("date", OrNull(commit.date));
  script.Json("events", list);
  script.Json("events_in_all", events.size());
  script.Json("bisections", bisections);
  script.Json("kernels", kernels);
  return std::move(script).Finish();
}

}  // namespace assay::reports
