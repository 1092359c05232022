#include "suites/trials/record_fields.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "reports/render/csv_field.h"

namespace assay::suites {

std::string ToField(stats::Verdict value) {
  return std::string(stats::VerdictName(value));
}

bool FromField(const std::string& field, stats::Verdict* value) {
  const absl::StatusOr<stats::Verdict> verdict = stats::ParseVerdict(field);
  if (verdict.ok()) *value = *verdict;
  return verdict.ok();
}

void AddFields(const std::optional<stats::Ratio>& ratio,
               std::vector<std::string>* fields) {
  if (ratio.has_value()) {
    for (const double part : {ratio->value, ratio->lower, ratio->upper}) {
      fields->push_back(ToField(part));
    }
  } else {
    fields->insert(fields->end(), 3, "");
  }
}

bool TakeFields(absl::Span<const std::string>* fields,
                std::optional<stats::Ratio>* ratio) {
  if (fields->size() < 3) return false;
  if (fields->front().empty()) {
    fields->remove_prefix(3);
    return true;
  }
  stats::Ratio& r = ratio->emplace();
  return TakeFields(fields, &r.value) && r.value > 0 &&
         TakeFields(fields, &r.lower) && TakeFields(fields, &r.upper);
}

std::string JoinFields(const std::vector<std::string>& fields) {
  return absl::StrCat(
      absl::StrJoin(fields, ",",
                    [](std::string* line, const std::string& field) {
                      absl::StrAppend(
                          line, reports::CsvField(
                                    absl::StrReplaceAll(field, {{"\n", " "}})));
                    }),
      "\n");
}

}  // namespace assay::suites
