#include "reports/render/junit.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/markup.h"
#include "reports/result/row_fields.h"

namespace assay::reports {
namespace {

std::string Attribute(absl::string_view name, absl::string_view value) {
  return absl::StrCat(" ", name, "=\"", EscapeMarkup(value), "\"");
}

enum class Outcome { kPassed, kFailed, kError, kSkipped };

Outcome OutcomeOf(stats::Verdict verdict) {
  switch (verdict) {
    case stats::Verdict::kPass:
    case stats::Verdict::kEquivalent:
    case stats::Verdict::kImproved:
    case stats::Verdict::kEmulated:
      return Outcome::kPassed;
    case stats::Verdict::kRegressed:
    case stats::Verdict::kWrongOutput:
      return Outcome::kFailed;
    case stats::Verdict::kInfrastructure:
      return Outcome::kError;
    case stats::Verdict::kInconclusive:
    case stats::Verdict::kEnvironmentChanged:
    case stats::Verdict::kNoBaseline:
      return Outcome::kSkipped;
  }
  return Outcome::kError;
}

std::string TestCase(const Row& row, double seconds) {
  std::string xml = absl::StrCat(
      "    <testcase",
      Attribute("classname", absl::StrCat(row.suite, ".", row.cell.device)),
      Attribute("name", absl::StrCat(row.cell.model,
                                     VariantTags(row.cell.variant, " ", "="),
                                     " threads=", row.cell.threads)),
      Attribute("time", absl::StrFormat("%.9f", seconds)), ">\n",
      "      <properties>\n");
  for (const auto& [name, value] : FieldsOf(row)) {
    absl::StrAppend(&xml, "        <property", Attribute("name", name),
                    Attribute("value", value), "/>\n");
  }
  xml += "      </properties>\n";
  const std::string message =
      absl::StrCat(Attribute("type", stats::VerdictName(row.verdict)),
                   Attribute("message", row.reason));
  switch (OutcomeOf(row.verdict)) {
    case Outcome::kPassed:
      break;
    case Outcome::kFailed:
      absl::StrAppend(&xml, "      <failure", message, "/>\n");
      break;
    case Outcome::kError:
      absl::StrAppend(&xml, "      <error", message, "/>\n");
      break;
    case Outcome::kSkipped:
      // `skipped` has no attribute `type`.
      absl::StrAppend(
          &xml, "      <skipped",
          Attribute("message",
                    absl::StrCat(stats::VerdictName(row.verdict),
                                 row.reason.empty() ? "" : ": ", row.reason)),
          "/>\n");
      break;
  }
  absl::StrAppend(&xml, "      <system-out>", EscapeMarkup(row.reproduce),
                  "</system-out>\n    </testcase>\n");
  return xml;
}

}  // namespace

std::string JUnitXml(const RunResult& result) {
  std::array<int, 4> counts = {};
  double total = 0;
  std::string cases;
  for (const Row& row : result.rows) {
    ++counts[static_cast<size_t>(OutcomeOf(row.verdict))];
    const auto timing = LatencySummary(row);
    const double seconds = timing.has_value() ? timing->mean / 1e3 : 0;
    total += seconds;
    cases += TestCase(row, seconds);
  }
  const std::string totals =
      absl::StrCat(Attribute("tests", absl::StrCat(result.rows.size())),
                   Attribute("failures", absl::StrCat(counts[1])),
                   Attribute("errors", absl::StrCat(counts[2])),
                   Attribute("skipped", absl::StrCat(counts[3])),
                   Attribute("time", absl::StrFormat("%.9f", total)));
  return absl::StrCat(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite",
      Attribute("name", "assay"), totals,
      Attribute("timestamp", result.started_at),
      Attribute("hostname", result.environment.fingerprint), ">\n", cases,
      "  </testsuite>\n</testsuites>\n");
}

}  // namespace assay::reports
