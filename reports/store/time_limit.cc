#include "reports/store/time_limit.h"

#include <cstdint>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay::reports {
namespace {

constexpr int64_t kMaxCount = int64_t{24} * 366 * 1000;

// Parses `30d` or `12h`.
bool ParseAge(absl::string_view text, absl::Duration* age) {
  if (text.empty()) return false;
  const char unit = text.back();
  int64_t count = 0;
  if (!absl::SimpleAtoi(text.substr(0, text.size() - 1), &count)) return false;
  if (count < 0 || count > kMaxCount) return false;
  if (unit != 'd' && unit != 'h') return false;
  *age = absl::Hours(unit == 'd' ? 24 : 1) * count;
  return true;
}

}  // namespace

absl::StatusOr<std::string> TimeLimit(absl::string_view text, absl::Time now) {
  absl::Duration age;
  absl::Time time;
  std::string error;
  if (ParseAge(text, &age)) {
    time = now - age;
  } else if (!absl::ParseTime("%Y-%m-%d", text, &time, &error) &&
             !absl::ParseTime(absl::RFC3339_full, text, &time, &error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("is `", text,
                     "`; it must be a day like `2024-05-01`, a time like "
                     "`2024-05-01T12:00:00Z`, or an age like `30d` or `12h`"));
  }
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

}  // namespace assay::reports
