#include "suites/tune/log/tuning_verdict.h"

#include <vector>

#include "absl/strings/str_format.h"

namespace assay::suites {

using reports::Json;
using reports::JsonReader;

std::string TuningVerdict::RatioText() const {
  if (low <= kUnknownLow && high >= kUnknownHigh) {
    return absl::StrFormat("%.2f [?]", ratio);
  }
  return absl::StrFormat("%.2f [%.2f, %.2f]", ratio, low, high);
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
