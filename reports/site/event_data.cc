#include "reports/site/event_data.h"

#include <string>

namespace assay::reports {

SiteJson EventJson(const SiteModel& model, const SiteEvent& event) {
  constexpr struct {
    Cause cause;
    const char* name;
  } kNames[] = {{Cause::kCode, "code"},
                {Cause::kLayout, "layout"},
                {Cause::kMethod, "method"},
                {Cause::kMachine, "machine"}};
  SiteJson causes = SiteJson::array();
  for (const auto& [cause, name] : kNames) {
    if (event.causes.Has(cause)) causes.push_back(name);
  }
  SiteJson json;
  json["night"] = event.run;
  json["metric"] = std::string(SiteMetricName(event.metric));
  json["causes"] = std::move(causes);
  json["what"] = std::string(event.what);
  json["change"] = Rounded(event.change);
  json["lower"] = Rounded(event.lower);
  json["upper"] = Rounded(event.upper);
  json["published"] = event.published;
  json["reason"] = std::string(event.reason);
  json["commit_before"] = model.runs()[event.run_before].header.commit;
  json["commit"] = model.runs()[event.run].header.commit;
  if (event.shift) json["shift"] = true;
  return json;
}

}  // namespace assay::reports
