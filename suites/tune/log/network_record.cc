#include "suites/tune/log/network_record.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using reports::Json;
using reports::JsonReader;

constexpr char kKind[] = "network";

Json DroppedJson(const DroppedPoint& point) {
  Json json = {{"task", point.task},
               {"template_digest", point.template_digest}};
  json.update(PointJson({point.implementation, point.config}));
  return json;
}

absl::StatusOr<DroppedPoint> ReadDropped(const Json& json) {
  JsonReader r(json, "record.dropped");
  DroppedPoint point;
  r.Read("task", &point.task);
  r.Read("template_digest", &point.template_digest);
  ReadPoint(r, &point.implementation, &point.config);
  ASSAY_RETURN_IF_ERROR(r.status());
  return point;
}

// Reads all members except the dropped points.
absl::StatusOr<NetworkRecord> ReadMembers(JsonReader& r) {
  int version = 0;
  r.Read("v", &version);
  if (version != kTuningRecordVersion) r.Fail("v", "is another version");
  NetworkRecord record;
  r.Read("network", &record.network);
  r.Read("model", &record.model);
  r.Read("target", &record.target);
  r.Read("device", &record.device);
  if (!r.FindOrNull("board").is_null()) r.Read("board", &record.board);
  r.Read("threads", &record.threads);
  if (record.threads < 1) r.Fail("threads", "is not positive");
  r.Read("untuned", &record.untuned);
  r.Read("tuned", &record.tuned);
  r.Read("untuned_ns", &record.untuned_ns);
  r.Read("tuned_ns", &record.tuned_ns);
  std::optional<TuningVerdict> verdict;
  ReadVerdict(r, &verdict);
  if (!verdict.has_value()) r.Fail("verdict", "is missing");
  r.Read("time", &record.time);
  ASSAY_RETURN_IF_ERROR(r.status());
  record.verdict = *verdict;
  return record;
}

}  // namespace

TuningPlace PlaceOf(const NetworkRecord& record) {
  return {record.target, record.device, record.threads};
}

std::string NetworkRecord::Summary() const {
  return absl::StrCat(
      network, ", ", threads,
      threads == 1 ? " thread: " : " threads: ", verdict.RatioText(),
      " of the untuned time, ", stats::VerdictName(verdict.verdict));
}

std::string NetworkRecord::ToJson() const {
  Json json = {{"v", kTuningRecordVersion}, {"kind", kKind},
               {"network", network},        {"model", model},
               {"target", target},          {"device", device}};
  if (!board.empty()) json["board"] = board;
  json["threads"] = threads;
  json["untuned"] = untuned;
  json["tuned"] = tuned;
  json["untuned_ns"] = untuned_ns;
  json["tuned_ns"] = tuned_ns;
  json["verdict"] = VerdictJson(verdict);
  json["dropped"] = Json::array();
  for (const DroppedPoint& point : dropped) {
    json["dropped"].push_back(DroppedJson(point));
  }
  json["time"] = time;
  // The name of a model may have bytes that are no UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<NetworkRecord> NetworkRecord::FromJson(absl::string_view line) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("kind") || json["kind"] != kKind) {
    return absl::NotFoundError("the line is no record of a network");
  }
  JsonReader r(json, "record");
  ASSAY_ASSIGN_OR_RETURN(NetworkRecord record, ReadMembers(r));
  const Json* dropped = r.Find("dropped");
  if (dropped != nullptr && !dropped->is_array()) {
    r.Fail("dropped", "is not an array");
  }
  ASSAY_RETURN_IF_ERROR(r.status());
  for (const Json& point : *dropped) {
    ASSAY_ASSIGN_OR_RETURN(DroppedPoint read, ReadDropped(point));
    record.dropped.push_back(std::move(read));
  }
  return record;
}

}  // namespace assay::suites
