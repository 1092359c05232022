// Checks that the five formats of a result agree field by field: each is parsed
// by a small parser, written for this test, and compared with results.json.
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/render/format.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;
using Fields = std::map<std::string, std::string>;

// Parses RFC 4180: one map from title to field per line after the first.
std::vector<Fields> ReadCsv(const std::string& text) {
  std::vector<std::vector<std::string>> lines = {{""}};
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\n') {
      lines.push_back({""});
    } else {
      lines.back().back() += c;
    }
  }
  std::vector<Fields> rows;
  for (size_t i = 1; i + 1 < lines.size(); ++i) {
    Fields fields;
    for (size_t k = 0; k < lines[0].size(); ++k) {
      fields[lines[0][k]] = lines[i].at(k);
    }
    rows.push_back(std::move(fields));
  }
  return rows;
}

std::string Unescaped(const std::string& text) {
  return absl::StrReplaceAll(text, {{"&amp;", "&"},
                                    {"&lt;", "<"},
                                    {"&gt;", ">"},
                                    {"&quot;", "\""},
                                    {"&#9;", "\t"},
                                    {"&#10;", "\n"},
                                    {"&#13;", "\r"}});
}

// Returns the text between `from` and `to` after `*at`, and advances `*at`
// behind it.
std::string Between(const std::string& text, const std::string& from,
                    const std::string& to, size_t* at) {
  const size_t begin = text.find(from, *at);
  if (begin == std::string::npos) return "";
  const size_t end = text.find(to, begin + from.size());
  *at = end + to.size();
  return text.substr(begin + from.size(), end - begin - from.size());
}

std::vector<Fields> ReadJUnit(const std::string& text) {
  std::vector<Fields> rows;
  size_t at = 0;
  while (text.find("<testcase", at) != std::string::npos) {
    const std::string block = Between(text, "<testcase", "</testcase>", &at);
    Fields fields;
    size_t inner = 0;
    while (block.find("<property ", inner) != std::string::npos) {
      const std::string name =
          Between(block, "<property name=\"", "\"", &inner);
      fields[name] = Unescaped(Between(block, "value=\"", "\"", &inner));
    }
    inner = 0;
    fields["outcome"] = block.find("<failure") != std::string::npos ? "failure"
                        : block.find("<error") != std::string::npos ? "error"
                        : block.find("<skipped") != std::string::npos
                            ? "skipped"
                            : "passed";
    rows.push_back(std::move(fields));
  }
  return rows;
}

// Converts a member of a JSON row to the text of a field.
bool Agrees(const Json& json, const std::string& field) {
  if (json.is_null()) return field.empty();
  if (json.is_boolean()) {
    return field == (json.get<bool>() ? "on" : "off") ||
           field == (json.get<bool>() ? "yes" : "no");
  }
  if (json.is_number_integer())
    return field == absl::StrCat(json.get<int64_t>());
  if (json.is_number()) {
    double value = 0;
    return absl::SimpleAtod(field, &value) && value == json.get<double>();
  }
  if (json.is_array()) {
    return field == absl::StrJoin(json.get<std::vector<std::string>>(), "; ");
  }
  return json == field;
}

void ExpectAgreement(const Json& row, const Fields& fields) {
  for (const auto& [name, value] : fields) {
    if (name == "outcome") continue;
    if (name == "samples") {
      EXPECT_EQ(value, absl::StrCat(row.at("samples_ns").size()));
    } else if (name == "paired_samples") {
      EXPECT_TRUE(row.at("paired").is_null()
                      ? value.empty()
                      : value == absl::StrCat(row["paired"]["base_ns"].size()));
    } else if (name.rfind("paired_", 0) == 0) {
      const Json& paired = row.at("paired");
      EXPECT_TRUE(
          Agrees(paired.is_null() ? Json() : paired.at(name.substr(7)), value))
          << name << " " << value;
    } else {
      EXPECT_TRUE(Agrees(row.at(name), value)) << name << " " << value;
    }
  }
}

const std::map<std::string, std::string> kOutcomes = {
    {"pass", "passed"},
    {"equivalent", "passed"},
    {"improved", "passed"},
    {"emulated", "passed"},
    {"regressed", "failure"},
    {"wrong_output", "failure"},
    {"infrastructure", "error"},
    {"inconclusive", "skipped"},
    {"environment_changed", "skipped"},
    {"no_baseline", "skipped"},
};

TEST(AgreementTest, FormatsOfRandomResultsAgree) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const RunResult result = RandomResult(seed);
    const Json json = Json::parse(Render(result, Format::kJson));
    const Json& rows = json.at("rows");
    const std::vector<Fields> csv = ReadCsv(Render(result, Format::kCsv));
    const std::vector<Fields> junit = ReadJUnit(Render(result, Format::kJUnit));
    const std::string table = Render(result, Format::kTable);
    const std::vector<std::string> markdown =
        absl::StrSplit(Render(result, Format::kMarkdown), '\n');
    ASSERT_EQ(csv.size(), rows.size());
    ASSERT_EQ(junit.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string verdict = rows[i]["verdict"];
      EXPECT_EQ(csv[i].size(), 58u);
      ExpectAgreement(rows[i], csv[i]);
      ExpectAgreement(rows[i], junit[i]);
      EXPECT_EQ(junit[i].size(), csv[i].size() + 1);
      EXPECT_EQ(junit[i].at("outcome"), kOutcomes.at(verdict));
      // Sentence, blank line, titles, rule, rows. Numbers are rounded.
      const std::string& line = markdown.at(4 + i);
      EXPECT_THAT(line, ::testing::EndsWith(absl::StrCat("| ", verdict, " |")));
      const Json& median = rows[i]["median_ms"];
      const std::string shown =
          median.is_null() ? "-"
                           : absl::StrFormat("%.3f", median.get<double>());
      const bool doubtful =
          !median.is_null() && !rows[i]["disturbances"].empty();
      const char* mark = doubtful ? "\\*" : "";
      EXPECT_THAT(line,
                  ::testing::HasSubstr(absl::StrCat("| ", shown, mark, " |")));
      EXPECT_THAT(table, ::testing::HasSubstr(verdict));
      EXPECT_THAT(table, ::testing::HasSubstr(shown));
    }
  }
}

TEST(AgreementTest, FindsFormatsByName) {
  for (const std::string& name : FormatNames()) {
    EXPECT_TRUE(ParseFormat(name).ok());
  }
  EXPECT_THAT(
      std::string(ParseFormat("yaml").status().message()),
      ::testing::HasSubstr("there is no format `yaml`; there are table"));
}

}  // namespace
}  // namespace assay::reports
