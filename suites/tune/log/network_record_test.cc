#include "suites/tune/log/network_record.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

NetworkRecord Slower() {
  NetworkRecord record;
  record.network = "resnet18";
  record.model = "5d41";
  record.target = "llvm -num-cores=2";
  record.device = "x86_64-amd-epyc-2c-1a2b3c4d";
  record.threads = 2;
  record.untuned = "9c1f";
  record.tuned = "07ab";
  record.untuned_ns = 9850000;
  record.tuned_ns = 10440000.5;
  record.verdict = {stats::Verdict::kRegressed, 1.0625, 1.05, 1.07};
  record.dropped = {{"4f0e", "9c", "matmul.blocked", {}}};
  record.dropped[0].config.SetKnob("mc", 1);
  record.time = "2026-11-24T12:00:00Z";
  return record;
}

TEST(NetworkRecordTest, IsOneLineOfJson) {
  EXPECT_EQ(Slower().ToJson(),
            R"({"v":1,"kind":"network","network":"resnet18","model":"5d41",)"
            R"("target":"llvm -num-cores=2",)"
            R"("device":"x86_64-amd-epyc-2c-1a2b3c4d","threads":2,)"
            R"("untuned":"9c1f","tuned":"07ab","untuned_ns":9850000.0,)"
            R"("tuned_ns":10440000.5,"verdict":{"verdict":"regressed",)"
            R"("ratio":1.0625,"interval":[1.05,1.07]},)"
            R"("dropped":[{"task":"4f0e","template_digest":"9c",)"
            R"("implementation":"matmul.blocked","config":[["mc","ot",1]]}],)"
            R"("time":"2026-11-24T12:00:00Z"})");
}

TEST(NetworkRecordTest, IsReadAsItWasWritten) {
  NetworkRecord record = Slower();
  for (const char* board : {"", "rack-1"}) {
    record.board = board;
    const auto read = NetworkRecord::FromJson(record.ToJson());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->ToJson(), record.ToJson());
    ASSERT_THAT(read->dropped, SizeIs(1));
    EXPECT_EQ(read->dropped[0].config, record.dropped[0].config);
  }
  record.dropped.clear();
  EXPECT_THAT(NetworkRecord::FromJson(record.ToJson())->dropped, SizeIs(0));
}

TEST(NetworkRecordTest, TheSummaryIsASentence) {
  NetworkRecord record = Slower();
  EXPECT_EQ(record.Summary(),
            "resnet18, 2 threads: 1.06 [1.05, 1.07] of the untuned time, "
            "regressed");
  record.threads = 1;
  EXPECT_THAT(record.Summary(), HasSubstr("resnet18, 1 thread: "));
}

TEST(NetworkRecordTest, OtherLinesAreNotFound) {
  for (const std::string& line :
       {TuningRecord().ToJson(), std::string("{"), std::string("[1]"),
        std::string(R"({"v":1,"kind":"weather"})")}) {
    EXPECT_TRUE(absl::IsNotFound(NetworkRecord::FromJson(line).status()))
        << line;
  }
}

TEST(NetworkRecordTest, ErrorsNameTheMember) {
  const auto error = [](const std::string& from, const std::string& to) {
    const std::string line =
        absl::StrReplaceAll(Slower().ToJson(), {{from, to}});
    EXPECT_NE(line, Slower().ToJson()) << from;
    return std::string(NetworkRecord::FromJson(line).status().message());
  };
  EXPECT_THAT(error("\"v\":1", "\"v\":2"), HasSubstr("record.v"));
  EXPECT_THAT(error("\"model\"", "\"module\""), HasSubstr("record.model"));
  EXPECT_THAT(error("\"threads\":2", "\"threads\":0"),
              HasSubstr("record.threads"));
  EXPECT_THAT(error("\"verdict\":{", "\"judgement\":{"),
              HasSubstr("record.verdict"));
  EXPECT_THAT(error("\"dropped\":[", "\"kept\":["),
              HasSubstr("record.dropped"));
  EXPECT_THAT(error("\"task\"", "\"tusk\""), HasSubstr("record.dropped.task"));
  EXPECT_THAT(error("\"ot\"", "\"xx\""), HasSubstr("record.dropped.config"));
}

}  // namespace
}  // namespace assay::suites
