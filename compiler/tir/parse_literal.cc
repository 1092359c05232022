#include "compiler/tir/parse_literal.h"

#include <cstdlib>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compiler/expr/numeric.h"

namespace assay::tir {
namespace {

using expr::Expr;

struct Suffix {
  const char* text;
  DType type;
};

// Longest suffix first: `bf16` ends in `f16`.
constexpr Suffix kFloatSuffixes[] = {
    {"bf16", DType::BFloat16()},
    {"f16", DType::Float16()},
    {"f64", DType::Float64()},
    {"f", DType::Float32()},
};
constexpr Suffix kIntSuffixes[] = {
    {"i8", DType::Int(8)},    {"i16", DType::Int(16)},
    {"i64", DType::Int(64)},  {"u8", DType::UInt(8)},
    {"u16", DType::UInt(16)}, {"u32", DType::UInt(32)},
    {"u64", DType::UInt(64)},
};

absl::Status NotANumber(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", text, "` is not a number"));
}

absl::StatusOr<Expr> ParseFloat(absl::string_view text,
                                absl::string_view digits, DType type,
                                bool negative) {
  double value = 0;
  if (digits == "inf") {
    value = std::numeric_limits<double>::infinity();
  } else if (digits == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    // strtod would accept hexadecimal digits and signs, which are never
    // printed.
    const bool plain =
        digits.find_first_not_of("0123456789.e+-") == absl::string_view::npos;
    if (!plain || !absl::SimpleAtod(digits, &value)) return NotANumber(text);
  }
  return expr::FloatImm::Make(type, negative ? -value : value);
}

absl::StatusOr<Expr> ParseInt(absl::string_view text, absl::string_view digits,
                              DType type, bool negative) {
  uint64_t magnitude = 0;
  const bool plain =
      digits.find_first_not_of("0123456789") == absl::string_view::npos;
  if (!plain || !absl::SimpleAtoi(digits, &magnitude)) {
    return NotANumber(text);
  }
  const uint64_t bits = type.bits();
  const uint64_t max = type.is_uint() ? ~uint64_t{0} >> (64 - bits)
                                      : ~uint64_t{0} >> (65 - bits);
  const uint64_t limit = !negative ? max : (type.is_uint() ? 0 : max + 1);
  if (magnitude > limit) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", negative ? "-" : "", text, "` does not fit ", type.ToString()));
  }
  const uint64_t value = negative ? ~magnitude + 1 : magnitude;
  return expr::IntImm::Make(type, static_cast<int64_t>(value));
}

}  // namespace

absl::StatusOr<Expr> ParseLiteral(absl::string_view text, bool negative) {
  absl::string_view digits = text;
  for (const Suffix& suffix : kIntSuffixes) {
    if (absl::ConsumeSuffix(&digits, suffix.text)) {
      return ParseInt(text, digits, suffix.type, negative);
    }
  }
  for (const Suffix& suffix : kFloatSuffixes) {
    if (absl::ConsumeSuffix(&digits, suffix.text)) {
      return ParseFloat(text, digits, suffix.type, negative);
    }
  }
  return ParseInt(text, text, DType::Int32(), negative);
}

bool IsLiteralWord(absl::string_view text) {
  if (!absl::StartsWith(text, "inf") && !absl::StartsWith(text, "nan")) {
    return false;
  }
  for (const Suffix& suffix : kFloatSuffixes) {
    if (text.substr(3) == suffix.text) return true;
  }
  return false;
}

}  // namespace assay::tir
