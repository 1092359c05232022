#include "reports/render/results_json.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

Json FromDouble(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

Json FromOptional(const std::optional<double>& value) {
  return value.has_value() ? FromDouble(*value) : Json(nullptr);
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

Json FromAttribution(const std::optional<Attribution>& attribution) {
  if (!attribution.has_value()) return nullptr;
  Json json;
  json["rounds"] = attribution->rounds;
  json["whole_ms"] = FromDouble(attribution->whole_ms);
  json["whole_lower_ms"] = FromDouble(attribution->whole_lower_ms);
  json["whole_upper_ms"] = FromDouble(attribution->whole_upper_ms);
  json["kernels"] = Json::array();
  for (const KernelChange& kernel : attribution->kernels) {
    Json change;
    change["sources"] = kernel.sources;
    change["base_kernels"] = kernel.base_kernels;
    change["run_kernels"] = kernel.run_kernels;
    change["base_ms"] = FromDouble(kernel.base_ms);
    change["run_ms"] = FromDouble(kernel.run_ms);
    change["change_ms"] = FromDouble(kernel.change_ms);
    change["lower_ms"] = FromDouble(kernel.lower_ms);
    change["upper_ms"] = FromDouble(kernel.upper_ms);
    json["kernels"].push_back(std::move(change));
  }
  return json;
}

Json FromPaired(const std::optional<PairedComparison>& paired) {
  if (!paired.has_value()) return nullptr;
  Json json;
  json["artifact_digest"] = paired->artifact_digest;
  json["base_ms"] = paired->base_ms;
  json["run_ms"] = paired->run_ms;
  json["change"] = FromDouble(paired->change);
  json["lower"] = FromDouble(paired->lower);
  json["upper"] = FromDouble(paired->upper);
  json["detectable"] = FromDouble(paired->detectable);
  json["attribution"] = FromAttribution(paired->attribution);
  return json;
}

Json FromRow(const Row& row) {
  const std::optional<stats::Summary> timing = Timing(row);
  const auto statistic = [&](double stats::Summary::* member) {
    return timing.has_value() ? FromDouble((*timing).*member) : Json(nullptr);
  };
  Json json;
  json["suite"] = row.suite;
  json["model"] = row.model;
  json["device"] = row.device;
  json["fusion"] = row.fusion;
  json["tuning"] = row.tuning;
  json["threads"] = row.threads;
  json["emulated"] = row.emulated;
  json["fingerprint"] = row.fingerprint;
  json["mean_ms"] = statistic(&stats::Summary::mean);
  json["std_ms"] = statistic(&stats::Summary::std);
  json["median_ms"] = statistic(&stats::Summary::median);
  json["p99_ms"] = statistic(&stats::Summary::p99);
  json["samples_ms"] = row.samples_ms;
  json["flops"] = row.flops;
  json["gflops"] = FromOptional(GflopPerSecond(row));
  json["kernels"] = row.kernels;
  json["compile_ms"] = FromOptional(row.compile_ms);
  json["arena_bytes"] = row.arena_bytes;
  json["live_bytes"] = row.live_bytes;
  json["operators"] = FromOperators(row.operators);
  json["operators_whole_ms"] = FromOptional(row.operators_whole_ms);
  json["max_abs_error"] = FromOptional(row.max_abs_error);
  json["max_abs_error_bound"] = FromOptional(row.max_abs_error_bound);
  json["baseline_ms"] = FromOptional(row.baseline_ms);
  json["delta"] = FromOptional(row.delta);
  json["threshold"] = FromOptional(row.threshold);
  json["paired"] = FromPaired(row.paired);
  json["speedup_vs_unfused"] = FromOptional(row.speedup_vs_unfused);
  json["speedup_vs_reference"] = FromOptional(row.speedup_vs_reference);
  json["verdict"] = std::string(stats::VerdictName(row.verdict));
  json["reason"] = row.reason;
  json["model_digest"] = row.model_digest;
  json["artifact_digest"] = row.artifact_digest;
  json["reproduce"] = row.reproduce;
  return json;
}

// Reads the members of one object; the first thing that is wrong is kept.
class Reader {
 public:
  Reader(const Json& object, std::string path)
      : object_(object), path_(std::move(path)) {
    if (!object.is_object()) Fail("", "is not an object");
  }

  const absl::Status& status() const { return status_; }

  void Read(const char* name, std::string* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    if (!json->is_string()) return Fail(name, "is not a string");
    *out = json->get<std::string>();
  }

  void Read(const char* name, bool* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    if (!json->is_boolean()) return Fail(name, "is not true or false");
    *out = json->get<bool>();
  }

  void Read(const char* name, int64_t* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    const bool fits =
        json->is_number_integer() &&
        (!json->is_number_unsigned() ||
         json->get<uint64_t>() <=
             static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
    if (!fits) return Fail(name, "is not a whole number");
    *out = json->get<int64_t>();
  }

  void Read(const char* name, int* out) {
    int64_t wide = 0;
    Read(name, &wide);
    if (wide < std::numeric_limits<int>::min() ||
        wide > std::numeric_limits<int>::max()) {
      return Fail(name, "is out of range");
    }
    *out = static_cast<int>(wide);
  }

  void Read(const char* name, std::optional<double>* out) {
    const Json* json = Find(name);
    if (json == nullptr || json->is_null()) return;
    double value = 0;
    if (!ToDouble(*json, &value)) return Fail(name, "is not a number");
    *out = value;
  }

  // One that must be there.
  void Read(const char* name, double* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    if (!ToDouble(*json, out)) Fail(name, "is not a number");
  }

  void Read(const char* name, std::vector<double>* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    if (!json->is_array()) return Fail(name, "is not an array");
    for (const Json& element : *json) {
      if (!element.is_number() || !(element.get<double>() > 0)) {
        return Fail(name, "holds something that is not a positive number");
      }
      out->push_back(element.get<double>());
    }
  }

  void Read(const char* name, std::vector<std::string>* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    if (!json->is_array()) return Fail(name, "is not an array");
    for (const Json& element : *json) {
      if (!element.is_string()) return Fail(name, "holds more than strings");
      out->push_back(element.get<std::string>());
    }
  }

  void Read(const char* name, std::map<std::string, std::string>* out) {
    const Json* json = Find(name);
    if (json == nullptr) return;
    if (!json->is_object()) return Fail(name, "is not an object");
    for (const auto& [key, value] : json->items()) {
      if (!value.is_string()) return Fail(name, "holds more than strings");
      (*out)[key] = value.get<std::string>();
    }
  }

  const Json* Find(const char* name) {
    if (!status_.ok()) return nullptr;
    const auto it = object_.find(name);
    if (it == object_.end()) {
      Fail(name, "is missing");
      return nullptr;
    }
    return &*it;
  }

  void Fail(absl::string_view name, absl::string_view what) {
    if (!status_.ok()) return;
    const absl::string_view dot = path_.empty() || name.empty() ? "" : ".";
    status_ = absl::InvalidArgumentError(
        absl::StrCat("`", path_, dot, name, "` ", what));
  }

 private:
  static bool ToDouble(const Json& json, double* out) {
    if (json.is_number()) {
      *out = json.get<double>();
      return true;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (json == "inf") {
      *out = kInfinity;
    } else if (json == "-inf") {
      *out = -kInfinity;
    } else if (json == "nan") {
      *out = std::numeric_limits<double>::quiet_NaN();
    } else {
      return false;
    }
    return true;
  }

  const Json& object_;
  const std::string path_;
  absl::Status status_;
};

absl::StatusOr<std::vector<OperatorTime>> ToOperators(const Json& array,
                                                      const std::string& path) {
  std::vector<OperatorTime> operators;
  for (const Json& json : array) {
    OperatorTime op;
    Reader r(json, absl::StrCat(path, "[", operators.size(), "]"));
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

absl::StatusOr<KernelChange> ToKernelChange(const Json& json,
                                            std::string path) {
  KernelChange change;
  Reader r(json, std::move(path));
  r.Read("sources", &change.sources);
  r.Read("base_kernels", &change.base_kernels);
  r.Read("run_kernels", &change.run_kernels);
  r.Read("base_ms", &change.base_ms);
  r.Read("run_ms", &change.run_ms);
  r.Read("change_ms", &change.change_ms);
  r.Read("lower_ms", &change.lower_ms);
  r.Read("upper_ms", &change.upper_ms);
  ASSAY_RETURN_IF_ERROR(r.status());
  return change;
}

absl::StatusOr<std::optional<Attribution>> ToAttribution(
    const Json& json, const std::string& path) {
  if (json.is_null()) return std::optional<Attribution>();
  Attribution attribution;
  Reader r(json, path);
  r.Read("rounds", &attribution.rounds);
  r.Read("whole_ms", &attribution.whole_ms);
  r.Read("whole_lower_ms", &attribution.whole_lower_ms);
  r.Read("whole_upper_ms", &attribution.whole_upper_ms);
  const Json* kernels = r.Find("kernels");
  if (kernels != nullptr && !kernels->is_array()) {
    r.Fail("kernels", "is not an array");
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  for (const Json& kernel : *kernels) {
    ASSAY_ASSIGN_OR_RETURN(
        KernelChange change,
        ToKernelChange(kernel, absl::StrCat(path, ".kernels[",
                                            attribution.kernels.size(), "]")));
    attribution.kernels.push_back(std::move(change));
  }
  return std::optional<Attribution>(std::move(attribution));
}

absl::StatusOr<std::optional<PairedComparison>> ToPaired(
    const Json& json, const std::string& path) {
  if (json.is_null()) return std::optional<PairedComparison>();
  PairedComparison paired;
  Reader r(json, path);
  r.Read("artifact_digest", &paired.artifact_digest);
  r.Read("base_ms", &paired.base_ms);
  r.Read("run_ms", &paired.run_ms);
  r.Read("change", &paired.change);
  r.Read("lower", &paired.lower);
  r.Read("upper", &paired.upper);
  r.Read("detectable", &paired.detectable);
  ASSAY_RETURN_IF_ERROR(r.status());
  if (paired.base_ms.size() != paired.run_ms.size()) {
    r.Fail("run_ms", "has not as many samples as `base_ms`");
  }
  const Json* attribution = r.Find("attribution");
  ASSAY_RETURN_IF_ERROR(r.status());
  ASSAY_ASSIGN_OR_RETURN(
      paired.attribution,
      ToAttribution(*attribution, absl::StrCat(path, ".attribution")));
  return std::optional<PairedComparison>(std::move(paired));
}

absl::StatusOr<Row> ToRow(const Json& json, std::string path) {
  Row row;
  Reader r(json, path);
  r.Read("suite", &row.suite);
  r.Read("model", &row.model);
  r.Read("device", &row.device);
  r.Read("fusion", &row.fusion);
  r.Read("tuning", &row.tuning);
  r.Read("threads", &row.threads);
  r.Read("emulated", &row.emulated);
  r.Read("fingerprint", &row.fingerprint);
  r.Read("samples_ms", &row.samples_ms);
  r.Read("flops", &row.flops);
  r.Read("kernels", &row.kernels);
  r.Read("compile_ms", &row.compile_ms);
  r.Read("arena_bytes", &row.arena_bytes);
  r.Read("live_bytes", &row.live_bytes);
  r.Read("operators_whole_ms", &row.operators_whole_ms);
  r.Read("max_abs_error", &row.max_abs_error);
  r.Read("max_abs_error_bound", &row.max_abs_error_bound);
  r.Read("baseline_ms", &row.baseline_ms);
  r.Read("delta", &row.delta);
  r.Read("threshold", &row.threshold);
  r.Read("speedup_vs_unfused", &row.speedup_vs_unfused);
  r.Read("speedup_vs_reference", &row.speedup_vs_reference);
  r.Read("reason", &row.reason);
  r.Read("model_digest", &row.model_digest);
  r.Read("artifact_digest", &row.artifact_digest);
  r.Read("reproduce", &row.reproduce);
  std::string verdict;
  r.Read("verdict", &verdict);
  ASSAY_RETURN_IF_ERROR(r.status());
  const absl::StatusOr<stats::Verdict> parsed = stats::ParseVerdict(verdict);
  if (!parsed.ok()) r.Fail("verdict", parsed.status().message());
  const Json* operators = r.Find("operators");
  if (operators != nullptr && !operators->is_array()) {
    r.Fail("operators", "is not an array");
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  row.verdict = *parsed;
  const Json* paired = r.Find("paired");
  ASSAY_RETURN_IF_ERROR(r.status());
  ASSAY_ASSIGN_OR_RETURN(row.paired,
                         ToPaired(*paired, absl::StrCat(path, ".paired")));
  ASSAY_ASSIGN_OR_RETURN(
      row.operators, ToOperators(*operators, absl::StrCat(path, ".operators")));
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
  json["rows"] = Json::array();
  for (const Row& row : result.rows) json["rows"].push_back(FromRow(row));
  return json;
}

// Text from outside (a file's name, say) may be broken UTF-8.
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
  Reader r(json, "");
  r.Read("schema_version", &result.schema_version);
  if (r.status().ok() && result.schema_version != kSchemaVersion) {
    r.Fail("schema_version",
           absl::StrCat("is ", result.schema_version, "; this program reads ",
                        kSchemaVersion));
  }
  r.Read("started_at", &result.started_at);
  if (json.contains("commit")) r.Read("commit", &result.commit);
  const Json* environment = r.Find("environment");
  const Json* rows = r.Find("rows");
  if (rows != nullptr && !rows->is_array()) r.Fail("rows", "is not an array");
  ASSAY_RETURN_IF_ERROR(r.status());

  Reader e(*environment, "environment");
  e.Read("fingerprint", &result.environment.fingerprint);
  e.Read("identity", &result.environment.identity);
  e.Read("state", &result.environment.state);
  ASSAY_RETURN_IF_ERROR(e.status());

  for (const Json& row : *rows) {
    ASSAY_ASSIGN_OR_RETURN(
        Row parsed, ToRow(row, absl::StrCat("rows[", result.rows.size(), "]")));
    result.rows.push_back(std::move(parsed));
  }
  return result;
}

}  // namespace assay::reports
