#include "reports/store/summary/summary_reader.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/checked_line.h"
#include "reports/store/summary/row_summary.h"
#include "reports/store/summary/summarize.h"

namespace assay::reports {
namespace {

template <typename T>
std::string BytesOf(const std::vector<T>& items) {
  return {reinterpret_cast<const char*>(items.data()),
          items.size() * sizeof(T)};
}

// All that a summary has, as one text.
std::string SummaryOf(const Record& record) {
  Summarizer summarizer;
  summarizer.Add(record, 17);
  std::string text;
  for (const RunSummary& run : summarizer.runs()) {
    text += run.run + BytesOf(run.rows) + BytesOf(run.comparisons) +
            BytesOf(run.kernels) + run.header.started_at + run.header.commit +
            run.header.environment.fingerprint;
    for (const auto* facts :
         {&run.header.environment.identity, &run.header.environment.state}) {
      for (const auto& [key, value] : *facts) text += key + "=" + value + "\n";
    }
    for (const CanaryTrial& trial : run.header.canary) {
      text += trial.board + trial.reason + std::to_string(trial.share) +
              std::to_string(trial.threads) +
              std::string(stats::VerdictName(trial.verdict));
    }
  }
  for (size_t i = 0; i < summarizer.texts().size(); ++i) {
    text += summarizer.texts().Text(static_cast<uint32_t>(i)) + "\n";
  }
  return text;
}

Record RecordOf(const RunResult& result, const Row& row) {
  Record record{"run", "job", "cell", result, 3};
  record.result.rows = {row};
  return record;
}

TEST(SummaryReaderTest, SummaryIsThatOfTheWholeRecord) {
  int recognized = 0;
  int all = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const RunResult result = seed == 0   ? SampleResult()
                             : seed == 1 ? TunedResult()
                                         : RandomResult(seed);
    for (const Row& row : result.rows) {
      const std::string line = FormatRecord(RecordOf(result, row));
      const auto parsed = ParseRecord(line);
      ASSERT_TRUE(parsed.ok()) << parsed.status();
      ++all;
      const auto read = ReadForSummary(absl::StripSuffix(line, "\n"));
      // Infinite values are left to ParseRecord().
      if (!read.has_value()) continue;
      ++recognized;
      EXPECT_EQ(SummaryOf(*read), SummaryOf(*parsed)) << line;
    }
  }
  EXPECT_GT(recognized, all / 3);
}

TEST(SummaryReaderTest, RefusesWhatItDoesNotKnow) {
  const RunResult result = SampleResult();
  const std::string line = FormatRecord(RecordOf(result, result.rows[0]));
  const std::string body(*BodyOf(line));
  const auto reads = [](const std::string& changed) {
    return ReadForSummary(absl::StripSuffix(CheckedLine(changed), "\n"))
        .has_value();
  };
  EXPECT_TRUE(reads(body));
  EXPECT_FALSE(ReadForSummary("{}").has_value());
  EXPECT_FALSE(ReadForSummary(line.substr(0, line.size() / 2)).has_value());
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {"\"schema_version\":2", "\"schema_version\":1"},
           {"\"cell\":\"cell\"", "\"cell\":\"\""},
           {"\"samples_ns\":[", "\"samples_ns\":[-1.0,"},
           {"\"verdict\":\"pass\",\"reason\"", "\"verdict\":\"ok\",\"reason\""},
           {"\"suite\":", "\"room\":"},
           {"\"threads\":", "\"threads\":1e99,\"more\":"}}) {
    const std::string changed = absl::StrReplaceAll(body, {{from, to}});
    EXPECT_NE(changed, body) << from;
    EXPECT_FALSE(reads(changed)) << from;
  }
  // The final record of a run has no row.
  Record last{"run", "job", "", result};
  last.result.rows.clear();
  const std::string final_line = FormatRecord(last);
  EXPECT_FALSE(ReadForSummary(absl::StripSuffix(final_line, "\n")).has_value());
}

}  // namespace
}  // namespace assay::reports
