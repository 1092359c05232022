#include "reports/result/results_json.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reports/result/attribution_json.h"
#include "reports/result/block_state_json.h"
#include "reports/result/json_double.h"
#include "reports/result/json_reader.h"
#include "reports/result/kernel_code_json.h"
#include "reports/result/variant_json.h"
#include "reports/stats/ratio.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

Json FromOptional(const std::optional<double>& value) {
  return value.has_value() ? FromDouble(*value) : Json(nullptr);
}

// Adds a ratio as three members; those of a missing ratio are null.
void AddRatio(const std::string& name, const std::optional<stats::Ratio>& ratio,
              Json& json) {
  const auto member = [&](double stats::Ratio::* bound) {
    return ratio.has_value() ? FromDouble((*ratio).*bound) : Json(nullptr);
  };
  json[name] = member(&stats::Ratio::value);
  json[name + "_lower"] = member(&stats::Ratio::lower);
  json[name + "_upper"] = member(&stats::Ratio::upper);
}

Json FromOperators(const std::vector<OperatorTime>& operators) {
  Json array = Json::array();
  for (const OperatorTime& op : operators) {
    Json json;
    json["kernel"] = op.kernel;
    json["kind"] = op.kind;
    json["sources"] = op.sources;
    json["ms"] = FromDouble(op.ms);
    json["flops"] = op.flops;
    json["bytes"] = op.bytes;
    array.push_back(std::move(json));
  }
  return array;
}

// Adds the evidence about the tail as members; they are null if there is none.
void AddTail(const PairedComparison& paired, Json& json) {
  const std::optional<stats::TailEvidence>& tail = paired.tail;
  const auto whole = [&](int64_t stats::TailEvidence::* member) {
    return tail.has_value() ? Json((*tail).*member) : Json(nullptr);
  };
  const auto real = [&](double stats::TailEvidence::* member) {
    return tail.has_value() ? FromDouble((*tail).*member) : Json(nullptr);
  };
  json["tail_slower"] = paired.tail_slower;
  json["tail_inferences"] = whole(&stats::TailEvidence::inferences);
  json["tail_base_slow"] = whole(&stats::TailEvidence::base_slow);
  json["tail_run_slow"] = whole(&stats::TailEvidence::run_slow);
  json["tail_threshold"] = real(&stats::TailEvidence::threshold);
  json["tail_log_e"] = real(&stats::TailEvidence::log_e);
}

Json FromPaired(const std::optional<PairedComparison>& paired) {
  if (!paired.has_value()) return nullptr;
  Json json;
  json["artifact_digest"] = paired->artifact_digest;
  json["base_ns"] = paired->base_ns;
  json["run_ns"] = paired->run_ns;
  json["change"] = FromDouble(paired->change);
  json["lower"] = FromDouble(paired->lower);
  json["upper"] = FromDouble(paired->upper);
  json["detectable"] = FromDouble(paired->detectable);
  json["nodes"] = paired->nodes;
  json["seconds"] = FromOptional(paired->seconds);
  AddTail(*paired, json);
  json["attribution"] = FromAttribution(paired->attribution);
  json["blocks"] = FromBlockStates(paired->blocks);
  return json;
}

Json FromCanary(const Canary& canary) {
  Json array = Json::array();
  for (const CanaryTrial& trial : canary) {
    Json json;
    json["share"] = trial.share;
    json["threads"] = trial.threads;
    json["separate"] = trial.separate;
    json["board"] = trial.board;
    json["verdict"] = std::string(stats::VerdictName(trial.verdict));
    json["reason"] = trial.reason;
    array.push_back(std::move(json));
  }
  return array;
}

// Adds a quantile of the latency as three members. A bound that the samples do
// not give is null.
void AddQuantile(const std::string& name, const Row& row, double p,
                 Json& json) {
  const std::optional<stats::QuantileInterval> q = LatencyQuantile(row, p);
  const auto bound = [](double value) {
    return std::isfinite(value) ? FromDouble(value) : Json(nullptr);
  };
  json[name] = q.has_value() ? FromDouble(q->value) : Json(nullptr);
  json[name + "_lower"] = q.has_value() ? bound(q->lower) : Json(nullptr);
  json[name + "_upper"] = q.has_value() ? bound(q->upper) : Json(nullptr);
}

Json FromRow(const Row& row) {
  const std::optional<stats::Summary> timing = LatencySummary(row);
  const auto statistic = [&](double stats::Summary::* member) {
    return timing.has_value() ? FromDouble((*timing).*member) : Json(nullptr);
  };
  Json json;
  json["suite"] = row.suite;
  json["model"] = row.cell.model;
  json["device"] = row.cell.device;
  AddVariant(row.cell.variant, json);
  json["threads"] = row.cell.threads;
  json["emulated"] = row.emulated;
  json["fingerprint"] = row.fingerprint;
  json["board"] = row.board;
  json["mean_ms"] = statistic(&stats::Summary::mean);
  json["std_ms"] = statistic(&stats::Summary::std);
  json["median_ms"] = statistic(&stats::Summary::median);
  AddQuantile("p90_ms", row, 0.9, json);
  AddQuantile("p99_ms", row, 0.99, json);
  json["samples_ns"] = row.timing.samples_ns;
  json["blocks"] = FromBlockStates(row.timing.blocks);
  json["disturbances"] = row.timing.disturbances;
  json["flops"] = row.build.flops;
  json["gflops"] = FromOptional(GflopPerSecond(row));
  json["kernels"] = row.build.kernels;
  json["compile_ms"] = FromOptional(row.build.compile_ms);
  json["artifact_bytes"] = row.build.artifact_bytes;
  json["params_bytes"] = row.build.params_bytes;
  json["load_ms"] = FromOptional(row.timing.load_ms);
  json["peak_rss_bytes"] = row.timing.peak_rss_bytes.has_value()
                               ? Json(*row.timing.peak_rss_bytes)
                               : Json(nullptr);
  json["arena_bytes"] = row.build.arena_bytes;
  json["live_bytes"] = row.build.live_bytes;
  json["operators"] = FromOperators(row.timing.operators);
  json["operators_whole_ms"] = FromOptional(row.timing.operators_whole_ms);
  json["max_abs_error"] = FromOptional(row.correctness.max_abs_error);
  json["max_abs_error_bound"] =
      FromOptional(row.correctness.max_abs_error_bound);
  json["no_second_opinion"] = row.correctness.no_second_opinion;
  json["baseline_ms"] = FromOptional(row.comparison.baseline_ms);
  json["delta"] = FromOptional(row.comparison.delta);
  json["threshold"] = FromOptional(row.comparison.threshold);
  json["paired"] = FromPaired(row.comparison.paired);
  AddRatio("speedup_vs_unfused", row.comparison.speedup_vs_unfused, json);
  AddRatio("speedup_vs_untuned", row.comparison.speedup_vs_untuned, json);
  AddRatio("speedup_vs_reference", row.comparison.speedup_vs_reference, json);
  json["no_reference"] = row.comparison.no_reference;
  json["parity"] = row.comparison.parity.empty() ? Json(nullptr)
                                                 : Json(row.comparison.parity);
  json["verdict"] = std::string(stats::VerdictName(row.verdict));
  json["reason"] = row.reason;
  json["model_digest"] = row.build.model_digest;
  json["artifact_digest"] = row.build.artifact_digest;
  json["tuning_digest"] = row.build.tuning_digest;
  json["runtime_digest"] = row.build.runtime_digest;
  json["code"] = FromKernelCode(row.build.code);
  json["timing_policy"] = row.timing.policy;
  json["reproduce"] = row.reproduce;
  return json;
}

absl::StatusOr<std::vector<OperatorTime>> ToOperators(const Json& array,
                                                      const std::string& path) {
  std::vector<OperatorTime> operators;
  for (const Json& json : array) {
    OperatorTime op;
    JsonReader r(json, absl::StrCat(path, "[", operators.size(), "]"));
    r.Read("kernel", &op.kernel);
    r.Read("kind", &op.kind);
    r.Read("sources", &op.sources);
    r.Read("ms", &op.ms);
    r.Read("flops", &op.flops);
    r.Read("bytes", &op.bytes);
    ASSAY_RETURN_IF_ERROR(r.status());
    operators.push_back(std::move(op));
  }
  return operators;
}

// Samples are in nanoseconds; version 1 of the format had milliseconds.
void ReadSamples(JsonReader& r, int version, const char* name,
                 std::vector<double>* samples_ns) {
  if (version > 1) {
    return r.Read(absl::StrCat(name, "_ns").c_str(), samples_ns);
  }
  r.Read(absl::StrCat(name, "_ms").c_str(), samples_ns);
  for (double& sample : *samples_ns) sample *= 1e6;
}

// Reads a ratio. Files of earlier versions have no bounds.
void ReadRatio(JsonReader& r, const Json& json, const std::string& name,
               std::optional<stats::Ratio>* ratio) {
  std::optional<double> value;
  r.Read(name.c_str(), &value);
  if (!value.has_value()) return;
  ratio->emplace().value = *value;
  const std::string lower = name + "_lower", upper = name + "_upper";
  if (json.contains(lower)) r.Read(lower.c_str(), &(*ratio)->lower);
  if (json.contains(upper)) r.Read(upper.c_str(), &(*ratio)->upper);
}

// Older files do not have these members.
void ReadTail(JsonReader& r, const Json& json, PairedComparison* paired) {
  if (!json.contains("tail_slower")) return;
  r.Read("tail_slower", &paired->tail_slower);
  if (r.FindOrNull("tail_inferences").is_null()) return;
  stats::TailEvidence& tail = paired->tail.emplace();
  r.Read("tail_inferences", &tail.inferences);
  r.Read("tail_base_slow", &tail.base_slow);
  r.Read("tail_run_slow", &tail.run_slow);
  r.Read("tail_threshold", &tail.threshold);
  r.Read("tail_log_e", &tail.log_e);
}

absl::StatusOr<std::optional<PairedComparison>> ToPaired(
    const Json& json, int version, const std::string& path) {
  if (json.is_null()) return std::optional<PairedComparison>();
  PairedComparison paired;
  JsonReader r(json, path);
  r.Read("artifact_digest", &paired.artifact_digest);
  ReadSamples(r, version, "base", &paired.base_ns);
  ReadSamples(r, version, "run", &paired.run_ns);
  r.Read("change", &paired.change);
  r.Read("lower", &paired.lower);
  r.Read("upper", &paired.upper);
  r.Read("detectable", &paired.detectable);
  if (json.contains("nodes")) r.Read("nodes", &paired.nodes);
  if (json.contains("seconds")) r.Read("seconds", &paired.seconds);
  ReadTail(r, json, &paired);
  ASSAY_RETURN_IF_ERROR(r.status());
  if (paired.base_ns.size() != paired.run_ns.size()) {
    r.Fail(version == 1 ? "run_ms" : "run_ns",
           "does not have as many samples as the base");
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  ASSAY_ASSIGN_OR_RETURN(paired.attribution,
                         ToAttribution(r.FindOrNull("attribution"),
                                       absl::StrCat(path, ".attribution")));
  ASSAY_ASSIGN_OR_RETURN(
      paired.blocks,
      ToBlockStates(r.FindOrNull("blocks"), absl::StrCat(path, ".blocks")));
  return std::optional<PairedComparison>(std::move(paired));
}

absl::Status ReadParity(
    const Json& json, const std::string& path,
    std::map<std::string, std::map<std::string, std::string>>* parity) {
  if (json.is_null()) return absl::OkStatus();
  JsonReader r(json, path);
  ASSAY_RETURN_IF_ERROR(r.status());
  for (const auto& [contender, conditions] : json.items()) {
    r.Read(contender.c_str(), &(*parity)[contender]);
  }
  return r.status();
}

absl::Status ReadVerdict(JsonReader& r, stats::Verdict* verdict) {
  std::string name;
  r.Read("verdict", &name);
  ASSAY_RETURN_IF_ERROR(r.status());
  const absl::StatusOr<stats::Verdict> parsed = stats::ParseVerdict(name);
  if (!parsed.ok()) r.Fail("verdict", parsed.status().message());
  ASSAY_RETURN_IF_ERROR(r.status());
  *verdict = *parsed;
  return absl::OkStatus();
}

absl::StatusOr<CanaryTrial> ToCanaryTrial(const Json& json,
                                          const std::string& path) {
  CanaryTrial trial;
  JsonReader r(json, path);
  r.Read("share", &trial.share);
  if (json.contains("threads")) r.Read("threads", &trial.threads);
  if (json.contains("separate")) r.Read("separate", &trial.separate);
  if (json.contains("board")) r.Read("board", &trial.board);
  r.Read("reason", &trial.reason);
  ASSAY_RETURN_IF_ERROR(ReadVerdict(r, &trial.verdict));
  return trial;
}

// Files written before there were several attempts have an object with the last
// one: `unchanged` and `slowed`.
absl::StatusOr<Canary> ToCanary(const Json& json) {
  Canary canary;
  if (json.is_null()) return canary;
  if (json.is_object()) {
    JsonReader r(json, "canary");
    for (const char* name : {"unchanged", "slowed"}) {
      const Json* trial = r.Find(name);
      ASSAY_RETURN_IF_ERROR(r.status());
      ASSAY_ASSIGN_OR_RETURN(
          CanaryTrial read,
          ToCanaryTrial(*trial, absl::StrCat("canary.", name)));
      canary.push_back(std::move(read));
    }
    return canary;
  }
  if (!json.is_array()) {
    return absl::InvalidArgumentError("`canary` is not an array");
  }
  for (const Json& trial : json) {
    ASSAY_ASSIGN_OR_RETURN(
        CanaryTrial read,
        ToCanaryTrial(trial, absl::StrCat("canary[", canary.size(), "]")));
    canary.push_back(std::move(read));
  }
  return canary;
}

// Reads the members that older files do not have.
void ReadNewer(JsonReader& r, const Json& json, Row* row) {
  const auto read = [&](const char* name, auto* member) {
    if (json.contains(name)) r.Read(name, member);
  };
  read("artifact_bytes", &row->build.artifact_bytes);
  read("params_bytes", &row->build.params_bytes);
  read("tuning_digest", &row->build.tuning_digest);
  read("runtime_digest", &row->build.runtime_digest);
  read("timing_policy", &row->timing.policy);
  read("load_ms", &row->timing.load_ms);
  read("peak_rss_bytes", &row->timing.peak_rss_bytes);
  read("disturbances", &row->timing.disturbances);
  read("no_second_opinion", &row->correctness.no_second_opinion);
  read("no_reference", &row->comparison.no_reference);
}

absl::StatusOr<Row> ToRow(const Json& json, int version, std::string path) {
  Row row;
  JsonReader r(json, path);
  r.Read("suite", &row.suite);
  r.Read("model", &row.cell.model);
  r.Read("device", &row.cell.device);
  ReadVariant(r, json, &row.cell.variant);
  r.Read("threads", &row.cell.threads);
  r.Read("emulated", &row.emulated);
  r.Read("fingerprint", &row.fingerprint);
  // Older files do not have this member.
  if (!r.FindOrNull("board").is_null()) r.Read("board", &row.board);
  ReadSamples(r, version, "samples", &row.timing.samples_ns);
  r.Read("flops", &row.build.flops);
  r.Read("kernels", &row.build.kernels);
  r.Read("compile_ms", &row.build.compile_ms);
  ReadNewer(r, json, &row);
  r.Read("arena_bytes", &row.build.arena_bytes);
  r.Read("live_bytes", &row.build.live_bytes);
  r.Read("operators_whole_ms", &row.timing.operators_whole_ms);
  r.Read("max_abs_error", &row.correctness.max_abs_error);
  r.Read("max_abs_error_bound", &row.correctness.max_abs_error_bound);
  r.Read("baseline_ms", &row.comparison.baseline_ms);
  r.Read("delta", &row.comparison.delta);
  r.Read("threshold", &row.comparison.threshold);
  ReadRatio(r, json, "speedup_vs_unfused", &row.comparison.speedup_vs_unfused);
  if (json.contains("speedup_vs_untuned")) {
    ReadRatio(r, json, "speedup_vs_untuned",
              &row.comparison.speedup_vs_untuned);
  }
  ReadRatio(r, json, "speedup_vs_reference",
            &row.comparison.speedup_vs_reference);
  r.Read("reason", &row.reason);
  r.Read("model_digest", &row.build.model_digest);
  r.Read("artifact_digest", &row.build.artifact_digest);
  r.Read("reproduce", &row.reproduce);
  ASSAY_RETURN_IF_ERROR(ReadVerdict(r, &row.verdict));
  const Json* operators = r.Find("operators");
  if (operators != nullptr && !operators->is_array()) {
    r.Fail("operators", "is not an array");
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  ASSAY_ASSIGN_OR_RETURN(
      row.build.code,
      ToKernelCode(r.FindOrNull("code"), absl::StrCat(path, ".code")));
  ASSAY_ASSIGN_OR_RETURN(
      row.comparison.paired,
      ToPaired(r.FindOrNull("paired"), version, absl::StrCat(path, ".paired")));
  ASSAY_RETURN_IF_ERROR(ReadParity(r.FindOrNull("parity"),
                                   absl::StrCat(path, ".parity"),
                                   &row.comparison.parity));
  ASSAY_ASSIGN_OR_RETURN(
      row.timing.blocks,
      ToBlockStates(r.FindOrNull("blocks"), absl::StrCat(path, ".blocks")));
  ASSAY_ASSIGN_OR_RETURN(
      row.timing.operators,
      ToOperators(*operators, absl::StrCat(path, ".operators")));
  return row;
}

Json FromResult(const RunResult& result) {
  Json json;
  json["schema_version"] = result.schema_version;
  json["started_at"] = result.started_at;
  json["commit"] = result.commit;
  json["environment"]["fingerprint"] = result.environment.fingerprint;
  json["environment"]["identity"] = result.environment.identity;
  json["environment"]["state"] = result.environment.state;
  json["canary"] = FromCanary(result.canary);
  json["rows"] = Json::array();
  for (const Row& row : result.rows) json["rows"].push_back(FromRow(row));
  json["remarks"] = result.remarks;
  return json;
}

// Untrusted text, for example the name of a file, may be invalid UTF-8.
std::string Dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string ResultsJson(const RunResult& result) {
  return absl::StrCat(Dump(FromResult(result), 2), "\n");
}

std::string ResultsJsonLine(const RunResult& result) {
  return Dump(FromResult(result), -1);
}

absl::StatusOr<RunResult> ParseResultsJson(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                                /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return absl::InvalidArgumentError("the text is not JSON");
  }
  RunResult result;
  JsonReader r(json, "");
  r.Read("schema_version", &result.schema_version);
  const int version = result.schema_version;
  if (r.status().ok() && version != 1 && version != kSchemaVersion) {
    r.Fail("schema_version",
           absl::StrCat("is ", version, "; this program reads 1 and ",
                        kSchemaVersion));
  }
  result.schema_version = kSchemaVersion;
  r.Read("started_at", &result.started_at);
  if (json.contains("commit")) r.Read("commit", &result.commit);
  const Json* environment = r.Find("environment");
  const Json* rows = r.Find("rows");
  if (rows != nullptr && !rows->is_array()) r.Fail("rows", "is not an array");
  ASSAY_RETURN_IF_ERROR(r.status());

  JsonReader e(*environment, "environment");
  e.Read("fingerprint", &result.environment.fingerprint);
  e.Read("identity", &result.environment.identity);
  e.Read("state", &result.environment.state);
  ASSAY_RETURN_IF_ERROR(e.status());

  ASSAY_ASSIGN_OR_RETURN(result.canary, ToCanary(r.FindOrNull("canary")));
  for (const Json& row : *rows) {
    ASSAY_ASSIGN_OR_RETURN(
        Row parsed,
        ToRow(row, version, absl::StrCat("rows[", result.rows.size(), "]")));
    result.rows.push_back(std::move(parsed));
  }
  if (json.contains("remarks")) r.Read("remarks", &result.remarks);
  ASSAY_RETURN_IF_ERROR(r.status());
  return result;
}

}  // namespace assay::reports
