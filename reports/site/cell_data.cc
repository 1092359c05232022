#include "reports/site/cell_data.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "reports/page/status.h"
#include "reports/render/attribution_table.h"
#include "reports/result/row_fields.h"
#include "reports/site/data_script.h"
#include "reports/site/event_data.h"
#include "reports/stats/summary.h"
#include "reports/store/cell_name.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Levels are the medians of so many nights.
constexpr size_t kLevelNights = 30;

// A range of runs: [first, end).
struct Runs {
  uint32_t first = 0;
  uint32_t end = 0;

  bool Has(uint32_t run) const { return run >= first && run < end; }
};

// The indices of the nights of a cell in these runs, as a range of
// SiteCell::nights.
std::pair<size_t, size_t> NightsIn(const SiteCell& cell, const Runs& runs) {
  const auto at = [&](uint32_t run) {
    return std::lower_bound(cell.nights.begin(), cell.nights.end(), run,
                            [](const RowSummary* night, uint32_t r) {
                              return night->run < r;
                            }) -
           cell.nights.begin();
  };
  return {static_cast<size_t>(at(runs.first)),
          static_cast<size_t>(at(runs.end))};
}

// Adds a column unless it has no value.
void AddColumn(const SiteCell& cell, std::pair<size_t, size_t> nights,
               const char* name, float RowSummary::* member,
               DataScript& script) {
  std::vector<float> values;
  bool has_value = false;
  for (size_t i = nights.first; i < nights.second; ++i) {
    values.push_back(cell.nights[i]->*member);
    has_value |= std::isfinite(values.back());
  }
  if (has_value || member == &RowSummary::median) {
    script.Numbers(name, values);
  }
}

void AddNights(const SiteCell& cell, const Runs& runs, DataScript& script) {
  const std::pair<size_t, size_t> nights = NightsIn(cell, runs);
  script.Open("nights");
  std::vector<int64_t> numbers;
  std::vector<int64_t> verdicts;
  for (size_t i = nights.first; i < nights.second; ++i) {
    const RowSummary& row = *cell.nights[i];
    numbers.push_back(row.run);
    verdicts.push_back(StatusNumber(StatusOfRow(row)));
  }
  script.Integers("run", numbers);
  AddColumn(cell, nights, "median", &RowSummary::median, script);
  AddColumn(cell, nights, "lower", &RowSummary::lower, script);
  AddColumn(cell, nights, "upper", &RowSummary::upper, script);
  AddColumn(cell, nights, "p99", &RowSummary::p99, script);
  AddColumn(cell, nights, "reference", &RowSummary::reference, script);
  AddColumn(cell, nights, "load", &RowSummary::load, script);
  AddColumn(cell, nights, "memory", &RowSummary::memory, script);
  script.Integers("verdict", verdicts);
  script.Close();
}

SiteJson EventsIn(const SiteModel& model, const SiteCell& cell,
                  const Runs& runs) {
  SiteJson json = SiteJson::array();
  if (cell.events == nullptr) return json;
  for (const SiteEvent& event : *cell.events) {
    if (runs.Has(event.run)) json.push_back(EventJson(model, event));
  }
  return json;
}

// The artifacts by the nights in which they were new.
absl::StatusOr<SiteJson> ArtifactsIn(const SiteModel& model,
                                     const SiteCell& cell, const Runs& runs) {
  SiteJson json = SiteJson::array();
  std::optional<uint32_t> program;
  const auto [first, end] = NightsIn(cell, runs);
  if (first > 0) program = cell.nights[first - 1]->program;
  for (size_t i = first; i < end; ++i) {
    const RowSummary& row = *cell.nights[i];
    if (program == row.program) continue;
    program = row.program;
    ASSAY_ASSIGN_OR_RETURN(const std::string* text,
                           model.store().Text(row.program));
    Row parsed;
    ASSAY_RETURN_IF_ERROR(ParseProgramText(*text, &parsed));
    json.push_back(
        {{"night", row.run}, {"digest", parsed.build.artifact_digest}});
  }
  return json;
}

absl::StatusOr<SiteJson> KernelsIn(const SiteModel& model, const SiteCell& cell,
                                   const Runs& runs) {
  std::vector<const KernelSummary*> kernels;
  if (cell.cell != nullptr) {
    for (const KernelSummary& kernel : cell.cell->kernels) {
      if (runs.Has(kernel.row)) kernels.push_back(&kernel);
    }
  }
  // `row` of these is the run.
  std::vector<uint32_t> with_kernels;
  for (const KernelSummary* kernel : kernels) {
    if (with_kernels.empty() || with_kernels.back() != kernel->row) {
      with_kernels.push_back(kernel->row);
    }
  }
  if (with_kernels.size() > kKernelRuns) {
    with_kernels.erase(with_kernels.begin(), with_kernels.end() - kKernelRuns);
  }
  std::map<uint32_t, std::pair<double, uint32_t>> sums;  // with the kinds
  for (const KernelSummary* kernel : kernels) {
    if (kernel->row < with_kernels[0]) continue;
    auto& sum = sums[kernel->name];
    sum.first += static_cast<double>(kernel->ms);
    sum.second = kernel->kind;
  }
  std::vector<std::pair<double, uint32_t>> largest;
  for (const auto& [name, sum] : sums) largest.emplace_back(-sum.first, name);
  std::sort(largest.begin(), largest.end());
  const bool has_others = largest.size() > kShownKernels;
  if (has_others) largest.resize(kShownKernels);
  SiteJson json = {{"names", SiteJson::array()},
                   {"kinds", SiteJson::array()},
                   {"runs", with_kernels},
                   {"ms", SiteJson::array()}};
  std::map<uint32_t, size_t> columns;
  for (const auto& [sum, name] : largest) {
    columns[name] = columns.size();
    ASSAY_ASSIGN_OR_RETURN(const std::string* text, model.store().Text(name));
    ASSAY_ASSIGN_OR_RETURN(const std::string* kind,
                           model.store().Text(sums[name].second));
    json["names"].push_back(*text);
    json["kinds"].push_back(*kind);
  }
  if (has_others) {
    json["names"].push_back("others");
    json["kinds"].push_back("");
  }
  const size_t width = largest.size() + (has_others ? 1 : 0);
  auto kernel = kernels.begin();
  for (const uint32_t run : with_kernels) {
    std::vector<double> ms(width, std::nan(""));
    for (; kernel != kernels.end() && (*kernel)->row <= run; ++kernel) {
      if ((*kernel)->row != run) continue;
      const auto column = columns.find((*kernel)->name);
      double& sum = ms[column == columns.end() ? width - 1 : column->second];
      sum = (std::isnan(sum) ? 0 : sum) + static_cast<double>((*kernel)->ms);
    }
    SiteJson values = SiteJson::array();
    for (const double value : ms) values.push_back(Rounded(value));
    json["ms"].push_back(std::move(values));
  }
  return json;
}

absl::Status AddHistory(const SiteModel& model, size_t id, const Runs& runs,
                        DataScript& script) {
  const SiteCell& cell = model.cells[id];
  AddNights(cell, runs, script);
  script.Json("events", EventsIn(model, cell, runs));
  ASSAY_ASSIGN_OR_RETURN(const SiteJson artifacts,
                         ArtifactsIn(model, cell, runs));
  script.Json("artifacts", artifacts);
  ASSAY_ASSIGN_OR_RETURN(const SiteJson kernels, KernelsIn(model, cell, runs));
  if (!kernels["runs"].empty()) script.Json("kernels", kernels);
  return absl::OkStatus();
}

// Medians of the nights before and after each change of the program.
std::string LevelsOf(const SiteCell& cell) {
  std::string json = "[";
  std::vector<double> medians;
  const auto add_level = [&](const char* name, size_t first, size_t end) {
    medians.clear();
    for (size_t i = first; i < end; ++i) {
      medians.push_back(static_cast<double>(cell.nights[i]->median));
    }
    absl::StrAppend(&json, ",\"", name, "\":");
    AppendRounded(stats::Median(medians), &json);
  };
  const size_t nights = cell.nights.size();
  for (const SiteEvent& event : *cell.events) {
    if (event.metric != Metric::kLatency ||
        (event.causes.same_program() && !event.shift)) {
      continue;
    }
    const size_t split = NightsIn(cell, {0, event.run}).second;
    if (split == 0 || split == nights) continue;
    const size_t before = std::min(split, kLevelNights);
    const size_t after = std::min(nights - split, kLevelNights);
    absl::StrAppend(&json, json.size() > 1 ? "," : "",
                    "{\"night\":", event.run);
    add_level("before", split - before, split);
    add_level("after", split, split + after);
    json += ",\"change\":";
    AppendRounded(event.change, &json);
    json += "}";
  }
  json += "]";
  return json;
}

std::vector<std::pair<std::string, std::string>> FactsOf(const Row& row,
                                                         const RunResult& run) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [field, value] : FieldsOf(row)) {
    if (value.empty() || field == "reproduce" || field == "reason") continue;
    facts.emplace_back(field, value);
  }
  if (!row.timing.policy.empty()) {
    facts.emplace_back("timing_policy", row.timing.policy);
  }
  if (!row.build.runtime_digest.empty()) {
    facts.emplace_back("runtime_digest", row.build.runtime_digest);
  }
  for (const auto* part : {&run.environment.identity, &run.environment.state}) {
    for (const auto& [key, value] : *part) {
      facts.emplace_back(absl::StrCat("machine: ", key), value);
    }
  }
  return facts;
}

SiteJson AttributionOf(const Row& row) {
  SiteJson json = SiteJson::array();
  const auto& paired = row.comparison.paired;
  if (!paired.has_value() || !paired->attribution.has_value()) return json;
  for (const KernelChange& kernel : paired->attribution->kernels) {
    json.push_back({{"kernel", KernelName(kernel)},
                    {"base_ms", Rounded(kernel.base_ms)},
                    {"run_ms", Rounded(kernel.run_ms)},
                    {"change", Rounded(kernel.change_ms)},
                    {"lower", Rounded(kernel.lower_ms)},
                    {"upper", Rounded(kernel.upper_ms)},
                    {"same_code", kernel.same_code},
                    {"cause", kernel.cause},
                    {"work", kernel.work.has_value() ? WorkText(*kernel.work)
                                                     : std::string()}});
  }
  return json;
}

SiteJson AcknowledgementsOf(const SiteModel& model, const SiteCell& cell) {
  SiteJson json = SiteJson::array();
  const auto& all = model.input->acknowledgements;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!MatchesCellName(all[i].cell, cell.name)) continue;
    json.push_back({{"kind", std::string(KindName(all[i].kind))},
                    {"author", all[i].author},
                    {"reason", all[i].reason},
                    {"made_at", all[i].made_at},
                    {"until", all[i].until},
                    {"silent", cell.silenced == static_cast<int64_t>(i)}});
  }
  return json;
}

// The attribution of the last comparison that has one; older nights are read
// only if the last comparison says `regressed`.
absl::StatusOr<SiteJson> NewestAttribution(const SiteModel& model,
                                           const SiteCell& cell,
                                           const Row& newest) {
  const auto& comparisons = cell.cell->comparisons;
  if (comparisons.empty() || comparisons.back().row == cell.newest->run) {
    return AttributionOf(newest);
  }
  const auto& rows = cell.cell->rows;
  const auto row = std::lower_bound(
      rows.begin(), rows.end(), comparisons.back().row,
      [](const RowSummary* r, uint32_t run) { return r->run < run; });
  if (row == rows.end() || (*row)->run != comparisons.back().row ||
      StatusOfRow(**row).name != "regressed") {
    return SiteJson::array();
  }
  ASSAY_ASSIGN_OR_RETURN(const Record record, model.store().ReadRecord(**row));
  return AttributionOf(record.result.rows[0]);
}

absl::Status AddIdentity(const SiteCell& cell, DataScript& script) {
  const SummarizedCell& of = *cell.cell;
  script.Json("suite", of.suite);
  script.Json("model", of.key.model);
  script.Json("device", of.key.device);
  SiteJson variant = SiteJson::object();
  for (const Dimension& dimension : kDimensions) {
    if (!IsReported(dimension)) continue;
    variant[dimension.name] = dimension.NameOf(of.key.variant);
  }
  script.Json("variant", variant);
  script.Json("threads", of.key.threads);
  return absl::OkStatus();
}

absl::Status AddTail(const SiteModel& model, const CellRelations& relations,
                     size_t id, DataScript& script) {
  const SiteCell& cell = model.cells[id];
  const auto runs = static_cast<uint32_t>(model.runs().size());
  const uint32_t from = TailBegin(id, runs);
  script.Json("id", id);
  script.Json("name", cell.name);
  script.Json("from", from);
  script.Json("older", NightsIn(cell, {0, from}).second);
  ASSAY_RETURN_IF_ERROR(AddHistory(model, id, {from, runs}, script));
  if (cell.cell == nullptr) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(AddIdentity(cell, script));
  ASSAY_ASSIGN_OR_RETURN(const Record record,
                         model.store().ReadRecord(*cell.newest));
  const Row& row = record.result.rows[0];
  script.Json("reason", row.reason);
  script.Json("reproduce", row.reproduce);
  script.Pairs("facts", FactsOf(row, record.result));
  script.Text("levels", LevelsOf(cell));
  ASSAY_ASSIGN_OR_RETURN(const SiteJson attribution,
                         NewestAttribution(model, cell, row));
  script.Json("attribution", attribution);
  SiteJson siblings = SiteJson::array();
  for (const size_t other :
       relations.siblings.at({cell.cell->key.model, cell.cell->key.device})) {
    if (other != id) siblings.push_back(other);
  }
  script.Json("siblings", siblings);
  script.Json("acknowledgements", AcknowledgementsOf(model, cell));
  const auto bisections = relations.bisections.find(id);
  script.Json("bisections", bisections == relations.bisections.end()
                                ? SiteJson::array()
                                : SiteJson(bisections->second));
  return absl::OkStatus();
}

}  // namespace

uint32_t TailBegin(size_t id, uint32_t runs) {
  if (runs <= kTailRuns) return 0;
  const auto phase = static_cast<uint32_t>(id % kTailRuns);
  const uint32_t end = (runs - kTailRuns + phase) / kTailRuns * kTailRuns;
  return end > phase ? end - phase : 0;
}

CellRelations RelationsOf(const SiteModel& model) {
  CellRelations relations;
  for (size_t id = 0; id < model.cells.size(); ++id) {
    const SummarizedCell* cell = model.cells[id].cell;
    if (cell == nullptr) continue;
    relations.siblings[{cell->key.model, cell->key.device}].push_back(id);
  }
  std::map<std::string, std::vector<std::string>> by_name;
  for (const SiteBisection& bisection : model.input->bisections) {
    for (const auto& part :
         bisection.report.value("cells", SiteJson::array())) {
      if (!part.is_object()) continue;
      const auto name = part.find("cell");
      if (name == part.end() || !name->is_string()) continue;
      by_name[name->get<std::string>()].push_back(bisection.name);
    }
  }
  if (by_name.empty()) return relations;
  for (size_t id = 0; id < model.cells.size(); ++id) {
    // Bisections name cells without the suite.
    const SummarizedCell* cell = model.cells[id].cell;
    if (cell == nullptr) continue;
    const auto names =
        by_name.find(model.cells[id].name.substr(cell->suite.size() + 1));
    if (names != by_name.end()) relations.bisections[id] = names->second;
  }
  return relations;
}

absl::StatusOr<std::string> CellScript(const SiteModel& model, size_t id) {
  DataScript script("cell");
  script.Json("id", id);
  script.Json("name", model.cells[id].name);
  const uint32_t end =
      TailBegin(id, static_cast<uint32_t>(model.runs().size()));
  ASSAY_RETURN_IF_ERROR(AddHistory(model, id, {0, end}, script));
  return std::move(script).Finish();
}

absl::StatusOr<std::string> TailScript(const SiteModel& model,
                                       const CellRelations& relations,
                                       size_t group) {
  DataScript script("tail");
  script.Json("group", group);
  script.OpenArray("cells");
  const size_t first = group * kTailCells;
  const size_t end = std::min(first + kTailCells, model.cells.size());
  for (size_t id = first; id < end; ++id) {
    script.OpenElement();
    ASSAY_RETURN_IF_ERROR(AddTail(model, relations, id, script));
    script.Close();
  }
  script.Close();
  return std::move(script).Finish();
}

std::string CellFileKey(const SiteModel& model, size_t id,
                        const std::vector<std::string>& so_far) {
  const uint32_t end =
      TailBegin(id, static_cast<uint32_t>(model.runs().size()));
  const SiteCell& cell = model.cells[id];
  std::string text = absl::StrCat(cell.name, "\n", end, " ",
                                  NightsIn(cell, {0, end}).second, " ");
  if (NightsIn(cell, {0, end}).second > 0) text += so_far[end];
  if (cell.events != nullptr) {
    for (const SiteEvent& e : *cell.events) {
      if (e.run >= end) break;
      absl::StrAppend(&text, "\n", e.run, " ", e.run_before, " ",
                      static_cast<int>(e.metric), " ", CausesText(e.causes),
                      e.published, e.shift, " ");
      for (const float value : {e.change, e.lower, e.upper}) {
        AppendRounded(value, &text);
        text += " ";
      }
      absl::StrAppend(&text, e.what, "\n", e.reason);
    }
  }
  return Sha256Hex(text).substr(0, 16);
}

}  // namespace assay::reports
