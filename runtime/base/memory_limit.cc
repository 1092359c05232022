#include "runtime/base/memory_limit.h"

#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay {
namespace {

constexpr absl::string_view kUnits = "KMGT";

}  // namespace

absl::StatusOr<int64_t> ParseBytes(absl::string_view text) {
  const size_t unit = text.empty() ? absl::string_view::npos
                                   : kUnits.find(text[text.size() - 1]);
  const bool has_unit = unit != absl::string_view::npos;
  const int shift = has_unit ? 10 * static_cast<int>(unit + 1) : 0;
  const absl::string_view digits =
      has_unit ? text.substr(0, text.size() - 1) : text;
  int64_t number = 0;
  // Reject white space and signs, which SimpleAtoi accepts.
  const bool plain = digits.find_first_not_of("0123456789") == digits.npos;
  if (!plain || !absl::SimpleAtoi(digits, &number) || number < 1 ||
      number > std::numeric_limits<int64_t>::max() >> shift) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text,
                     "` is not a number of bytes; write `512M` or `4G`, for "
                     "example"));
  }
  return number << shift;
}

std::string BytesToString(int64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " bytes");
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  std::string number = absl::StrFormat("%.1f", value);
  if (number.substr(number.size() - 2) == ".0") {
    number.resize(number.size() - 2);
  }
  return absl::StrCat(number, " ", kUnits.substr(unit, 1), "iB");
}

absl::Status MemoryError(absl::string_view what, int64_t bytes, int64_t left) {
  return absl::ResourceExhaustedError(absl::StrCat(
      what, what.empty() ? "" : " ", "needs ", BytesToString(bytes),
      ", more than the ", BytesToString(left), " that --max_memory leaves"));
}

absl::Status MemoryBudget::Check(absl::string_view what, int64_t bytes) const {
  if (bytes <= left()) return absl::OkStatus();
  return MemoryError(what, bytes, left());
}

}  // namespace assay
