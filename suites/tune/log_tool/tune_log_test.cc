// End-to-end tests of //suites:tune_log.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log_tool/testing/sample_records.h"

namespace assay::suites {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class TuneLogTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  // Returns the path of a log with the records.
  std::string Write(const std::string& name,
                    const std::vector<TuningRecord>& records) const {
    std::string text;
    for (const TuningRecord& record : records) {
      absl::StrAppend(&text, record.ToJson(), "\n");
    }
    EXPECT_TRUE(WriteFileAtomic(Path(name), text).ok());
    return Path(name);
  }

  // Returns the exit code and sets out_ and err_.
  int Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "suites/tune/programs/tune_log");
    const auto result =
        runtime::RunProcess(arguments, runtime::ProcessOptions());
    EXPECT_TRUE(result.ok()) << result.status();
    out_ = result->out;
    err_ = result->err;
    return result->exit_code;
  }

  const TempDir dir_ = TempDir::Create().value();
  const std::string log_ =
      Write("a", {DefaultTrial({9000}), Trial(1, {100}), Trial(2, {5000}),
                  Comparison(2, stats::Verdict::kImproved, 0.5, 0.6)});
  std::string out_, err_;
};

TEST_F(TuneLogTest, BestShowsAndWritesTheRecordsOfTheCompiler) {
  EXPECT_EQ(Run({"best", log_, "--out", Path("best")}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("matmul 64x64 64x64 +relu"),
                          HasSubstr("improved")));
  EXPECT_THAT(err_, StartsWith("2 records written to"));
  const auto best = ReadLog(Path("best"));
  ASSERT_TRUE(best.ok()) << best.status();
  EXPECT_THAT(best->records, SizeIs(2));
  EXPECT_EQ(Run({"best", log_, "--format=json"}), 0);
  EXPECT_THAT(out_, StartsWith("[\n"));
  EXPECT_EQ(Run({"best", log_, "--device=rpi"}), 0);
  EXPECT_EQ(out_, "4 records were left out by --device or --threads\n");
  EXPECT_EQ(Run({"best", log_, "--threads=1"}), 0);
  EXPECT_EQ(out_, "4 records were left out by --device or --threads\n");
}

TEST_F(TuneLogTest, BestKeepsComparisonsOfNetworks) {
  const TuningRecord accepted = ReadLog(log_)->records[3];
  NetworkRecord network;
  network.network = "net";
  network.target = accepted.target;
  network.device = accepted.device;
  network.threads = accepted.threads;
  network.dropped = {{accepted.task, accepted.template_digest,
                      accepted.implementation, accepted.config}};
  ASSERT_TRUE(LogFile::Open(log_)->Append(network).ok());
  EXPECT_EQ(Run({"best", log_, "--out", Path("best")}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("net, 2 threads: "));
  EXPECT_THAT(ReadLog(Path("best"))->records, SizeIs(1));
  EXPECT_THAT(ReadLog(Path("best"))->networks, SizeIs(1));
  EXPECT_EQ(Run({"check", log_}), 0) << out_;
  EXPECT_EQ(Run({"page", log_, "--out", Path("page.html")}), 0) << err_;
}

TEST_F(TuneLogTest, StatCountsTrials) {
  EXPECT_EQ(Run({"stat", log_, log_}), 0) << err_;
  EXPECT_THAT(out_,
              HasSubstr("8 records (4 duplicates): 3 trials, 0 finals and 1 "
                        "comparisons of 1 tasks on 1 device"));
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(TuneLogTest, MergeWritesOneLog) {
  const std::string other = Write("b", {Trial(2, {5000}), Trial(3, {1})});
  ASSERT_TRUE(
      WriteFileAtomic(other, *ReadFile(other) + "{\"v\":1,\"task").ok());
  EXPECT_EQ(Run({"merge", log_, other, "--out=" + Path("all")}), 0) << err_;
  EXPECT_THAT(out_, StartsWith("5 lines written to"));
  EXPECT_EQ(err_, absl::StrCat("warning: ", other,
                               ":3 is not JSON and is left out\n"));
  EXPECT_THAT(ReadLog(Path("all"))->records, SizeIs(5));
  EXPECT_THAT(ReadLog(Path("all"))->damaged, IsEmpty());
  // A log can be replaced by the merged one, and is not if that fails.
  EXPECT_EQ(Run({"merge", log_, other, "--out=" + log_}), 0) << err_;
  EXPECT_THAT(ReadLog(log_)->records, SizeIs(5));
  EXPECT_EQ(Run({"merge", log_, Path("missing"), "--out=" + log_}), 2);
  EXPECT_THAT(ReadLog(log_)->records, SizeIs(5));
}

TEST_F(TuneLogTest, CheckFindsDamage) {
  EXPECT_EQ(Run({"check", log_}), 0) << out_;
  EXPECT_THAT(out_, StartsWith("4 records, 0 problems"));
  ASSERT_TRUE(WriteFileAtomic(log_, *ReadFile(log_) + "{\"v\":2}\n").ok());
  EXPECT_EQ(Run({"check", log_}), 2);
  EXPECT_THAT(out_,
              StartsWith(absl::StrCat(log_, ":5: the record has version 2")));
  EXPECT_EQ(Run({"best", log_}), 0);
  EXPECT_THAT(err_, HasSubstr("1 of the lines of"));
}

TEST_F(TuneLogTest, UsageErrors) {
  EXPECT_EQ(Run({}), 2);
  EXPECT_EQ(Run({"best"}), 2);
  EXPECT_THAT(err_, HasSubstr("LOG"));
  EXPECT_EQ(Run({"worst", log_}), 2);
  EXPECT_EQ(Run({"merge", log_}), 2);
  EXPECT_THAT(err_, HasSubstr("--out"));
  EXPECT_EQ(Run({"best", log_, "--format=csv"}), 2);
  EXPECT_THAT(err_, StartsWith("error: `--format` is `csv`"));
  EXPECT_EQ(Run({"stat", Path("missing")}), 2);
  EXPECT_THAT(err_, HasSubstr(Path("missing")));
  EXPECT_EQ(Run({"--help"}), 0);
  EXPECT_THAT(out_, HasSubstr("Exit codes"));
  EXPECT_EQ(Run({"merge", "--help"}), 0);
  EXPECT_THAT(out_, HasSubstr("Lines that occur twice"));
}

}  // namespace
}  // namespace assay::suites
