#include "suites/harness/compiler/row_tuning.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/harness/compiler/testing/tuned_matmul.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RowTuningTest : public ::testing::Test {
 protected:
  // Writes a log with these records into the folder.
  void Write(const std::string& name,
             const std::vector<TuningRecord>& records) {
    absl::StatusOr<LogFile> log = LogFile::Open(JoinPath(dir_.path(), name));
    ASSERT_TRUE(log.ok()) << log.status();
    for (const TuningRecord& record : records) {
      ASSERT_TRUE(log->Append(record).ok());
    }
  }

  // Returns what the logs in the folder are applied as.
  absl::StatusOr<AppliedTuning> Apply() {
    options_ = {};
    const auto log = RowTuning::Read(dir_.path(), "logs");
    if (!log.ok()) return log.status();
    return log->Apply(*TunedMatMul(), place_, &options_);
  }

  const TempDir dir_ = TempDir::Create().value();
  const Place place_ = {
      driver::ResolveTarget("llvm -mcpu=native")->WithCores(2), "host",
      "x86_64-fake", 2};
  const TuningRecord record_ =
      RecordOfTunedMatMul(place_.target, place_.fingerprint);
  driver::CompileOptions options_;
};

TEST_F(RowTuningTest, AppliesTheRecordsOfTheDevice) {
  TuningRecord other = record_;
  other.device = "x86_64-other";
  Write("a.jsonl", {other});
  Write("b.jsonl", {record_});
  Write("c.txt", {record_});
  const auto applied = Apply();
  ASSERT_TRUE(applied.ok()) << applied.status();
  EXPECT_EQ(applied->remark,
            "`logs` (1 record) has another configuration for 1 of 1 kernels");
  ASSERT_EQ(options_.tuned.size(), 1u);
  EXPECT_EQ(options_.tuned.begin()->first, record_.task);
  EXPECT_EQ(options_.tuned.begin()->second.implementation, "matmul.blocked");
}

TEST_F(RowTuningTest, TheDigestIsThatOfTheRecordsOfTheDevice) {
  TuningRecord slower = record_;
  slower.config.SetKnob("mc", 2);
  slower.verdict->verdict = stats::Verdict::kRegressed;
  Write("a.jsonl", {record_, slower});
  const std::string digest = Apply()->digest;
  EXPECT_EQ(digest.size(), 16u);

  ASSERT_TRUE(WriteFileAtomic(JoinPath(dir_.path(), "a.jsonl"), "").ok());
  TuningRecord other = record_;
  other.threads = 1;
  Write("b.jsonl", {slower, other, record_});
  EXPECT_EQ(Apply()->digest, digest);

  TuningRecord more = record_;
  more.config.SetKnob("mc", 4);
  Write("c.jsonl", {more});
  EXPECT_NE(Apply()->digest, digest);
}

TEST_F(RowTuningTest, PointsThatANetworkDropsAreNotApplied) {
  Write("a.jsonl", {record_});
  const std::string digest = Apply()->digest;
  NetworkRecord network;
  network.target = record_.target;
  network.device = "x86_64-other";
  network.threads = record_.threads;
  network.dropped = {{record_.task, record_.template_digest,
                      record_.implementation, record_.config}};
  absl::StatusOr<LogFile> log = LogFile::Open(JoinPath(dir_.path(), "b.jsonl"));
  ASSERT_TRUE(log.ok() && log->Append(network).ok());
  EXPECT_EQ(Apply()->digest, digest);
  EXPECT_EQ(options_.tuned.size(), 1u);
  network.device = record_.device;
  ASSERT_TRUE(log->Append(network).ok());
  EXPECT_NE(Apply()->digest, digest);
  EXPECT_THAT(options_.tuned, IsEmpty());
}

TEST_F(RowTuningTest, RecordsThatDoNotCountAreARemark) {
  TuningRecord old = record_;
  old.template_digest = "0123456789abcdef";
  Write("a.jsonl", {old});
  ASSERT_TRUE(
      WriteFileAtomic(JoinPath(dir_.path(), "b.jsonl"), "no record\n").ok());
  const auto applied = Apply();
  ASSERT_TRUE(applied.ok()) << applied.status();
  EXPECT_THAT(applied->remark, HasSubstr("for 0 of 1 kernels; "));
  EXPECT_THAT(applied->remark, HasSubstr("1 record of older templates"));
  EXPECT_THAT(applied->remark, HasSubstr("1 line of the log `logs` is no rec"));
  EXPECT_THAT(options_.tuned, IsEmpty());
}

TEST_F(RowTuningTest, RecordsOfOtherPlacesDoNotCount) {
  const std::string message = absl::StrCat(
      "`logs` has no records of the device `host` (x86_64-fake) "
      "with 2 threads and the target `",
      place_.target.ToString(),
      "`; `./bazelw run //suites:tune -- --device=host "
      "--log=FILE` makes them");
  EXPECT_EQ(Apply().status(), absl::NotFoundError(message));  // no file
  TuningRecord device = record_, threads = record_, target = record_;
  device.device = "x86_64-other";
  threads.threads = 1;
  target.target = "llvm";
  Write("a.jsonl", {device, threads, target});
  EXPECT_EQ(Apply().status(), absl::NotFoundError(message));
  const auto log = RowTuning::Read(dir_.path(), "logs");
  EXPECT_EQ(log->Check(place_), absl::NotFoundError(message));
  Write("a.jsonl", {record_});
  EXPECT_TRUE(RowTuning::Read(dir_.path(), "logs")->Check(place_).ok());
}

TEST_F(RowTuningTest, AMissingLogIsAnError) {
  const std::string path = JoinPath(dir_.path(), "none.jsonl");
  EXPECT_THAT(std::string(RowTuning::Read(path, path).status().message()),
              HasSubstr(path));
}

}  // namespace
}  // namespace assay::suites
