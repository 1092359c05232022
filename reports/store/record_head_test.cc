#include "reports/store/record_head.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/checked_line.h"
#include "reports/store/record.h"

namespace assay::reports {
namespace {

Record Sample() {
  Record record{"run", "job", "cell", SampleResult()};
  record.result.rows.resize(1);
  return record;
}

// Returns the line of the sample with a part of its text replaced.
std::string Changed(const std::string& from, const std::string& to) {
  std::string line = FormatRecord(Sample());
  const std::string body = std::string(*BodyOf(line));
  const std::string changed = absl::StrReplaceAll(body, {{from, to}});
  EXPECT_NE(changed, body) << from;
  return CheckedLine(changed);
}

TEST(RecordHeadTest, AgreesWithTheWholeRecord) {
  int heads = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Record record{absl::StrCat("run \"", seed), "job", "cell",
                  RandomResult(seed)};
    // Keys of the head at other places.
    record.result.environment.identity["suite"] = "no suite";
    record.result.environment.state["started_at"] = "no time";
    if (record.result.rows.size() > 1) record.result.rows.resize(1);
    if (record.result.rows.empty()) record.cell.clear();
    const auto head = ParseRecordHead(FormatRecord(record));
    ASSERT_EQ(head.has_value(), !record.result.rows.empty()) << seed;
    if (!head.has_value()) continue;
    ++heads;
    const Row& row = record.result.rows[0];
    EXPECT_EQ(head->run, record.run);
    EXPECT_EQ(head->started_at, record.result.started_at);
    EXPECT_EQ(head->commit, record.result.commit);
    EXPECT_EQ(head->suite, row.suite);
    EXPECT_EQ(head->model, row.cell.model);
    EXPECT_EQ(head->device, row.cell.device);
  }
  EXPECT_GT(heads, 100);
}

TEST(RecordHeadTest, LeavesOtherLinesToParseRecord) {
  const std::string line = FormatRecord(Sample());
  EXPECT_TRUE(ParseRecordHead(line).has_value());
  std::string bad = line;
  bad[bad.size() / 2] ^= 1;
  EXPECT_FALSE(ParseRecordHead(bad).has_value());
  EXPECT_FALSE(ParseRecordHead(line.substr(0, 300)).has_value());
  EXPECT_FALSE(ParseRecordHead("").has_value());
  EXPECT_FALSE(ParseRecordHead(CheckedLine("}")).has_value());
  EXPECT_FALSE(ParseRecordHead(CheckedLine("\"run\":[")).has_value());
  EXPECT_FALSE(
      ParseRecordHead(Changed("\"schema_version\":2", "\"schema_version\":3"))
          .has_value());
  EXPECT_FALSE(
      ParseRecordHead(Changed("\"schema_version\":2", "\"schema_version\":1"))
          .has_value());
  EXPECT_FALSE(ParseRecordHead(Changed("\"device\":\"host\"", "\"device\":7"))
                   .has_value());
  EXPECT_FALSE(
      ParseRecordHead(Changed("\"device\":\"host\",", "")).has_value());
  EXPECT_FALSE(ParseRecordHead(Changed("\"cell\":\"cell\"", "\"cell\":\"\""))
                   .has_value());
}

}  // namespace
}  // namespace assay::reports
