#include "suites/tune/build/build_request.h"

#include <utility>

#include "absl/status/status.h"
#include "reports/result/json_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

using reports::Json;
using reports::JsonReader;

std::string SerializeRequest(const BuildRequest& request) {
  const Json json = {{"task", request.task},
                     {"target", request.target.ToString()},
                     {"implementation", request.choice.implementation},
                     {"config", Json::parse(request.choice.config.ToJson())},
                     {"graph", request.graph}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<BuildRequest> ParseRequest(absl::string_view line) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return absl::InvalidArgumentError("the request is not JSON");
  }
  JsonReader r(json, "request");
  std::string task, target, implementation, graph;
  r.Read("task", &task);
  r.Read("target", &target);
  r.Read("implementation", &implementation);
  const Json* config = r.Find("config");
  r.Read("graph", &graph);
  ASSAY_RETURN_IF_ERROR(r.status());
  ASSAY_ASSIGN_OR_RETURN(target::Target parsed, target::Target::Parse(target));
  ASSAY_ASSIGN_OR_RETURN(ops::Config values,
                         ops::Config::FromJson(config->dump()));
  return BuildRequest{std::move(task),
                      std::move(parsed),
                      {std::move(implementation), std::move(values)},
                      std::move(graph)};
}

}  // namespace assay::suites
