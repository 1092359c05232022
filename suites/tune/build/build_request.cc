#include "suites/tune/build/build_request.h"

#include <utility>

#include "absl/status/status.h"
#include "reports/result/json_reader.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

using reports::Json;
using reports::JsonReader;

std::string SerializeRequest(const BuildRequest& request) {
  Json json = {{"task", request.task}, {"target", request.target.ToString()}};
  json.update(PointJson(request.choice));
  json["graph"] = request.graph;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<BuildRequest> ParseRequest(absl::string_view line) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return absl::InvalidArgumentError("the request is not JSON");
  }
  JsonReader r(json, "request");
  std::string task, target, graph;
  driver::TunedKernel choice;
  r.Read("task", &task);
  r.Read("target", &target);
  ReadPoint(r, &choice.implementation, &choice.config);
  r.Read("graph", &graph);
  ASSAY_RETURN_IF_ERROR(r.status());
  ASSAY_ASSIGN_OR_RETURN(target::Target parsed, target::Target::Parse(target));
  return BuildRequest{std::move(task), std::move(parsed), std::move(choice),
                      std::move(graph)};
}

}  // namespace assay::suites
