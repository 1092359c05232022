// Compares the formats with golden files. To update them after an intended
// change:
//   ASSAY_UPDATE_GOLDEN=1 ./bazelw run //reports/render:render_test
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/render/junit.h"
#include "reports/render/markdown.h"
#include "reports/render/results_csv.h"
#include "reports/render/table.h"
#include "reports/result/results_json.h"
#include "reports/result/run_result.h"
#include "reports/result/testing/sample_result.h"
#include "reports/stats/ratio.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// Tests run in the root of the workspace's runfiles.
constexpr char kFolder[] = "reports/render/testdata";

void ExpectGolden(const std::string& file, const std::string& text) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr && workspace != nullptr) {
    const std::string path = JoinPath(JoinPath(workspace, kFolder), file);
    ASSERT_TRUE(WriteFileAtomic(path, text).ok());
    return;
  }
  const absl::StatusOr<std::string> golden = ReadFile(JoinPath(kFolder, file));
  ASSERT_TRUE(golden.ok()) << golden.status();
  EXPECT_EQ(text, *golden) << "in " << file;
}

TEST(TableTest, MatchesGolden) {
  ExpectGolden("table.txt", ResultsTable(SampleResult()));
}

TEST(TableTest, PrintsTitlesWithoutRows) {
  EXPECT_EQ(ResultsTable(RunResult()),
            "model  device  fusion  threads  mean(ms)  std(ms)  median  p90  "
            "p99  speedup  GFLOP/s  kernels  max|err|  compile(s)  size(MB)  "
            "load(ms)  arena(MB)  baseline  delta  verdict\n");
}

TEST(TableTest, PercentilesHaveIntervalsIfThereAreEnoughSamples) {
  RunResult result = SampleResult();
  result.rows.resize(1);
  std::vector<double>& samples = result.rows[0].timing.samples_ns;
  samples.clear();
  for (int i = 0; i < 60; ++i) samples.push_back(10e6 + 1e5 * i);
  EXPECT_THAT(ResultsTable(result),
              AllOf(HasSubstr("  15.3 [14.8, 15.8]  >15.7  "),
                    HasSubstr("; >: at least, from too few samples for an "
                              "upper bound (p99 needs 368, see --repeat)")));
  for (int i = 60; i < 400; ++i) samples.push_back(10e6 + 1e5 * i);
  EXPECT_THAT(ResultsTable(result),
              AllOf(HasSubstr("  49.5 [49.1, 49.9]  "),
                    HasSubstr("in brackets, the 95 % interval\n")));
}

TEST(TableTest, ASlowerTailIsExplainedWhateverTheVerdict) {
  RunResult result = SampleResult();
  result.rows = {result.rows[4]};
  EXPECT_THAT(ResultsTable(result), HasSubstr("; the tail is slower: 9 of"));
  EXPECT_THAT(MarkdownSummary(result), HasSubstr("; the tail is slower: 9 of"));
  result.rows[0].comparison.paired->tail_slower = false;
  EXPECT_THAT(ResultsTable(result), Not(HasSubstr("the tail is slower")));
}

TEST(TableTest, PrintsRangeOfTolerances) {
  RunResult result = SampleResult();
  result.rows[0].correctness.max_abs_error_bound = 0.25;
  EXPECT_THAT(ResultsTable(result),
              ::testing::HasSubstr("tolerance 1.1e-03 to 2.5e-01 by model\n"));
}

TEST(TableTest, SaysOnceWhatMadeTimesDoubtful) {
  RunResult result = SampleResult();
  EXPECT_THAT(ResultsTable(result), Not(HasSubstr("doubtful")));
  result.rows.resize(2);
  for (Row& row : result.rows) {
    row.timing.disturbances = {"other programs used 1.4 of 2 processors",
                               "3 threads shared 2 processors"};
  }
  const std::string because =
      "*: times are doubtful, because other programs used 1.4 of 2 processors; "
      "3 threads shared 2 processors";
  EXPECT_THAT(ResultsTable(result), HasSubstr("10.000*"));
  EXPECT_THAT(ResultsTable(result), HasSubstr(because + "\n"));
  result.rows[1].timing.disturbances = {};
  EXPECT_THAT(ResultsTable(result),
              HasSubstr(because + " (resnet18 on host, fusion on, threads 2)"));
}

TEST(TableTest, ShowsTheSizeAndTheTimeOfLoading) {
  RunResult result = SampleResult();
  result.rows.resize(1);
  EXPECT_THAT(
      ResultsTable(result),
      AllOf(ContainsRegex("compile.s.  size.MB.  load.ms. +arena.MB."),
            ContainsRegex(" 4.32     97.10     61.25  2.20 .\\+10%. "),
            HasSubstr("\nsize: of the artifact's file, that is, of code and "
                      "constants\nload: from the bytes of the artifact to a "
                      "program that is ready to run\narena: ")));
  result.rows[0].build.artifact_bytes = 0;
  result.rows[0].timing.load_ms.reset();
  EXPECT_THAT(ResultsTable(result),
              AllOf(ContainsRegex(" 4.32         -         -  2.20 "),
                    Not(HasSubstr("size:")), Not(HasSubstr("load:"))));
}

TEST(TableTest, NamesTheBoardsIfTheyDiffer) {
  RunResult result = SampleResult();
  for (Row& row : result.rows) row.board = "rack-1";
  EXPECT_FALSE(HasSeveralBoards(result));
  EXPECT_THAT(ResultsTable(result), Not(HasSubstr("rack-1")));
  result.rows[1].board = "rack-2";
  EXPECT_TRUE(HasSeveralBoards(result));
  EXPECT_THAT(ResultsTable(result),
              AllOf(ContainsRegex("device +board +fusion"),
                    ContainsRegex("resnet18 +host +rack-1 +on"),
                    HasSubstr(" rack-2 ")));
}

TEST(TableTest, ComparesTunedRowsWithUntunedRows) {
  RunResult result = TunedResult();
  result.rows[1].verdict = stats::Verdict::kInconclusive;
  EXPECT_THAT(
      ResultsTable(result),
      AllOf(ContainsRegex("fusion +tuning +threads .* speedup +vs untuned +"),
            ContainsRegex("host +on +none .* 1.25 .1.20, 1.30. +- +360.0"),
            ContainsRegex(
                "host +on +tuned .* 1.25 .1.20, 1.30. +1.25 .1.24, 1.26. "),
            HasSubstr("\nspeedup: of fusion, median ratio"),
            HasSubstr("\nvs untuned: speedup of tuning, median ratio"),
            HasSubstr("\nresnet18 on host, fusion on, tuned, threads 2: "
                      "inconclusive\n")));
  EXPECT_THAT(OperatorTable(result.rows[1]),
              HasSubstr("resnet18 on host, fusion on, tuned, threads 2: 2 "));
  result.rows[1].comparison.speedup_vs_untuned.reset();
  EXPECT_THAT(ResultsTable(result),
              AllOf(HasSubstr("tuning"), Not(HasSubstr("vs untuned"))));
}

TEST(MarkdownTest, ComparesTunedRowsWithUntunedRows) {
  EXPECT_THAT(MarkdownSummary(TunedResult()),
              AllOf(HasSubstr("| fusion | tuning | threads |"),
                    HasSubstr("| speedup | vs untuned | max"),
                    HasSubstr("| on | none | 2 | 10.000 | >10.2 | 9.875 | "
                              "1.25 [1.20, 1.30] | - |"),
                    HasSubstr("| on | tuned | 2 | 8.000 | >8.25 | - | "
                              "1.25 [1.20, 1.30] | 1.25 [1.24, 1.26] |")));
}

TEST(JUnitTest, NamesOfTunedRowsSaySo) {
  EXPECT_THAT(
      JUnitXml(TunedResult()),
      AllOf(HasSubstr("name=\"resnet18 fusion=on threads=2\""),
            HasSubstr("\"resnet18 fusion=on tuning=tuned threads=2\"")));
}

TEST(TableTest, TheCanaryOfOneBoardDoesNotConcernOthers) {
  RunResult result;
  CanaryTrial good;
  good.threads = 4;
  good.verdict = stats::Verdict::kEquivalent;
  good.board = "rack-1";
  CanaryTrial bad = good;
  bad.verdict = stats::Verdict::kRegressed;
  bad.board = "rack-2";
  result.canary = {good, bad};
  EXPECT_TRUE(IsSound(result.canary, 4, "rack-1"));
  EXPECT_FALSE(IsSound(result.canary, 4, "rack-2"));
  EXPECT_TRUE(IsSound(result.canary, 2, "rack-2"));
  EXPECT_THAT(ResultsTable(result),
              AllOf(HasSubstr("canary: on rack-1, a kernel against its twin"),
                    HasSubstr("session with 4 threads on rack-2 are not "),
                    Not(HasSubstr("4 threads on rack-1 are not"))));
}

TEST(MarkdownTest, ShowsTheSizeAndTheTimeOfLoading) {
  RunResult result = SampleResult();
  result.rows.resize(1);
  EXPECT_THAT(MarkdownSummary(result),
              AllOf(HasSubstr("| size(MB) | load(ms) | peak(MB) | delta |"),
                    HasSubstr("| 97.10 | 61.25 | 123.40 | ")));
  result.rows[0].build.artifact_bytes = 0;
  result.rows[0].timing.load_ms.reset();
  EXPECT_THAT(MarkdownSummary(result), HasSubstr("e-06 | - | - | "));
}

TEST(MarkdownTest, SaysWhatMadeTimesDoubtful) {
  RunResult result = SampleResult();
  result.rows.resize(1);
  result.rows[0].timing.disturbances = {"3 threads shared 2 processors"};
  EXPECT_THAT(
      MarkdownSummary(result),
      HasSubstr("\n\n\\*: times are doubtful, because 3 threads shared 2 "
                "processors\n"));
}

TEST(MarkdownTest, NamesTheBoards) {
  RunResult result = SampleResult();
  EXPECT_THAT(MarkdownSummary(result), Not(HasSubstr("board")));
  result.rows[0].board = "rack-1";
  EXPECT_THAT(MarkdownSummary(result),
              AllOf(HasSubstr("| model | device | board | fusion |"),
                    HasSubstr("| host | rack-1 | on |")));
}

TEST(TableTest, SortsOperatorsByTime) {
  EXPECT_EQ(OperatorTable(SampleResult().rows[1]), "");
  EXPECT_EQ(
      OperatorTable(SampleResult().rows[0]),
      "resnet18 on host, fusion on, threads 2: 2 kernel calls\n"
      "       ms  %time   sum%  GFLOP/s    GB/s  kernel <- nodes\n"
      "   6.0000  60.0%  60.0%    500.0     0.2  k001_conv2d_relu <- conv, bn, "
      "relu\n"
      "   3.5000  35.0%  95.0%    171.4     1.1  k002_dense <- fc\n"
      "   9.5000  95.0%  all kernels\n"
      "  10.0000 100.0%  whole inferences, interleaved; +5.0% is outside of "
      "kernels, or noise\n");
}

TEST(JsonTest, MatchesGolden) {
  ExpectGolden("results.json", ResultsJson(SampleResult()));
}

TEST(JsonTest, RoundTrips) {
  const absl::StatusOr<RunResult> sample =
      ParseResultsJson(ResultsJson(SampleResult()));
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_TRUE(*sample == SampleResult());
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const RunResult result = RandomResult(seed);
    const absl::StatusOr<RunResult> parsed =
        ParseResultsJson(ResultsJson(result));
    ASSERT_TRUE(parsed.ok()) << parsed.status() << " seed " << seed;
    ASSERT_TRUE(*parsed == result) << "seed " << seed;
  }
}

TEST(JsonTest, KeepsDisturbances) {
  RunResult result = SampleResult();
  result.rows[0].timing.disturbances = {"other programs", "steal"};
  const auto read = ParseResultsJson(ResultsJson(result));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->rows[0].timing.disturbances,
            result.rows[0].timing.disturbances);
  EXPECT_TRUE(read->rows[1].timing.disturbances.empty());
}

TEST(JsonTest, MissingValuesAreNull) {
  const auto json = nlohmann::json::parse(ResultsJson(SampleResult()));
  const auto& wrong = json["rows"][2];
  for (const char* member :
       {"mean_ms", "std_ms", "median_ms", "p99_ms", "gflops", "load_ms",
        "baseline_ms", "delta", "threshold", "speedup_vs_reference",
        "speedup_vs_reference_lower"}) {
    EXPECT_TRUE(wrong[member].is_null()) << member;
  }
  EXPECT_EQ(wrong["samples_ns"].size(), 0u);
  EXPECT_EQ(wrong["max_abs_error"], "inf");
}

// Files did not always have these members.
void ForgetSizeAndLoad(Row* row) {
  row->build.artifact_bytes = row->build.params_bytes = 0;
  row->timing.load_ms.reset();
  row->timing.peak_rss_bytes.reset();
}

// The reason of the version was that of the verdict alone.
void ForgetTheTail(Row* row) {
  std::optional<PairedComparison>& paired = row->comparison.paired;
  if (!paired.has_value()) return;
  paired->tail.reset();
  paired->tail_slower = false;
  row->reason = row->reason.substr(0, row->reason.find("; the tail"));
}

void ForgetWhatItIsMadeOf(Row* row) {
  row->build.runtime_digest.clear();
  row->build.code.clear();
  row->timing.policy.clear();
}

TEST(JsonTest, ReadsVersion1) {
  const auto text = ReadFile(JoinPath(kFolder, "results_v1.json"));
  ASSERT_TRUE(text.ok()) << text.status();
  const auto result = ParseResultsJson(*text);
  ASSERT_TRUE(result.ok()) << result.status();
  RunResult expected = SampleResult();
  for (Row& row : expected.rows) {
    std::optional<stats::Ratio>& speedup = row.comparison.speedup_vs_unfused;
    // Version 1 had no bounds.
    if (speedup.has_value()) speedup = stats::Ratio{speedup->value};
    ForgetSizeAndLoad(&row);
    ForgetWhatItIsMadeOf(&row);
    row.correctness.no_second_opinion.clear();
    row.comparison.no_reference.clear();
    ForgetTheTail(&row);
  }
  expected.remarks.clear();
  EXPECT_EQ(*result, expected);
}

// As files were before there were tuned rows.
TEST(JsonTest, RowsOfFilesWithoutTuningAreNotTuned) {
  auto json = nlohmann::ordered_json::parse(ResultsJson(SampleResult()));
  for (auto& row : json["rows"]) {
    for (const char* member :
         {"tuning", "tuning_digest", "speedup_vs_untuned",
          "speedup_vs_untuned_lower", "speedup_vs_untuned_upper"}) {
      EXPECT_EQ(row.erase(member), 1u) << member;
    }
  }
  const auto result = ParseResultsJson(json.dump());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, SampleResult());
}

TEST(JsonTest, OlderFilesHaveNeitherSizesNorTimesOfLoading) {
  auto json = nlohmann::ordered_json::parse(ResultsJson(SampleResult()));
  for (auto& row : json["rows"]) {
    for (const char* member :
         {"artifact_bytes", "params_bytes", "load_ms", "peak_rss_bytes"}) {
      EXPECT_EQ(row.erase(member), 1u) << member;
    }
  }
  const auto result = ParseResultsJson(json.dump());
  ASSERT_TRUE(result.ok()) << result.status();
  RunResult expected = SampleResult();
  for (Row& row : expected.rows) ForgetSizeAndLoad(&row);
  EXPECT_EQ(*result, expected);
}

TEST(JsonTest, OlderFilesDoNotSayWhatRowsAreMadeOf) {
  auto json = nlohmann::ordered_json::parse(ResultsJson(SampleResult()));
  for (auto& row : json["rows"]) {
    for (const char* member : {"runtime_digest", "code", "timing_policy"}) {
      EXPECT_EQ(row.erase(member), 1u) << member;
    }
  }
  const auto result = ParseResultsJson(json.dump());
  ASSERT_TRUE(result.ok()) << result.status();
  RunResult expected = SampleResult();
  for (Row& row : expected.rows) ForgetWhatItIsMadeOf(&row);
  EXPECT_EQ(*result, expected);
}

TEST(JsonTest, CodeIsAnArrayOfObjects) {
  auto json = nlohmann::ordered_json::parse(ResultsJson(SampleResult()));
  auto& code = json["rows"][1]["code"];
  EXPECT_EQ(code[1].dump(),
            R"({"symbol":"k002_dense","sources":["fc"],"digest":"c0de02"})");
  code[1]["digest"] = 3;
  EXPECT_THAT(ParseResultsJson(json.dump()).status().message(),
              HasSubstr("`rows[1].code[1].digest`"));
  code = 3;
  EXPECT_THAT(ParseResultsJson(json.dump()).status().message(),
              HasSubstr("`rows[1].code` is not an array"));
}

TEST(JsonTest, ErrorsNameTheMember) {
  const std::string good = ResultsJson(SampleResult());
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kCases[] = {
      {"{\n  \"schema", "\"schema", "the text is not JSON"},
      {"\"schema_version\": 2", "\"schema_version\": 3",
       "`schema_version` is 3; this program reads 1 and 2"},
      {"\"started_at\"", "\"begun_at\"", "`started_at` is missing"},
      {"\"threads\": 4", "\"threads\": \"4\"",
       "`rows[1].threads` is not a whole number"},
      {"\"threads\": 4", "\"threads\": 4000000000",
       "`rows[1].threads` is out of range"},
      {"\"verdict\": \"regressed\"", "\"verdict\": \"worse\"",
       "`rows[3].verdict` `worse` is not a verdict"},
      {"4321500000.0\n", "-1\n",
       "`rows[1].samples_ns` has an element that is not a positive number"},
      {"\"max_abs_error\": \"inf\"", "\"max_abs_error\": \"huge\"",
       "`rows[2].max_abs_error` is not a number"},
      {"\"tuning\": \"none\"", "\"tuning\": \"some\"",
       "`rows[0].tuning` is none of `none`, `tuned`"},
      {"\"parity\": null", "\"parity\": 3",
       "`rows[0].parity` is not an object"},
      {"\"cpu\": \"Some CPU\"", "\"cpu\": 3",
       "`environment.identity` holds more than strings"},
  };
  for (const auto& c : kCases) {
    const std::string bad = absl::StrReplaceAll(good, {{c.from, c.to}});
    ASSERT_NE(bad, good) << c.from;
    EXPECT_EQ(ParseResultsJson(bad).status().message(), c.message);
  }
  EXPECT_FALSE(ParseResultsJson("").ok());
  EXPECT_FALSE(ParseResultsJson("[]").ok());
}

TEST(CsvTest, MatchesGolden) {
  ExpectGolden("results.csv", ResultsCsv(SampleResult()));
}

TEST(CsvTest, AllLinesHaveTheSameNumberOfFields) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const RunResult result = RandomResult(seed);
    const std::string csv = ResultsCsv(result);
    bool quoted = false;
    size_t fields = 1;
    size_t lines = 0;
    for (const char c : csv) {
      if (c == '"') quoted = !quoted;
      if (!quoted && c == ',') ++fields;
      if (!quoted && c == '\n') {
        ASSERT_EQ(fields, 58u) << "seed " << seed;
        fields = 1;
        ++lines;
      }
    }
    EXPECT_EQ(lines, result.rows.size() + 1);
  }
}

TEST(JUnitTest, MatchesGolden) {
  ExpectGolden("results.xml", JUnitXml(SampleResult()));
}

TEST(JUnitTest, ReplacesCharactersInvalidInXml) {
  RunResult result;
  result.rows.emplace_back();
  result.rows[0].reason =
      "a\x01"
      "b\xC0\xAF"
      "c\xED\xA0\x80"
      "d<&\"\n";
  EXPECT_THAT(JUnitXml(result),
              ::testing::HasSubstr("message=\"a\xEF\xBF\xBD"
                                   "b\xEF\xBF\xBD\xEF\xBF\xBD"
                                   "c\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
                                   "d&lt;&amp;&quot;&#10;\""));
}

TEST(MarkdownTest, MatchesGolden) {
  ExpectGolden("summary.md", MarkdownSummary(SampleResult()));
  EXPECT_EQ(MarkdownSummary(RunResult()), "**Nothing was measured.**\n");
}

TEST(RunResultTest, EmulatedRowsHaveNoThroughput) {
  const RunResult result = SampleResult();
  EXPECT_NEAR(GflopPerSecond(result.rows[0]).value(), 360, 1e-9);
  EXPECT_FALSE(GflopPerSecond(result.rows[1]).has_value());
  EXPECT_FALSE(GflopPerSecond(result.rows[2]).has_value());
}

}  // namespace
}  // namespace assay::reports
