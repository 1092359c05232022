#include "reports/store/summary/summarize.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/stats/sign_interval.h"
#include "reports/stats/summary.h"
#include "reports/store/summary/json_cursor.h"
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

// Reads an array with one element after the other; there must be as many as
// functions.
template <typename... F>
void ReadElements(JsonCursor& cursor, F... read) {
  const std::function<void()> functions[] = {read...};
  size_t count = 0;
  cursor.Array([&] {
    if (count == sizeof...(read)) return cursor.Fail();
    functions[count++]();
  });
  if (count != sizeof...(read)) cursor.Fail();
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
  CellText cell;
  int64_t threads = 0;
  bool is_variant = true;
  JsonCursor cursor(text);
  ReadElements(
      cursor, [&] { cursor.String(&cell.suite); },
      [&] { cursor.String(&cell.key.model); },
      [&] { cursor.String(&cell.key.device); },
      [&] { cursor.Integer(&threads); },
      [&] {
        cursor.Object([&](absl::string_view key) {
          std::string value;
          cursor.String(&value);
          for (const Dimension& dimension : kDimensions) {
            if (dimension.name != key) continue;
            is_variant &= dimension.Set(value, &cell.key.variant);
          }
        });
      });
  if (!cursor.AtEnd()) return Bad("cell");
  if (!is_variant) return Bad("variant");
  cell.key.threads = static_cast<int>(threads);
  return cell;
}

absl::Status ParseProgramText(absl::string_view text, Row* row) {
  row->build.code.clear();
  JsonCursor cursor(text);
  ReadElements(
      cursor, [&] { cursor.String(&row->build.model_digest); },
      [&] { cursor.String(&row->build.artifact_digest); },
      [&] {
        cursor.Array([&] {
          KernelCode& kernel = row->build.code.emplace_back();
          ReadElements(
              cursor, [&] { cursor.String(&kernel.symbol); },
              [&] { cursor.String(&kernel.digest); });
        });
      });
  return cursor.AtEnd() ? absl::OkStatus() : Bad("program");
}

absl::Status ParseMethodText(absl::string_view text, Row* row) {
  auto& parity = row->comparison.parity;
  parity.clear();
  JsonCursor cursor(text);
  ReadElements(
      cursor, [&] { cursor.String(&row->build.runtime_digest); },
      [&] { cursor.String(&row->timing.policy); },
      [&] {
        if (cursor.Null()) return;
        cursor.Object([&](absl::string_view key) {
          auto& conditions = parity[std::string(key)];
          cursor.Object([&](absl::string_view name) {
            cursor.String(&conditions[std::string(name)]);
          });
        });
      });
  return cursor.AtEnd() ? absl::OkStatus() : Bad("method");
}

absl::Status ParseMachineText(absl::string_view text, Row* row) {
  JsonCursor cursor(text);
  ReadElements(
      cursor, [&] { cursor.String(&row->fingerprint); },
      [&] { cursor.String(&row->board); });
  return cursor.AtEnd() ? absl::OkStatus() : Bad("machine");
}

}  // namespace assay::reports
