// AddFields and TakeFields: write and read the values of a record as the fields
// of a line of a RecordFile (record_file.h).
#ifndef ASSAY_SUITES_TRIALS_RECORD_FIELDS_H_
#define ASSAY_SUITES_TRIALS_RECORD_FIELDS_H_

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "reports/stats/ratio.h"
#include "reports/stats/verdict.h"

namespace assay::suites {

// Return the text of a value in a file.
std::string ToField(stats::Verdict value);
template <typename Value>
std::string ToField(const Value& value) {
  return absl::StrCat(value);  // 1 or 0 for a bool
}

// Parse the text `field`. Return false if it is malformed. `nan` is malformed,
// because statistics of the records would become NaN; `inf` is not.
bool FromField(const std::string& field, stats::Verdict* value);
template <typename Value>
bool FromField(const std::string& field, Value* value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    *value = field;
    return true;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return absl::SimpleAtob(field, value);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return absl::SimpleAtod(field, value) && !std::isnan(*value);
  } else {
    return absl::SimpleAtoi(field, value);
  }
}

// Appends the fields of a value.
template <typename Value>
void AddFields(const Value& value, std::vector<std::string>* fields) {
  fields->push_back(ToField(value));
}
template <typename Value>
void AddFields(const std::optional<Value>& value,
               std::vector<std::string>* fields) {
  fields->push_back(value.has_value() ? ToField(*value) : "");
}
void AddFields(const std::optional<stats::Ratio>& ratio,
               std::vector<std::string>* fields);

// Reads `*value` from the first fields, and removes these fields. Returns false
// if there are too few fields or one is malformed.
template <typename Value>
bool TakeFields(absl::Span<const std::string>* fields, Value* value) {
  if (fields->empty() || !FromField(fields->front(), value)) return false;
  fields->remove_prefix(1);
  return true;
}
template <typename Value>
bool TakeFields(absl::Span<const std::string>* fields,
                std::optional<Value>* value) {
  if (fields->empty() || !fields->front().empty()) {
    return TakeFields(fields, &value->emplace());
  }
  fields->remove_prefix(1);
  return true;
}
bool TakeFields(absl::Span<const std::string>* fields,
                std::optional<stats::Ratio>* ratio);

// Returns the line of `fields`. It ends in a newline. A newline in a field
// becomes a space, so that the result is one line.
std::string JoinFields(const std::vector<std::string>& fields);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_RECORD_FIELDS_H_
