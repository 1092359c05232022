#include "reports/render/benchmark_json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kProgram[] = "assay";

std::string NameOf(const Row& row) {
  return absl::StrCat(row.suite, "/", row.cell.model, "/", row.cell.device,
                      VariantTags(row.cell.variant, "/", ":"),
                      "/threads:", row.cell.threads);
}

// If `part` starts with `key`, sets `value` to the rest and returns true.
bool After(absl::string_view part, absl::string_view key, std::string* value) {
  if (!absl::StartsWith(part, key)) return false;
  *value = std::string(part.substr(key.size()));
  return true;
}

// The inverse of NameOf(). Returns false and leaves `row` unchanged if the name
// does not have that form. Parts of newer dimensions may be missing, or have
// their default values, as those of older files.
bool FromName(absl::string_view name, Row* row) {
  const std::vector<std::string> parts = absl::StrSplit(name, '/');
  CellKey cell;
  size_t next = 3;
  const auto read = [&](const char* key, std::string* value) {
    if (next >= parts.size() ||
        !After(parts[next], absl::StrCat(key, ":"), value)) {
      return false;
    }
    ++next;
    return true;
  };
  std::string value;
  for (const Dimension& dimension : kDimensions) {
    if (!read(dimension.name, &value)) {
      if (dimension.states_default) return false;
    } else if (!dimension.Set(value, &cell.variant)) {
      return false;
    }
  }
  if (!read("threads", &value) || next != parts.size() ||
      !absl::SimpleAtoi(value, &cell.threads)) {
    return false;
  }
  cell.model = parts[1];
  cell.device = parts[2];
  row->suite = parts[0];
  row->cell = std::move(cell);
  return true;
}

Json Common(const Row& row, const char* run_type) {
  Json json;
  json["name"] = NameOf(row);
  json["run_name"] = NameOf(row);
  json["run_type"] = run_type;
  json["repetitions"] = row.timing.samples_ns.size();
  json["threads"] = 1;
  json["label"] = std::string(stats::VerdictName(row.verdict));
  return json;
}

void AddTime(double value, Json* json) {
  (*json)["iterations"] = 1;
  (*json)["real_time"] = value;
  // CPU time is not measured.
  (*json)["cpu_time"] = value;
  (*json)["time_unit"] = "ms";
}

void AddAggregates(const Row& row, Json* benchmarks) {
  const stats::Summary timing = *LatencySummary(row);
  const std::pair<const char*, double> kAggregates[] = {
      {"mean", timing.mean},
      {"median", timing.median},
      {"stddev", timing.std},
      {"cv", timing.std / timing.mean},
  };
  for (const auto& [name, value] : kAggregates) {
    Json json = Common(row, "aggregate");
    json["name"] = absl::StrCat(NameOf(row), "_", name);
    json["aggregate_name"] = name;
    json["aggregate_unit"] =
        absl::string_view(name) == "cv" ? "percentage" : "time";
    AddTime(value, &json);
    benchmarks->push_back(std::move(json));
  }
}

absl::Status Wrong(size_t index, absl::string_view member) {
  return absl::InvalidArgumentError(absl::StrCat(
      "`benchmarks[", index, "].", member, "` is missing or not usable"));
}

std::string TextOr(const Json& json, const char* name,
                   const std::string& otherwise) {
  const auto it = json.find(name);
  return it != json.end() && it->is_string() ? it->get<std::string>()
                                             : otherwise;
}

// Nanoseconds in one `time_unit`; 0 for an unknown unit.
double NanosecondsPer(const std::string& unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return 0;
}

absl::Status ReadEntry(const Json& json, size_t index, Row* row) {
  const auto failed = json.find("error_occurred");
  if (failed != json.end() && failed->is_boolean() && failed->get<bool>()) {
    row->verdict = stats::Verdict::kInfrastructure;
    row->reason = TextOr(json, "error_message", "");
  }
  const absl::StatusOr<stats::Verdict> verdict =
      stats::ParseVerdict(TextOr(json, "label", ""));
  if (verdict.ok()) row->verdict = *verdict;
  if (row->timing.samples_ns.empty() && !row->reason.empty())
    return absl::OkStatus();
  const auto time = json.find("real_time");
  const double unit = NanosecondsPer(TextOr(json, "time_unit", "ns"));
  if (unit == 0) return Wrong(index, "time_unit");
  if (time == json.end() || !time->is_number() ||
      !(time->get<double>() * unit > 0)) {
    return Wrong(index, "real_time");
  }
  row->timing.samples_ns.push_back(time->get<double>() * unit);
  return absl::OkStatus();
}

std::string ProgramOf(const Json& json) {
  const auto context = json.find("context");
  if (context == json.end() || !context->is_object()) return "benchmark";
  const std::string path = TextOr(*context, "executable", "benchmark");
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string BenchmarkJson(const RunResult& result) {
  Json json;
  json["context"]["date"] = result.started_at;
  json["context"]["host_name"] = result.environment.fingerprint;
  json["context"]["executable"] = kProgram;
  for (const auto& [key, value] : result.environment.identity) {
    json["context"][key] = value;
  }
  json["benchmarks"] = Json::array();
  for (const Row& row : result.rows) {
    for (size_t i = 0; i < row.timing.samples_ns.size(); ++i) {
      Json entry = Common(row, "iteration");
      entry["repetition_index"] = i;
      AddTime(row.timing.samples_ns[i] / 1e6, &entry);
      json["benchmarks"].push_back(std::move(entry));
    }
    if (!row.timing.samples_ns.empty()) {
      AddAggregates(row, &json["benchmarks"]);
      continue;
    }
    Json entry = Common(row, "iteration");
    entry["error_occurred"] = true;
    entry["error_message"] = row.reason.empty()
                                 ? std::string(stats::VerdictName(row.verdict))
                                 : row.reason;
    json["benchmarks"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<RunResult> ParseBenchmarkJson(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr,
                                /*allow_exceptions=*/false);
  const auto benchmarks =
      json.is_object() ? json.find("benchmarks") : json.end();
  if (!json.is_object() || benchmarks == json.end() ||
      !benchmarks->is_array()) {
    return absl::InvalidArgumentError(
        "not the JSON format of Google Benchmark: no array `benchmarks`");
  }
  RunResult result;
  const auto context = json.find("context");
  if (context != json.end() && context->is_object()) {
    result.started_at = TextOr(*context, "date", "");
    result.environment.fingerprint = TextOr(*context, "host_name", "");
  }
  const std::string program = ProgramOf(json);
  std::map<std::string, size_t> rows;
  for (size_t i = 0; i < benchmarks->size(); ++i) {
    const Json& entry = (*benchmarks)[i];
    if (!entry.is_object()) return Wrong(i, "name");
    if (TextOr(entry, "run_type", "iteration") != "iteration") continue;
    const std::string name =
        TextOr(entry, "run_name", TextOr(entry, "name", ""));
    if (name.empty()) return Wrong(i, "name");
    const auto [known, is_new] = rows.try_emplace(name, result.rows.size());
    if (is_new) {
      Row row;
      row.verdict = stats::Verdict::kNoBaseline;
      if (!FromName(name, &row)) {
        row.suite = program;
        row.cell.model = name;
        row.cell.device = "host";
      }
      result.rows.push_back(std::move(row));
    }
    ASSAY_RETURN_IF_ERROR(ReadEntry(entry, i, &result.rows[known->second]));
  }
  return result;
}

}  // namespace assay::reports
