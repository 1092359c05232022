#include "reports/export/parquet.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/row_fields.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/cell_name.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;

class ParquetTest : public ::testing::Test {
 protected:
  ParquetTest()
      : dir_(*TempDir::Create()),
        file_(JoinPath(dir_.path(), "it's.parquet")) {}

  void SetUp() override {
    auto duckdb = Duckdb::Open();
    if (absl::IsUnavailable(duckdb.status())) GTEST_SKIP() << duckdb.status();
    ASSERT_TRUE(duckdb.ok()) << duckdb.status();
    duckdb_ = *std::move(duckdb);
  }

  std::vector<Duckdb::TextRow> Query(const std::string& select,
                                     const std::string& rest = "") {
    auto rows = duckdb_->Query(
        absl::StrCat("SELECT ", select, " FROM ", SqlText(file_), " ", rest));
    EXPECT_TRUE(rows.ok()) << rows.status();
    return rows.ok() ? *std::move(rows) : std::vector<Duckdb::TextRow>();
  }

  TempDir dir_;
  const std::string file_;
  std::unique_ptr<Duckdb> duckdb_;
};

std::vector<Record> Records() {
  std::vector<Record> records;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    RunResult result = seed == 0 ? SampleResult() : RandomResult(seed);
    std::vector<Row> rows = std::move(result.rows);
    for (Row& row : rows) {
      result.rows = {std::move(row)};
      records.push_back({absl::StrCat("run", seed), "job", "cell", result,
                         static_cast<int64_t>(records.size())});
    }
  }
  return records;
}

// True if both are the same text or the same number.
bool SameValue(const std::string& expected,
               const std::optional<std::string>& found) {
  if (!found.has_value() || expected == *found)
    return expected == found.value_or("");
  double a = 0;
  double b = 1;
  return absl::SimpleAtod(expected, &a) && absl::SimpleAtod(*found, &b) &&
         (a == b || (a != a && b != b));
}

TEST_F(ParquetTest, RowsThatAreReadBackEqualTheRecords) {
  const std::vector<Record> records = Records();
  ASSERT_GT(records.size(), 100u);
  ASSERT_TRUE(WriteParquet(records, file_, duckdb_.get()).ok());
  std::map<std::string, size_t> columns;
  const auto described =
      duckdb_->Query("DESCRIBE SELECT * FROM " + SqlText(file_));
  ASSERT_TRUE(described.ok()) << described.status();
  for (size_t i = 0; i < described->size(); ++i) {
    columns[*described->at(i)[0]] = i;
  }
  const auto rows = Query("*");
  ASSERT_EQ(rows.size(), records.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Record& record = records[i];
    const Row& row = record.result.rows[0];
    RowFields expected = FieldsOf(row);
    expected.emplace_back("run", record.run);
    expected.emplace_back("started_at", record.result.started_at);
    expected.emplace_back("source_commit", record.result.commit);
    expected.emplace_back("place", absl::StrCat(record.place));
    const std::string cell = CellNameOf(row);
    expected.emplace_back("cell", cell);
    EXPECT_EQ(expected.size() + 1, columns.size());
    for (auto& [name, value] : expected) {
      if (name == "emulated") value = row.emulated ? "true" : "false";
      ASSERT_EQ(columns.count(std::string(name)), 1u) << name;
      const auto& found = rows[i][columns[std::string(name)]];
      EXPECT_TRUE(SameValue(value, found))
          << name << ": " << value << " and " << found.value_or("NULL");
    }
  }
  // The samples, one per row, in their order.
  const auto samples = Query("place, s", ", unnest(samples_ns) AS u(s)");
  size_t next = 0;
  for (const Record& record : records) {
    for (const double sample : record.result.rows[0].timing.samples_ns) {
      ASSERT_LT(next, samples.size());
      double found = 0;
      ASSERT_TRUE(absl::SimpleAtod(*samples[next][1], &found));
      EXPECT_EQ(*samples[next][0], absl::StrCat(record.place));
      EXPECT_EQ(found, sample);
      ++next;
    }
  }
  EXPECT_EQ(next, samples.size());
}

TEST_F(ParquetTest, NumbersHaveNumericTypes) {
  ASSERT_TRUE(WriteParquet(Records(), file_, duckdb_.get()).ok());
  const auto rows = Query(
      "typeof(median_ms), typeof(threads), typeof(emulated), "
      "typeof(samples_ns), typeof(reason), typeof(artifact_bytes)",
      "LIMIT 1");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(absl::StrCat(*rows[0][0], " ", *rows[0][1], " ", *rows[0][2], " ",
                         *rows[0][3], " ", *rows[0][4], " ", *rows[0][5]),
            "DOUBLE BIGINT BOOLEAN DOUBLE[] VARCHAR BIGINT");
}

TEST_F(ParquetTest, StoreWithoutRecordsGivesNoRows) {
  ASSERT_TRUE(WriteParquet({}, file_, duckdb_.get()).ok());
  EXPECT_TRUE(Query("*").empty());
}

TEST_F(ParquetTest, ErrorNamesTheFileAndLeavesNothing) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer does not find __cxa_throw in DuckDB, which "
                  "throws its errors to itself";
#endif
  const std::string file = JoinPath(dir_.path(), "none/x.parquet");
  const absl::Status status = WriteParquet(Records(), file, duckdb_.get());
  EXPECT_THAT(status.message(), HasSubstr(file));
}

TEST(SqlTest, QuotesTextsAndNames) {
  EXPECT_EQ(SqlText("it's"), "'it''s'");
  EXPECT_EQ(SqlName("a\"b"), "\"a\"\"b\"");
}

}  // namespace
}  // namespace assay::reports
