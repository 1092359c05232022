#include "reports/result/attribution_json.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/result/json_double.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

Json FromWork(const WorkCounts& work) {
  Json json;
  json["change"] = work.change;
  json["base_instructions"] = work.base_instructions;
  json["run_instructions"] = work.run_instructions;
  json["base_bytes"] = work.base_bytes;
  json["run_bytes"] = work.run_bytes;
  return json;
}

absl::StatusOr<WorkCounts> ToWork(const Json& json, const std::string& path) {
  WorkCounts work;
  JsonReader r(json, path);
  r.Read("change", &work.change);
  r.Read("base_instructions", &work.base_instructions);
  r.Read("run_instructions", &work.run_instructions);
  r.Read("base_bytes", &work.base_bytes);
  r.Read("run_bytes", &work.run_bytes);
  ASSAY_RETURN_IF_ERROR(r.status());
  return work;
}

absl::StatusOr<KernelChange> ToKernelChange(const Json& json,
                                            const std::string& path) {
  KernelChange change;
  JsonReader r(json, path);
  r.Read("sources", &change.sources);
  r.Read("base_kernels", &change.base_kernels);
  r.Read("run_kernels", &change.run_kernels);
  r.Read("base_ms", &change.base_ms);
  r.Read("run_ms", &change.run_ms);
  r.Read("change_ms", &change.change_ms);
  r.Read("lower_ms", &change.lower_ms);
  r.Read("upper_ms", &change.upper_ms);
  if (json.contains("same_code")) r.Read("same_code", &change.same_code);
  if (json.contains("cause")) r.Read("cause", &change.cause);
  if (json.contains("work")) {
    ASSAY_ASSIGN_OR_RETURN(change.work,
                           ToWork(json["work"], absl::StrCat(path, ".work")));
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  return change;
}

}  // namespace

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
    change["same_code"] = kernel.same_code;
    if (!kernel.cause.empty()) change["cause"] = kernel.cause;
    if (kernel.work.has_value()) change["work"] = FromWork(*kernel.work);
    json["kernels"].push_back(std::move(change));
  }
  return json;
}

absl::StatusOr<std::optional<Attribution>> ToAttribution(
    const Json& json, const std::string& path) {
  if (json.is_null()) return std::optional<Attribution>();
  Attribution attribution;
  JsonReader r(json, path);
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

}  // namespace assay::reports
