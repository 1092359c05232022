#include "reports/store/record.h"

#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "reports/result/results_json.h"
#include "reports/store/checked_line.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using Json = nlohmann::json;

// The first occurrence is the member: quotes within strings are escaped.
constexpr absl::string_view kBeforeResult = R"(,"result":)";

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::Status ReadText(const Json& json, const char* name, std::string* out) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_string()) {
    return absl::OutOfRangeError(absl::StrCat("has no `", name, "`"));
  }
  *out = it->get<std::string>();
  return absl::OkStatus();
}

// `body` is the part of the line that the checksum covers.
absl::StatusOr<Record> ParseBody(absl::string_view body) {
  const size_t result = body.find(kBeforeResult);
  if (result == absl::string_view::npos || !absl::EndsWith(body, "}")) {
    return absl::OutOfRangeError("has no `result`");
  }
  const Json head = Json::parse(absl::StrCat("{", body.substr(0, result), "}"),
                                /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!head.is_object()) return absl::OutOfRangeError("is not JSON");
  Record record;
  ASSAY_RETURN_IF_ERROR(ReadText(head, "run", &record.run));
  ASSAY_RETURN_IF_ERROR(ReadText(head, "job", &record.job));
  ASSAY_RETURN_IF_ERROR(ReadText(head, "cell", &record.cell));
  const auto place = head.find("place");
  if (place != head.end()) {
    if (!place->is_number_integer()) {
      return absl::OutOfRangeError("has a `place` that is no integer");
    }
    record.place = place->get<int64_t>();
  }
  body.remove_prefix(result + kBeforeResult.size());
  body.remove_suffix(1);
  absl::StatusOr<RunResult> parsed = ParseResultsJson(body);
  if (!parsed.ok()) return absl::OutOfRangeError(parsed.status().message());
  record.result = *std::move(parsed);
  if (record.result.rows.size() != (record.cell.empty() ? 0u : 1u)) {
    return absl::OutOfRangeError(
        absl::StrCat("has ", record.result.rows.size(), " rows"));
  }
  return record;
}

}  // namespace

bool operator==(const Record& a, const Record& b) {
  return std::tie(a.run, a.job, a.cell, a.place, a.result) ==
         std::tie(b.run, b.job, b.cell, b.place, b.result);
}

std::string FormatRecord(const Record& record) {
  const std::string body = absl::StrCat(
      R"("run":)", Quoted(record.run), R"(,"job":)", Quoted(record.job),
      R"(,"cell":)", Quoted(record.cell), R"(,"place":)", record.place,
      kBeforeResult, ResultsJsonLine(record.result), "}");
  return CheckedLine(body);
}

absl::StatusOr<Record> ParseRecord(absl::string_view line) {
  ASSAY_ASSIGN_OR_RETURN(const absl::string_view body, BodyOf(line));
  return ParseBody(body);
}

}  // namespace assay::reports
