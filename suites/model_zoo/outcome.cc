#include "suites/model_zoo/outcome.h"

#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "reports/render/csv_field.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

constexpr char kHeader[] =
    "model,sha256,dims,input_values,threads,reference,program,result,ratio,"
    "lower,upper,median_ms,compile_ms,peak_bytes,sentence";
constexpr size_t kColumns = 15;

constexpr ZooResult kResults[] = {ZooResult::kCorrect, ZooResult::kWrong,
                                  ZooResult::kRefused, ZooResult::kCrashed,
                                  ZooResult::kLate,    ZooResult::kFailed,
                                  ZooResult::kMissing};

// Returns the field of an optional number, which is empty without a value.
template <typename Number>
std::string FieldOf(const std::optional<Number>& number) {
  return number.has_value() ? absl::StrCat(*number) : "";
}

// Sets `*number` to that of a field; returns false if it is not one.
bool Parse(const std::string& field, double* number) {
  return absl::SimpleAtod(field, number) && !std::isnan(*number);
}

bool Parse(const std::string& field, int64_t* number) {
  return absl::SimpleAtoi(field, number);
}

// As Parse(), for a field that may be empty.
template <typename Number>
bool ParseOptional(const std::string& field, std::optional<Number>* number) {
  if (field.empty()) return true;
  return Parse(field, &number->emplace());
}

bool ParseResult(const std::string& field, ZooResult* result) {
  for (const ZooResult candidate : kResults) {
    if (ZooResultName(candidate) != field) continue;
    *result = candidate;
    return true;
  }
  return false;
}

bool ParseRatio(const std::vector<std::string>& f, size_t first,
                std::optional<stats::Ratio>* ratio) {
  if (f[first].empty()) return true;
  stats::Ratio& r = ratio->emplace();
  return Parse(f[first], &r.value) && r.value > 0 &&
         Parse(f[first + 1], &r.lower) && Parse(f[first + 2], &r.upper);
}

}  // namespace

absl::string_view ZooResultName(ZooResult result) {
  switch (result) {
    case ZooResult::kCorrect:
      return "correct";
    case ZooResult::kWrong:
      return "wrong";
    case ZooResult::kRefused:
      return "refused";
    case ZooResult::kCrashed:
      return "crashed";
    case ZooResult::kLate:
      return "late";
    case ZooResult::kFailed:
      return "failed";
    case ZooResult::kMissing:
      return "missing";
  }
  CHECK(false) << "result " << static_cast<int>(result);
  return "";
}

bool SameCase(const ZooOutcome& a, const ZooOutcome& b) {
  return a.model == b.model && a.sha256 == b.sha256 && a.dims == b.dims &&
         a.input_values == b.input_values && a.threads == b.threads &&
         a.reference == b.reference && a.program == b.program;
}

std::string OutcomeHeader() { return absl::StrCat(kHeader, "\n"); }

std::string OutcomeLine(const ZooOutcome& o) {
  std::vector<std::string> fields = {o.model,
                                     o.sha256,
                                     o.dims,
                                     o.input_values,
                                     absl::StrCat(o.threads),
                                     o.reference,
                                     o.program,
                                     std::string(ZooResultName(o.result))};
  if (o.ratio.has_value()) {
    fields.push_back(absl::StrCat(o.ratio->value));
    fields.push_back(absl::StrCat(o.ratio->lower));
    fields.push_back(absl::StrCat(o.ratio->upper));
  } else {
    fields.insert(fields.end(), 3, "");
  }
  fields.push_back(FieldOf(o.median_ms));
  fields.push_back(FieldOf(o.compile_ms));
  fields.push_back(FieldOf(o.peak_bytes));
  fields.push_back(o.sentence);
  for (std::string& field : fields) field = reports::CsvField(field);
  CHECK(fields.size() == kColumns);
  return absl::StrCat(absl::StrJoin(fields, ","), "\n");
}

absl::StatusOr<std::vector<ZooOutcome>> ParseOutcomes(absl::string_view text) {
  std::vector<ZooOutcome> outcomes;
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i] == kHeader) continue;
    const std::vector<std::string> f = reports::SplitCsvLine(lines[i]);
    ZooOutcome o;
    const bool sound =
        f.size() == kColumns && absl::SimpleAtoi(f[4], &o.threads) &&
        ParseResult(f[7], &o.result) && ParseRatio(f, 8, &o.ratio) &&
        ParseOptional(f[11], &o.median_ms) &&
        ParseOptional(f[12], &o.compile_ms) &&
        ParseOptional(f[13], &o.peak_bytes);
    if (!sound) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", i + 1, " is not an outcome: `", lines[i], "`"));
    }
    o.model = f[0];
    o.sha256 = f[1];
    o.dims = f[2];
    o.input_values = f[3];
    o.reference = f[5];
    o.program = f[6];
    o.sentence = f[14];
    outcomes.push_back(std::move(o));
  }
  return outcomes;
}

}  // namespace assay::suites
