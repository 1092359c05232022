#include "suites/tune/log/tuning_record.h"

#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TuningRecord Product() {
  TuningRecord record;
  record.task = "0123456789abcdef";
  record.workload = "p0: float32[1,64] return p0";
  record.anchor = "dense float32[1,64]";
  record.flops = 1024;
  record.target = "llvm -mcpu=native -num-cores=2";
  record.device = "x86_64-amd-epyc-2c-1a2b3c4d";
  record.threads = 2;
  record.implementation = "matmul.blocked";
  record.config.SetSplit("tile", {-1, 8}).SetKnob("mc", 1);
  record.template_digest = "9c";
  record.samples_ns = {9250.5, 9261};
  record.max_error = 1e-6;
  record.seed = 7;
  record.time = "2026-11-24T12:00:00Z";
  return record;
}

TEST(TuningRecordTest, IsOneLineOfJson) {
  EXPECT_EQ(
      Product().ToJson(),
      R"({"v":1,"task":"0123456789abcdef",)"
      R"("workload":"p0: float32[1,64] return p0",)"
      R"("anchor":"dense float32[1,64]","flops":1024,)"
      R"("target":"llvm -mcpu=native -num-cores=2",)"
      R"("device":"x86_64-amd-epyc-2c-1a2b3c4d","threads":2,)"
      R"("implementation":"matmul.blocked",)"
      R"("config":[["tile","sp",[-1,8]],["mc","ot",1]],)"
      R"("template_digest":"9c","status":"ok","samples_ns":[9250.5,9261.0],)"
      R"("max_error":1e-06,"seed":7,"time":"2026-11-24T12:00:00Z"})");
}

TEST(TuningRecordTest, RelativeTimesAreThoseOfTheFastestSamples) {
  TuningRecord record = Product();
  EXPECT_EQ(RelativeTime(record), 1);
  record.samples_ns = {8, 3, 5};
  record.default_ns = {6, 9};
  EXPECT_EQ(RelativeTime(record), 0.5);
}

TEST(TuningRecordTest, RelativeTimesOfSeveralLoadsAreTheMedianOfTheRatios) {
  TuningRecord record = Product();
  record.samples_ns = {8, 3, 5};
  record.default_ns = {10, 9, 1};
  record.loads = 3;
  EXPECT_EQ(RelativeTime(record), 0.8);
  const auto read = TuningRecord::FromJson(record.ToJson());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->loads, 3);
  record.loads = 2;
  EXPECT_THAT(TuningRecord::FromJson(record.ToJson()).status().message(),
              HasSubstr("`record.loads` is not the number of samples"));
  record.loads = -3;
  EXPECT_FALSE(TuningRecord::FromJson(record.ToJson()).ok());
  record.loads = 3;
  record.default_ns[1] = 0;
  EXPECT_FALSE(TuningRecord::FromJson(record.ToJson()).ok());
}

TEST(TuningRecordTest, IsReadAsItWasWritten) {
  Rng rng(3);
  for (int i = 0; i < 500; ++i) {
    TuningRecord record = Product();
    record.status =
        static_cast<TrialStatus>(rng.UniformInt(0, kNumTrialStatuses - 1));
    record.samples_ns.clear();
    if (record.status == TrialStatus::kOk) {
      for (int64_t k = rng.UniformInt(1, 5); k > 0; --k) {
        record.samples_ns.push_back(1e3 * rng.UniformFloat(0.001f, 1e6f));
        record.default_ns.push_back(1e3 * rng.UniformFloat(0.001f, 1e6f));
      }
    } else {
      record.max_error.reset();
      for (int64_t k = rng.UniformInt(1, 9); k > 0; --k) {
        record.error.push_back(static_cast<char>(rng.UniformInt(1, 126)));
      }
    }
    if (rng.UniformInt(0, 1) == 0) record.board = "rack-1";
    if (rng.UniformInt(0, 1) == 0) record.code_digest = "0f";
    if (rng.UniformInt(0, 1) == 0) record.tuner = "random";
    if (rng.UniformInt(0, 1) == 0) {
      record.verdict =
          TuningVerdict{stats::Verdict::kImproved, 0.5, 0.25, 0.75};
    }
    record.seed = rng.UniformInt(0, 1 << 30);
    const std::string line = record.ToJson();
    EXPECT_THAT(line, Not(HasSubstr("\n")));
    const auto read = TuningRecord::FromJson(line);
    ASSERT_TRUE(read.ok()) << read.status() << line;
    EXPECT_EQ(read->ToJson(), line);
    EXPECT_EQ(read->status, record.status);
    EXPECT_EQ(read->samples_ns, record.samples_ns);
    EXPECT_EQ(read->default_ns, record.default_ns);
    EXPECT_EQ(read->config, record.config);
    EXPECT_EQ(read->error, record.error);
    EXPECT_EQ(read->board, record.board);
    EXPECT_EQ(read->code_digest, record.code_digest);
    EXPECT_EQ(read->tuner, record.tuner);
    EXPECT_EQ(read->verdict.has_value(), record.verdict.has_value());
  }
}

std::string Error(const std::string& from, const std::string& to) {
  const std::string line =
      absl::StrReplaceAll(Product().ToJson(), {{from, to}});
  EXPECT_NE(line, Product().ToJson()) << from;
  return std::string(TuningRecord::FromJson(line).status().message());
}

TEST(TuningRecordTest, ErrorsNameTheMember) {
  EXPECT_EQ(TuningRecord::FromJson("{\"v\":1,").status().message(),
            "the line is not JSON");
  EXPECT_THAT(Error("\"v\":1", "\"v\":2"), HasSubstr("version 2"));
  EXPECT_THAT(Error("\"task\"", "\"tusk\""), HasSubstr("record.task"));
  EXPECT_THAT(Error("\"threads\":2", "\"threads\":\"2\""),
              HasSubstr("record.threads"));
  EXPECT_THAT(Error("\"threads\":2", "\"threads\":0"),
              HasSubstr("record.threads"));
  EXPECT_THAT(Error("\"ok\"", "\"fine\""), HasSubstr("record.status"));
  EXPECT_THAT(Error("[9250.5,9261.0]", "[]"), HasSubstr("record.samples_ns"));
  EXPECT_THAT(Error("9250.5", "-1"), HasSubstr("record.samples_ns"));
  EXPECT_THAT(Error("\"sp\"", "\"xx\""), HasSubstr("record.config"));
  EXPECT_THAT(Error("[[\"tile\"", "[[7"), HasSubstr("record.config"));
}

TEST(TuningRecordTest, VerdictsHaveARatioWithAnInterval) {
  TuningRecord record = Product();
  record.verdict = TuningVerdict{stats::Verdict::kImproved, 0.5, 0.25, 0.75};
  const std::string line = record.ToJson();
  EXPECT_THAT(line, HasSubstr(R"("verdict":{"verdict":"improved",)"
                              R"("ratio":0.5,"interval":[0.25,0.75]})"));
  const auto read = TuningRecord::FromJson(line);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->verdict->verdict, stats::Verdict::kImproved);
  EXPECT_EQ(read->verdict->low, 0.25);
  EXPECT_EQ(read->verdict->high, 0.75);
  EXPECT_EQ(read->verdict->RatioText(), "0.50 [0.25, 0.75]");
  EXPECT_EQ((TuningVerdict{stats::Verdict::kInconclusive, 0.5, 1e-3, 1e3})
                .RatioText(),
            "0.50 [?]");
  for (const auto& [from, to] : {std::pair("\"improved\"", "\"better\""),
                                 std::pair("\"ratio\":0.5", "\"ratio\":\"x\""),
                                 std::pair("[0.25,0.75]", "[0.25]")}) {
    EXPECT_THAT(std::string(TuningRecord::FromJson(
                                absl::StrReplaceAll(line, {{from, to}}))
                                .status()
                                .message()),
                HasSubstr("verdict"));
  }
}

TEST(TuningRecordTest, UnknownMembersAreIgnored) {
  const auto record = TuningRecord::FromJson(absl::StrReplaceAll(
      Product().ToJson(), {{"\"seed\":7", "\"seed\":7,\"humidity\":[3]"}}));
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_THAT(record->samples_ns, ElementsAre(9250.5, 9261));
}

}  // namespace
}  // namespace assay::suites
