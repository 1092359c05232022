#include "reports/render/csv_field.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace assay::reports {

std::string CsvField(absl::string_view field) {
  const bool plain =
      field.find_first_of(",\"\r\n") == absl::string_view::npos &&
      absl::StripAsciiWhitespace(field) == field &&
      (field.empty() || field.front() != '#');
  if (plain) return std::string(field);
  return absl::StrCat("\"", absl::StrReplaceAll(field, {{"\"", "\"\""}}), "\"");
}

}  // namespace assay::reports
