#include "reports/store/acknowledgement.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/store/cell_name.h"
#include "reports/store/checked_line.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using Json = nlohmann::json;
using Kind = Acknowledgement::Kind;

constexpr absl::string_view kKinds[] = {"acknowledge", "bless", "ignore",
                                        "withdraw"};

absl::Status Bad(absl::string_view member) {
  return absl::OutOfRangeError(
      absl::StrCat("has no valid `acknowledgement.", member, "`"));
}

absl::Status Read(const Json& json, const char* name, std::string* out) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_string()) return Bad(name);
  *out = it->get<std::string>();
  return absl::OkStatus();
}

absl::Status Read(const Json& json, const char* name, double* out) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_number()) return Bad(name);
  *out = it->get<double>();
  return absl::OkStatus();
}

absl::StatusOr<Acknowledgement> ParseJson(const Json& json) {
  Acknowledgement a;
  std::string kind;
  ASSAY_RETURN_IF_ERROR(Read(json, "kind", &kind));
  const absl::StatusOr<Kind> parsed = ParseKind(kind);
  if (!parsed.ok()) return Bad("kind");
  a.kind = *parsed;
  ASSAY_RETURN_IF_ERROR(Read(json, "cell", &a.cell));
  ASSAY_RETURN_IF_ERROR(Read(json, "author", &a.author));
  ASSAY_RETURN_IF_ERROR(Read(json, "reason", &a.reason));
  ASSAY_RETURN_IF_ERROR(Read(json, "made_at", &a.made_at));
  ASSAY_RETURN_IF_ERROR(Read(json, "until", &a.until));
  ASSAY_RETURN_IF_ERROR(Read(json, "tolerance", &a.tolerance));
  const auto levels = json.find("levels");
  if (levels == json.end() || !levels->is_array()) return Bad("levels");
  for (const Json& item : *levels) {
    if (!item.is_object()) return Bad("levels");
    Level level;
    ASSAY_RETURN_IF_ERROR(Read(item, "cell", &level.cell));
    ASSAY_RETURN_IF_ERROR(Read(item, "machine", &level.machine));
    ASSAY_RETURN_IF_ERROR(Read(item, "median_ms", &level.median_ms));
    a.levels.push_back(level);
  }
  return a;
}

bool IsAtItsLevel(const Acknowledgement& a, const Level& level) {
  return std::any_of(a.levels.begin(), a.levels.end(), [&](const Level& known) {
    return known.cell == level.cell && known.machine == level.machine &&
           std::abs(level.median_ms - known.median_ms) <=
               a.tolerance * known.median_ms;
  });
}

}  // namespace

bool operator==(const Level& a, const Level& b) {
  return a.Fields() == b.Fields();
}

bool operator==(const Acknowledgement& a, const Acknowledgement& b) {
  return a.Fields() == b.Fields();
}

absl::Span<const absl::string_view> AcknowledgementKinds() { return kKinds; }

absl::string_view KindName(Kind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

absl::StatusOr<Kind> ParseKind(absl::string_view name) {
  for (size_t i = 0; i < AcknowledgementKinds().size(); ++i) {
    if (kKinds[i] == name) return static_cast<Kind>(i);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "`", name, "` is none of ", absl::StrJoin(AcknowledgementKinds(), ", ")));
}

std::string FormatAcknowledgement(const Acknowledgement& a) {
  Json levels = Json::array();
  for (const Level& level : a.levels) {
    levels.push_back({{"cell", level.cell},
                      {"machine", level.machine},
                      {"median_ms", level.median_ms}});
  }
  const Json json = {{"kind", std::string(KindName(a.kind))},
                     {"cell", a.cell},
                     {"author", a.author},
                     {"reason", a.reason},
                     {"made_at", a.made_at},
                     {"until", a.until},
                     {"tolerance", a.tolerance},
                     {"levels", levels}};
  return CheckedLine(absl::StrCat(
      R"("acknowledgement":)",
      json.dump(-1, ' ', false, Json::error_handler_t::replace), "}"));
}

absl::StatusOr<Acknowledgement> ParseAcknowledgement(absl::string_view line) {
  ASSAY_ASSIGN_OR_RETURN(const absl::string_view body, BodyOf(line));
  const Json json = Json::parse(absl::StrCat("{", body), /*cb=*/nullptr,
                                /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("acknowledgement") ||
      !json["acknowledgement"].is_object()) {
    return absl::OutOfRangeError("is not an acknowledgement");
  }
  return ParseJson(json["acknowledgement"]);
}

bool HasExpired(const Acknowledgement& a, absl::Time now) {
  absl::Time until;
  std::string error;
  return !a.until.empty() &&
         absl::ParseTime(absl::RFC3339_full, a.until, &until, &error) &&
         until <= now;
}

const Acknowledgement* SilencedBy(
    absl::Span<const Acknowledgement> acknowledgements, const Level& level,
    absl::Time now) {
  const Acknowledgement* last = nullptr;
  for (const Acknowledgement& a : acknowledgements) {
    if (HasExpired(a, now) || !MatchesCellName(a.cell, level.cell)) continue;
    if (last == nullptr || last->made_at < a.made_at) last = &a;
  }
  if (last == nullptr) return nullptr;
  switch (last->kind) {
    case Kind::kIgnore:
      return last;
    case Kind::kWithdraw:
      return nullptr;
    case Kind::kAcknowledge:
    case Kind::kBless:
      break;
  }
  return IsAtItsLevel(*last, level) ? last : nullptr;
}

}  // namespace assay::reports
