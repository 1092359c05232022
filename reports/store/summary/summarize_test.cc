#include "reports/store/summary/summarize.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/summary/texts.h"

namespace assay::reports {
namespace {

TEST(SummarizeTest, TextsSayWhatTheRowSays) {
  Record record{"run", "job", "cell", SampleResult()};
  record.result.rows.resize(1);
  Row& row = record.result.rows[0];
  row.cell.model = "a \"quoted\" \xc3\xa9 \n model";
  row.cell.threads = 3;
  row.fingerprint = "host";
  row.board = "board\\7";
  row.build.code = {{"kernel", {}, "11"}, {"", {}, ""}};
  row.comparison.parity = {{"reference", {{"threads", "1"}, {"mode", "x"}}}};
  Summarizer summarizer;
  summarizer.Add(record, 0);
  ASSERT_EQ(summarizer.runs().size(), 1u);
  const RowSummary& summary = summarizer.runs()[0].rows[0];
  const Texts& texts = summarizer.texts();

  const auto cell = ParseCellText(texts.Text(summary.cell));
  ASSERT_TRUE(cell.ok()) << cell.status();
  EXPECT_EQ(cell->suite, row.suite);
  EXPECT_EQ(cell->key, row.cell);
  Row parsed;
  ASSERT_TRUE(ParseProgramText(texts.Text(summary.program), &parsed).ok());
  EXPECT_EQ(parsed.build.model_digest, row.build.model_digest);
  EXPECT_EQ(parsed.build.artifact_digest, row.build.artifact_digest);
  ASSERT_EQ(parsed.build.code.size(), 2u);
  EXPECT_EQ(parsed.build.code[0].symbol, "kernel");
  EXPECT_EQ(parsed.build.code[0].digest, "11");
  ASSERT_TRUE(ParseMethodText(texts.Text(summary.method), &parsed).ok());
  EXPECT_EQ(parsed.build.runtime_digest, row.build.runtime_digest);
  EXPECT_EQ(parsed.timing.policy, row.timing.policy);
  EXPECT_EQ(parsed.comparison.parity, row.comparison.parity);
  ASSERT_TRUE(ParseMachineText(texts.Text(summary.machine), &parsed).ok());
  EXPECT_EQ(parsed.fingerprint, row.fingerprint);
  EXPECT_EQ(parsed.board, row.board);
}

TEST(SummarizeTest, DamagedTextsAreDataLoss) {
  Row row;
  for (const char* text :
       {"", "[", "{}", "[\"a\"]", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]",
        "[1,2,3,4,5]", "[\"a\",\"b\",[[\"c\"]]]", "[\"a\",\"b\",null] x",
        "[\"a\",\"b\",\"c\",1,{\"fusion\":\"no such value\"}]"}) {
    EXPECT_TRUE(absl::IsDataLoss(ParseCellText(text).status())) << text;
    EXPECT_TRUE(absl::IsDataLoss(ParseProgramText(text, &row))) << text;
    EXPECT_TRUE(absl::IsDataLoss(ParseMethodText(text, &row))) << text;
    EXPECT_TRUE(absl::IsDataLoss(ParseMachineText(text, &row))) << text;
  }
}

}  // namespace
}  // namespace assay::reports
