#include "suites/model_zoo/outcome.h"

#include <cmath>
#include <iterator>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace assay::suites {
namespace {

// Names in the order of ZooResult.
constexpr const char* kResultNames[] = {
    "correct", "wrong", "refused", "crashed", "late", "failed", "missing"};

constexpr char kFormat[] = "%-*s  %-7s  %-21s  %11s  %10s  %8s  %s";

std::string RatioText(const stats::Ratio& ratio) {
  return absl::StrFormat("%.2f [%.2f, %.2f]", ratio.value, ratio.lower,
                         ratio.upper);
}

std::string NumberText(const std::optional<double>& number, double factor,
                       int decimals) {
  if (!number.has_value()) return "-";
  return absl::StrFormat("%.*f", decimals, factor * *number);
}

std::string Line(size_t width, const std::vector<std::string>& fields) {
  std::string line =
      absl::StrFormat(kFormat, static_cast<int>(width), fields[0], fields[1],
                      fields[2], fields[3], fields[4], fields[5], fields[6]);
  line.resize(line.find_last_not_of(' ') + 1);
  return absl::StrCat(line, "\n");
}

}  // namespace

std::string ToField(ZooResult result) {
  return kResultNames[static_cast<size_t>(result)];
}

bool FromField(const std::string& field, ZooResult* result) {
  const auto* const name = absl::c_find(kResultNames, field);
  *result = static_cast<ZooResult>(name - std::begin(kResultNames));
  return name != std::end(kResultNames);
}

bool SameParameters(const ZooOutcome& a, const ZooOutcome& b) {
  return a.model == b.model && a.sha256 == b.sha256 && a.dims == b.dims &&
         a.input_values == b.input_values && a.threads == b.threads &&
         a.reference == b.reference && a.program == b.program;
}

std::string ZooTableHeader(size_t width) {
  return Line(width, {"model", "result", "ratio [95 %]", "median(ms)",
                      "compile(s)", "peak(MB)", "remark"});
}

std::string ZooTableLine(const ZooOutcome& o, size_t width) {
  std::optional<double> peak;
  if (o.peak_bytes.has_value()) peak = static_cast<double>(*o.peak_bytes);
  return Line(width,
              {o.model, ToField(o.result),
               o.ratio.has_value() ? RatioText(*o.ratio) : "-",
               NumberText(o.median_ms, 1, 3), NumberText(o.compile_ms, 1e-3, 2),
               NumberText(peak, 1e-6, 0), o.sentence});
}

std::string ZooSummary(const std::vector<ZooOutcome>& outcomes,
                       const std::string& reference) {
  std::map<ZooResult, int64_t> counts;
  double logarithms = 0;
  int64_t ratios = 0;
  std::vector<std::string> slow;
  for (const ZooOutcome& outcome : outcomes) {
    ++counts[outcome.result];
    if (!outcome.ratio.has_value()) continue;
    logarithms += std::log(outcome.ratio->value);
    ++ratios;
    if (outcome.ratio->value < kSlowRatio) {
      slow.push_back(
          absl::StrCat(outcome.model, " ", RatioText(*outcome.ratio)));
    }
  }
  std::vector<std::string> parts;
  for (const auto& [result, count] : counts) {
    parts.push_back(absl::StrCat(count, " ", ToField(result)));
  }
  std::string text =
      absl::StrCat(outcomes.size(), outcomes.size() == 1 ? " model" : " models",
                   ": ", absl::StrJoin(parts, ", "), "\n");
  if (ratios == 0) return text;
  absl::StrAppendFormat(
      &text,
      "ratio to %s: how many times as fast we are; geometric mean of %d: "
      "%.3f\n",
      reference, ratios, std::exp(logarithms / static_cast<double>(ratios)));
  absl::StrAppendFormat(&text, "%d below %.2f", slow.size(), kSlowRatio);
  if (!slow.empty()) {
    absl::StrAppend(&text, ": ", absl::StrJoin(slow, "; "));
  }
  return absl::StrCat(text, "\n");
}

ExitCode ZooExitCode(const std::vector<ZooOutcome>& outcomes, int at_least) {
  int correct = 0;
  ExitCode code = ExitCode::kPass;
  for (const ZooOutcome& outcome : outcomes) {
    switch (outcome.result) {
      case ZooResult::kCorrect:
        ++correct;
        break;
      case ZooResult::kRefused:
        break;
      case ZooResult::kWrong:
        code = MoreSevere(code, ExitCode::kWrongResult);
        break;
      case ZooResult::kCrashed:
      case ZooResult::kLate:
      case ZooResult::kFailed:
      case ZooResult::kMissing:
        code = MoreSevere(code, ExitCode::kInfrastructure);
        break;
    }
  }
  if (correct < at_least) code = MoreSevere(code, ExitCode::kRegression);
  if (correct == 0) code = MoreSevere(code, ExitCode::kInconclusive);
  return code;
}

}  // namespace assay::suites
