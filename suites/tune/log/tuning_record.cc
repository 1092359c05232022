#include "suites/tune/log/tuning_record.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using reports::Json;
using reports::JsonReader;

// In the order of TrialStatus.
constexpr const char* kNames[] = {
    "ok",        "build_error", "build_crash", "build_timeout",
    "run_error", "timeout",     "wrong",       "device_lost"};

std::optional<TrialStatus> StatusOf(const std::string& name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<TrialStatus>(i);
  }
  return std::nullopt;
}

// Reads a member that records without it leave out.
template <typename T>
void ReadIfPresent(JsonReader& r, const char* name, T* out) {
  if (!r.FindOrNull(name).is_null()) r.Read(name, out);
}

static_assert(std::size(kNames) == kNumTrialStatuses);

}  // namespace

bool operator==(const TuningPlace& a, const TuningPlace& b) {
  return std::tie(a.target, a.device, a.threads) ==
         std::tie(b.target, b.device, b.threads);
}

bool operator<(const TuningPlace& a, const TuningPlace& b) {
  return std::tie(a.device, a.threads, a.target) <
         std::tie(b.device, b.threads, b.target);
}

std::string ToString(const TuningPlace& place) {
  return absl::StrCat("device ", place.device, ", ", place.threads,
                      place.threads == 1 ? " thread, " : " threads, ",
                      place.target);
}

TuningPlace PlaceOf(const TuningRecord& record) {
  return {record.target, record.device, record.threads};
}

absl::string_view TrialStatusName(TrialStatus status) {
  return kNames[static_cast<size_t>(status)];
}

std::string TuningRecord::ToJson() const {
  Json json = {
      {"v", kTuningRecordVersion}, {"task", task},   {"workload", workload},
      {"anchor", anchor},          {"flops", flops}, {"target", target},
      {"device", device}};
  if (!board.empty()) json["board"] = board;
  json["threads"] = threads;
  json.update(PointJson(PointOf(*this)));
  json["template_digest"] = template_digest;
  if (!code_digest.empty()) json["code_digest"] = code_digest;
  json["status"] = std::string(TrialStatusName(status));
  if (!samples_ns.empty()) json["samples_ns"] = samples_ns;
  if (!default_ns.empty()) json["default_ns"] = default_ns;
  if (loads != 0) json["loads"] = loads;
  if (max_error.has_value()) json["max_error"] = *max_error;
  if (!error.empty()) json["error"] = error;
  if (verdict.has_value()) json["verdict"] = VerdictJson(*verdict);
  if (!tuner.empty()) json["tuner"] = tuner;
  json["seed"] = seed;
  json["time"] = time;
  // Errors may quote bytes that are no UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<TuningRecord> TuningRecord::FromJson(absl::string_view line) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return absl::InvalidArgumentError("the line is not JSON");
  }
  JsonReader r(json, "record");
  int version = 0;
  r.Read("v", &version);
  ASSAY_RETURN_IF_ERROR(r.status());
  if (version != kTuningRecordVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("the record has version ", version, ", and this program ",
                     "reads version ", kTuningRecordVersion));
  }
  TuningRecord record;
  std::string status;
  r.Read("task", &record.task);
  r.Read("workload", &record.workload);
  r.Read("anchor", &record.anchor);
  r.Read("flops", &record.flops);
  r.Read("target", &record.target);
  r.Read("device", &record.device);
  ReadIfPresent(r, "board", &record.board);
  r.Read("threads", &record.threads);
  ReadPoint(r, &record.implementation, &record.config);
  r.Read("template_digest", &record.template_digest);
  ReadIfPresent(r, "code_digest", &record.code_digest);
  r.Read("status", &status);
  ReadIfPresent(r, "samples_ns", &record.samples_ns);
  ReadIfPresent(r, "default_ns", &record.default_ns);
  ReadIfPresent(r, "loads", &record.loads);
  ReadIfPresent(r, "max_error", &record.max_error);
  ReadIfPresent(r, "error", &record.error);
  ReadIfPresent(r, "tuner", &record.tuner);
  ReadVerdict(r, &record.verdict);
  r.Read("seed", &record.seed);
  r.Read("time", &record.time);
  ASSAY_RETURN_IF_ERROR(r.status());
  const std::optional<TrialStatus> known = StatusOf(status);
  if (!known.has_value()) r.Fail("status", "is not the name of a status");
  if (known == TrialStatus::kOk && record.samples_ns.empty()) {
    r.Fail("samples_ns", "is empty, although the trial succeeded");
  }
  if (record.threads < 1) r.Fail("threads", "is not positive");
  const auto loads = static_cast<size_t>(record.loads);
  if (record.loads != 0 && (record.samples_ns.size() != loads ||
                            record.default_ns.size() != loads)) {
    r.Fail("loads", "is not the number of samples");
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  record.status = *known;
  return record;
}

driver::TunedKernel PointOf(const TuningRecord& record) {
  return {record.implementation, record.config};
}

double RelativeTime(const TuningRecord& record) {
  const std::vector<double>& point = record.samples_ns;
  const std::vector<double>& usual = record.default_ns;
  CHECK(!point.empty());
  if (usual.empty()) return 1;
  if (record.loads == 0) {
    return *std::min_element(point.begin(), point.end()) /
           *std::min_element(usual.begin(), usual.end());
  }
  std::vector<double> ratios;
  for (size_t i = 0; i < point.size(); ++i) {
    ratios.push_back(point[i] / usual[i]);
  }
  return stats::Median(ratios);
}

std::string TuningVerdict::RatioText() const {
  if (low <= kUnknownLow && high >= kUnknownHigh) {
    return absl::StrFormat("%.2f [?]", ratio);
  }
  return absl::StrFormat("%.2f [%.2f, %.2f]", ratio, low, high);
}

Json PointJson(const driver::TunedKernel& point) {
  return {{"implementation", point.implementation},
          {"config", Json::parse(point.config.ToJson())}};
}

void ReadPoint(JsonReader& members, std::string* implementation,
               ops::Config* config) {
  members.Read("implementation", implementation);
  const Json* json = members.Find("config");
  if (json == nullptr) return;
  absl::StatusOr<ops::Config> parsed = ops::Config::FromJson(json->dump());
  if (parsed.ok()) {
    *config = *std::move(parsed);
  } else {
    members.Fail("config", absl::StrCat("is no configuration: ",
                                        parsed.status().message()));
  }
}

Json VerdictJson(const TuningVerdict& verdict) {
  return {{"verdict", std::string(stats::VerdictName(verdict.verdict))},
          {"ratio", verdict.ratio},
          {"interval", {verdict.low, verdict.high}}};
}

void ReadVerdict(JsonReader& record, std::optional<TuningVerdict>* out) {
  const Json& json = record.FindOrNull("verdict");
  if (json.is_null()) return;
  JsonReader members(json, "record.verdict");
  std::string name;
  std::vector<double> interval;
  TuningVerdict verdict;
  members.Read("verdict", &name);
  members.Read("ratio", &verdict.ratio);
  members.Read("interval", &interval);
  const auto known = stats::ParseVerdict(name);
  if (!members.status().ok()) {
    record.Fail("verdict", members.status().message());
  } else if (!known.ok()) {
    record.Fail("verdict", "is not the name of a verdict");
  } else if (interval.size() != 2 || !(verdict.ratio > 0)) {
    record.Fail("verdict", "is not a ratio with its interval");
  } else {
    verdict.verdict = *known;
    verdict.low = interval[0];
    verdict.high = interval[1];
    *out = verdict;
  }
}

}  // namespace assay::suites
