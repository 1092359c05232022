#include "reports/store/summary/summarize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/stats/sign_interval.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string CellTextOf(const Row& row) {
  Json variant = Json::object();
  for (const Dimension& dimension : kDimensions) {
    variant[dimension.name] = dimension.NameOf(row.cell.variant);
  }
  return Dump(Json::array({row.suite, row.cell.model, row.cell.device,
                           row.cell.threads, std::move(variant)}));
}

std::string ProgramTextOf(const Row& row) {
  Json code = Json::array();
  for (const KernelCode& kernel : row.build.code) {
    code.push_back(Json::array({kernel.symbol, kernel.digest}));
  }
  return Dump(Json::array(
      {row.build.model_digest, row.build.artifact_digest, std::move(code)}));
}

std::string MethodTextOf(const Row& row) {
  return Dump(Json::array({row.build.runtime_digest, row.timing.policy,
                           Json(row.comparison.parity)}));
}

float Finite(double value) {
  const auto number = static_cast<float>(value);
  return std::isfinite(number) ? number : kNoValue;
}

void AddTiming(const Row& row, RowSummary& summary) {
  if (row.timing.samples_ns.empty()) return;
  summary.flags |= RowSummary::kTimed;
  const std::vector<double> ms = InMilliseconds(row.timing.samples_ns);
  const stats::MedianInterval interval = stats::SignInterval(ms, kNightLevel);
  summary.median = Finite(interval.median);
  if (interval.bounded()) {
    summary.lower = Finite(interval.lower);
    summary.upper = Finite(interval.upper);
  }
  summary.p99 = Finite(stats::Percentile(ms, 99));
  if (row.timing.load_ms.has_value()) {
    summary.load = Finite(*row.timing.load_ms);
  }
  const auto& reference = row.comparison.speedup_vs_reference;
  if (reference.has_value()) {
    summary.reference = Finite(interval.median * reference->value);
  }
}

void AddState(const Row& row, RowSummary& summary) {
  if (!row.timing.disturbances.empty()) {
    summary.flags |= RowSummary::kDisturbed;
  }
  for (const BlockState& block : row.timing.blocks) {
    for (const DeviceState* state : {&block.before, &block.after}) {
      if (state->throttled.value_or(false)) {
        summary.flags |= RowSummary::kThrottled;
      }
      const double celsius = state->temperature_celsius.value_or(0);
      if (celsius > summary.temperature) {
        summary.temperature =
            static_cast<uint8_t>(std::min(std::round(celsius), 255.0));
      }
    }
  }
}

absl::Status Bad(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the summaries of the store have a bad ", what));
}

// Parses an array of `size` elements; returns null if it is none.
Json ParseArray(absl::string_view text, size_t size) {
  Json json = Json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                          /*allow_exceptions=*/false);
  if (!json.is_array() || json.size() != size) return nullptr;
  return json;
}

bool AreStrings(const Json& array, size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    if (!array[i].is_string()) return false;
  }
  return true;
}

}  // namespace

RunSummary& Summarizer::RunOf(const Record& record) {
  // A segment usually has one run.
  for (RunSummary& run : runs_) {
    if (run.run != record.run) continue;
    if (record.result.canary.size() > run.header.canary.size()) {
      run.header.canary = record.result.canary;
    }
    return run;
  }
  RunSummary& run = runs_.emplace_back();
  run.run = record.run;
  run.header.started_at = record.result.started_at;
  run.header.commit = record.result.commit;
  run.header.environment = record.result.environment;
  run.header.canary = record.result.canary;
  return run;
}

void Summarizer::Add(const Record& record, int64_t offset) {
  if (record.result.rows.empty()) return;
  const Row& row = record.result.rows[0];
  RunSummary& run = RunOf(record);
  RowSummary summary;
  summary.offset = offset;
  summary.cell = texts_.NumberOf(CellTextOf(row));
  summary.program = texts_.NumberOf(ProgramTextOf(row));
  summary.method = texts_.NumberOf(MethodTextOf(row));
  summary.machine =
      texts_.NumberOf(Dump(Json::array({row.fingerprint, row.board})));
  if (row.emulated) summary.flags |= RowSummary::kEmulated;
  AddTiming(row, summary);
  AddState(row, summary);
  if (row.build.arena_bytes > 0) {
    summary.memory = Finite(static_cast<double>(row.build.arena_bytes));
  }
  summary.verdict = static_cast<uint8_t>(row.verdict);
  const auto index = static_cast<uint32_t>(run.rows.size());
  run.rows.push_back(summary);
  if (const auto& paired = row.comparison.paired; paired.has_value()) {
    run.comparisons.push_back({index, texts_.NumberOf(paired->artifact_digest),
                               static_cast<float>(paired->change),
                               static_cast<float>(paired->lower),
                               static_cast<float>(paired->upper)});
  }
  AddKernels(row, index, run);
}

void Summarizer::AddKernels(const Row& row, uint32_t index, RunSummary& run) {
  std::vector<KernelSummary> kernels;
  std::map<std::string, int> calls;
  for (const OperatorTime& op : row.timing.operators) {
    std::string name =
        op.sources.empty() ? op.kind : absl::StrJoin(op.sources, "+");
    const int call = ++calls[name];
    if (call > 1) absl::StrAppend(&name, " #", call);
    kernels.push_back({index, texts_.NumberOf(name), texts_.NumberOf(op.kind),
                       static_cast<float>(op.ms)});
  }
  // Numbers of texts are in the order of the calls.
  std::sort(kernels.begin(), kernels.end(),
            [](const KernelSummary& a, const KernelSummary& b) {
              return std::make_pair(-a.ms, a.name) <
                     std::make_pair(-b.ms, b.name);
            });
  if (kernels.size() > kKernelsOfRow) {
    KernelSummary others = {index, texts_.NumberOf("others"),
                            texts_.NumberOf(""), 0};
    for (size_t i = kKernelsOfRow; i < kernels.size(); ++i) {
      others.ms += kernels[i].ms;
    }
    kernels.resize(kKernelsOfRow);
    kernels.push_back(others);
  }
  run.kernels.insert(run.kernels.end(), kernels.begin(), kernels.end());
}

absl::StatusOr<CellText> ParseCellText(absl::string_view text) {
  const Json json = ParseArray(text, 5);
  if (json.is_null() || !AreStrings(json, 0, 3) ||
      !json[3].is_number_integer() || !json[4].is_object()) {
    return Bad("cell");
  }
  CellText cell;
  cell.suite = json[0].get<std::string>();
  cell.key.model = json[1].get<std::string>();
  cell.key.device = json[2].get<std::string>();
  cell.key.threads = json[3].get<int>();
  for (const Dimension& dimension : kDimensions) {
    const auto value = json[4].find(dimension.name);
    if (value == json[4].end()) continue;
    if (!value->is_string() ||
        !dimension.Set(value->get<std::string>(), &cell.key.variant)) {
      return Bad("variant");
    }
  }
  return cell;
}

absl::Status ParseProgramText(absl::string_view text, Row* row) {
  const Json json = ParseArray(text, 3);
  if (json.is_null() || !AreStrings(json, 0, 2) || !json[2].is_array()) {
    return Bad("program");
  }
  row->build.model_digest = json[0].get<std::string>();
  row->build.artifact_digest = json[1].get<std::string>();
  row->build.code.clear();
  for (const Json& kernel : json[2]) {
    if (!kernel.is_array() || kernel.size() != 2 || !AreStrings(kernel, 0, 2)) {
      return Bad("kernel");
    }
    row->build.code.push_back(
        {kernel[0].get<std::string>(), {}, kernel[1].get<std::string>()});
  }
  return absl::OkStatus();
}

absl::Status ParseMethodText(absl::string_view text, Row* row) {
  const Json json = ParseArray(text, 3);
  if (json.is_null() || !AreStrings(json, 0, 2)) return Bad("method");
  row->build.runtime_digest = json[0].get<std::string>();
  row->timing.policy = json[1].get<std::string>();
  row->comparison.parity.clear();
  if (json[2].is_null()) return absl::OkStatus();
  if (!json[2].is_object()) return Bad("method");
  for (const auto& [contender, conditions] : json[2].items()) {
    if (!conditions.is_object()) return Bad("method");
    auto& parity = row->comparison.parity[contender];
    for (const auto& [name, value] : conditions.items()) {
      if (!value.is_string()) return Bad("method");
      parity[name] = value.get<std::string>();
    }
  }
  return absl::OkStatus();
}

absl::Status ParseMachineText(absl::string_view text, Row* row) {
  const Json json = ParseArray(text, 2);
  if (json.is_null() || !AreStrings(json, 0, 2)) return Bad("machine");
  row->fingerprint = json[0].get<std::string>();
  row->board = json[1].get<std::string>();
  return absl::OkStatus();
}

}  // namespace assay::reports
