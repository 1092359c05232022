#include "reports/render/junit.h"

#include <array>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/row_fields.h"

namespace assay::reports {
namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";

// The length of the UTF-8 character at the beginning of `text`, which is not
// empty; 0 if there is none that XML can hold.
size_t CharacterLength(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
  }
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  uint32_t code = first & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool sound = code >= kLeast[length] && code <= 0x10FFFF && !surrogate &&
                     code != 0xFFFE && code != 0xFFFF;
  return sound ? length : 0;
}

// As the value of an attribute, where line breaks would become spaces.
std::string Escaped(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    switch (length == 1 ? text[0] : 0) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
      case '\n':
      case '\r':
        absl::StrAppend(&out, "&#", static_cast<int>(text[0]), ";");
        break;
      default:
        absl::StrAppend(&out,
                        length == 0 ? kReplacement : text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string Attribute(absl::string_view name, absl::string_view value) {
  return absl::StrCat(" ", name, "=\"", Escaped(value), "\"");
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
      Attribute("classname", absl::StrCat(row.suite, ".", row.device)),
      Attribute("name",
                absl::StrCat(row.model, " fusion=", row.fusion ? "on" : "off",
                             " tuning=", row.tuning, " threads=", row.threads)),
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
      // Has no type.
      absl::StrAppend(
          &xml, "      <skipped",
          Attribute("message",
                    absl::StrCat(stats::VerdictName(row.verdict),
                                 row.reason.empty() ? "" : ": ", row.reason)),
          "/>\n");
      break;
  }
  absl::StrAppend(&xml, "      <system-out>", Escaped(row.reproduce),
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
    const auto timing = Timing(row);
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
