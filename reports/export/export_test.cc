// Tests of //reports:export as a program.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/export/duckdb.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;

constexpr char kProgram[] = "reports/export/export";

class ExportTest : public ::testing::Test {
 protected:
  ExportTest()
      : dir_(*TempDir::Create()),
        store_(JoinPath(dir_.path(), "store")),
        file_(JoinPath(dir_.path(), "rows.parquet")) {
    auto writer = LogWriter::Create(store_);
    EXPECT_TRUE(writer.ok()) << writer.status();
    for (const char* day : {"01", "02", "03"}) {
      Record record{day, "job", "cell", SampleResult()};
      record.result.started_at = std::string("2024-05-") + day + "T12:00:00Z";
      record.result.rows.resize(1);
      EXPECT_TRUE((*writer)->Append(record).ok());
    }
  }

  // Returns the exit code and sets out_ and err_.
  int Run(const std::vector<std::string>& arguments) {
    const auto result =
        runtime::RunProcess(arguments, runtime::ProcessOptions());
    EXPECT_TRUE(result.ok()) << result.status();
    out_ = result->out;
    err_ = result->err;
    return result->exit_code;
  }

  TempDir dir_;
  const std::string store_;
  const std::string file_;
  std::string out_;
  std::string err_;
};

TEST_F(ExportTest, WritesTheRowsThatMatch) {
  const auto duckdb = Duckdb::Open();
  if (absl::IsUnavailable(duckdb.status())) GTEST_SKIP() << duckdb.status();
  EXPECT_EQ(Run({kProgram, "--store=" + store_, "--to=parquet",
                 "--out=" + file_, "--since=2024-05-02"}),
            0)
      << err_;
  EXPECT_THAT(out_, HasSubstr("wrote 2 rows to `" + file_ + "`"));
  const auto rows = (*duckdb)->Query("SELECT run FROM " + SqlText(file_));
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(*rows->at(0)[0], "02");
  EXPECT_EQ(*rows->at(1)[0], "03");
}

TEST_F(ExportTest, MissingLibraryIsOneSentenceAndCode5) {
  // A copy of the program without its runfiles.
  const std::string copy = JoinPath(dir_.path(), "export");
  std::filesystem::copy_file(kProgram, copy);
  EXPECT_EQ(Run({"/usr/bin/env", "-u", "RUNFILES_DIR", "-u", "TEST_SRCDIR",
                 "-C", dir_.path(), copy, "--store=" + store_, "--to=parquet",
                 "--out=" + file_}),
            5);
  EXPECT_THAT(err_, HasSubstr("error: DuckDB is needed: "));
  EXPECT_FALSE(FileExists(file_));
}

TEST_F(ExportTest, OtherFormatIsAUsageError) {
  EXPECT_EQ(Run({kProgram, "--store=" + store_, "--to=xls", "--out=" + file_}),
            2);
  EXPECT_THAT(err_, HasSubstr("`--to` is `xls`; the only format is `parquet`"));
}

}  // namespace
}  // namespace assay::reports
