#include "suites/model_zoo/measure.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "reports/result/run_result.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Runs models with two shell scripts in place of the programs.
class MeasureTest : public testing::Test {
 protected:
  MeasureTest() : dir_(TempDir::Create().value()) {
    options_.compile_program = Path("compile");
    options_.check_program = Path("check");
    options_.threads = 2;
    options_.reference = "onnxruntime";
    options_.timeout_s = 60;
    model_.name = "net";
    model_.sha256 = "abc";
    model_.dims = {"N=1", "M=2"};
    Program("compile", "echo 1500.5");
    Program("check", "exit 5");
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  // Writes a program that records its arguments and runs `script`.
  void Program(const std::string& name, const std::string& script) const {
    const std::string text = absl::StrCat("#!/bin/sh\necho \"$*\" > ",
                                          Path(name), ".args\n", script, "\n");
    ASSERT_TRUE(WriteFileAtomic(Path(name), text).ok());
    ASSERT_EQ(chmod(Path(name).c_str(), 0755), 0);
  }

  // Makes the check program write `row`, print `out`, and exit with `code`.
  void CheckWrites(const reports::Row& row, const std::string& out,
                   int code) const {
    reports::RunResult result;
    result.rows.push_back(row);
    ASSERT_TRUE(
        WriteFileAtomic(Path("results"), reports::ResultsJson(result)).ok());
    ASSERT_TRUE(WriteFileAtomic(Path("out"), out).ok());
    Program("check",
            absl::StrCat("for a; do case $a in --out=*) folder=${a#*=};; esac; "
                         "done\ncp ",
                         Path("results"), " \"$folder/results.json\"\ncat ",
                         Path("out"), "\nexit ", code));
  }

  ZooOutcome Measure() const {
    return MeasureModel(model_, "/models/net.onnx", options_);
  }

  const TempDir dir_;
  MeasureOptions options_;
  ZooModel model_;
};

reports::Row CorrectRow() {
  reports::Row row;
  row.suite = "model";
  row.cell.model = "net";
  row.verdict = stats::Verdict::kNoBaseline;
  row.timing.samples_ns = {2e6, 3e6, 4e6};
  row.comparison.speedup_vs_reference = stats::Ratio{1.5, 1.25, 1.75};
  return row;
}

TEST_F(MeasureTest, CorrectModelHasAllNumbers) {
  CheckWrites(CorrectRow(), "net: the interpreter and onnxruntime agree\n", 0);
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kCorrect) << outcome.sentence;
  EXPECT_EQ(outcome.model, "net");
  EXPECT_EQ(outcome.sha256, "abc");
  EXPECT_EQ(outcome.dims, "N=1 M=2");
  EXPECT_EQ(outcome.threads, 2);
  EXPECT_EQ(outcome.reference, "onnxruntime");
  EXPECT_EQ(outcome.compile_ms, 1500.5);
  EXPECT_GT(outcome.peak_bytes.value_or(0), 0);
  EXPECT_EQ(outcome.median_ms, 3);
  ASSERT_TRUE(outcome.ratio.has_value());
  EXPECT_EQ(outcome.ratio->value, 1.5);
  EXPECT_EQ(outcome.sentence, "");
}

TEST_F(MeasureTest, BothProgramsGetTheModelAndItsDimensions) {
  options_.max_memory = "8G";
  CheckWrites(CorrectRow(), "", 0);
  (void)Measure();
  const std::string common =
      "--model=/models/net.onnx --dim=N=1 --dim=M=2 --threads=2 "
      "--max_memory=8G";
  EXPECT_EQ(ReadFile(Path("compile.args")).value(), common + "\n");
  const std::string check = ReadFile(Path("check.args")).value();
  EXPECT_THAT(check, StartsWith(common + " --fusion=on --out="));
  EXPECT_THAT(check, HasSubstr(" --reference=onnxruntime"));
}

TEST_F(MeasureTest, CheckGetsInputValues) {
  model_.input_values = {"sr=16000", "n=2"};
  CheckWrites(CorrectRow(), "", 0);
  EXPECT_EQ(Measure().input_values, "sr=16000 n=2");
  EXPECT_THAT(ReadFile(Path("compile.args")).value(),
              Not(HasSubstr("input_value")));
  EXPECT_THAT(ReadFile(Path("check.args")).value(),
              HasSubstr(" --input_value=sr=16000 --input_value=n=2 "));
}

// A regression from a stored baseline is not a matter of the zoo.
TEST_F(MeasureTest, VerdictOnTheTimeDoesNotMatter) {
  reports::Row row = CorrectRow();
  row.verdict = stats::Verdict::kRegressed;
  row.reason = "slower than the baseline";
  CheckWrites(row, "", 1);
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kCorrect);
  EXPECT_EQ(outcome.sentence, "");
}

TEST_F(MeasureTest, RemarkSaysWhyThereIsNoRatio) {
  reports::Row row = CorrectRow();
  row.comparison.speedup_vs_reference.reset();
  row.comparison.no_reference = "it is slow";
  row.correctness.no_second_opinion = "it is absent";
  CheckWrites(row, "", 0);
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kCorrect);
  EXPECT_FALSE(outcome.ratio.has_value());
  EXPECT_EQ(outcome.sentence,
            "answers not compared: it is absent; times not compared: it is "
            "slow");
}

TEST_F(MeasureTest, RemarkSaysThatPrecisionDiffers) {
  reports::Row row = CorrectRow();
  row.comparison.parity = {{"ours", {{"reduced precision", "bf16x3"}}},
                           {"onnxruntime", {{"reduced precision", "no"}}}};
  CheckWrites(row, "", 0);
  const ZooOutcome outcome = Measure();
  EXPECT_TRUE(outcome.ratio.has_value());
  EXPECT_EQ(outcome.sentence, "reduced precision differs: bf16x3 and no");
}

TEST_F(MeasureTest, WrongAnswerHasNoTimes) {
  reports::Row row = CorrectRow();
  row.verdict = stats::Verdict::kWrongOutput;
  row.reason = "output `y` is wrong";
  row.timing.samples_ns.clear();
  row.comparison.speedup_vs_reference.reset();
  CheckWrites(row, "", 4);
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kWrong);
  EXPECT_EQ(outcome.sentence, "output `y` is wrong");
  EXPECT_FALSE(outcome.median_ms.has_value());
  EXPECT_TRUE(outcome.compile_ms.has_value());
}

TEST_F(MeasureTest, RefusedModelHasTheSentence) {
  Program("compile",
          "echo refused; echo 'a remark' >&2; "
          "echo 'error: `Foo` is not supported' >&2; exit 2");
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kRefused);
  EXPECT_EQ(outcome.sentence, "`Foo` is not supported");
  EXPECT_FALSE(outcome.compile_ms.has_value());
  // Nothing was checked.
  EXPECT_FALSE(FileExists(Path("check.args")));
}

TEST_F(MeasureTest, WrongFlagOfTheCompilerIsNoRefusal) {
  Program("compile", "echo 'error: `--dim` is `x`' >&2; exit 2");
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_EQ(outcome.sentence, "compiling exited with 2: `--dim` is `x`");
}

TEST_F(MeasureTest, CheckCannotRefuseAModelThatCompiles) {
  Program("check", "echo refused; echo 'error: no runfiles' >&2; exit 2");
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_EQ(outcome.sentence, "measuring exited with 2: no runfiles");
  EXPECT_TRUE(outcome.compile_ms.has_value());
}

TEST_F(MeasureTest, CrashIsAnOutcome) {
  Program("compile", "echo 'almost done' >&2; kill -SEGV $$");
  ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kCrashed);
  EXPECT_EQ(outcome.sentence,
            "compiling died of signal 11; it wrote: almost done");
  Program("compile", "echo 1");
  Program("check", "kill -ABRT $$");
  outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kCrashed);
  EXPECT_EQ(outcome.sentence, "measuring died of signal 6; it wrote: nothing");
}

TEST_F(MeasureTest, FailedCheckIsACrash) {
  const std::string check =
      "echo 'a.cc:7: check failed: x' >&2; echo '  for target `t`' >&2; "
      "exit 5";
  Program("compile", check);
  ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kCrashed);
  EXPECT_EQ(outcome.sentence,
            "compiling failed a check: a.cc:7: check failed: x; for target "
            "`t`");
  Program("compile", "echo 1");
  Program("check", check);
  EXPECT_EQ(Measure().result, ZooResult::kCrashed);
}

TEST_F(MeasureTest, ProgramThatNeverEndsIsLate) {
  options_.timeout_s = 0.3;
  Program("compile", "sleep 100");
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kLate);
  EXPECT_THAT(outcome.sentence, HasSubstr("did not finish in time (0.3 s)"));
}

TEST_F(MeasureTest, OtherEndsAreFailures) {
  ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_EQ(outcome.sentence, "measuring exited with 5: nothing");
  Program("check", "exit 0");
  outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_THAT(outcome.sentence, StartsWith("measuring left no result: "));
  Program("compile", "echo soon");
  outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_EQ(outcome.sentence, "compiling printed no time: `soon`");
  options_.compile_program = Path("absent");
  EXPECT_EQ(Measure().result, ZooResult::kFailed);
}

TEST_F(MeasureTest, FailureOfTheDeviceHasItsReason) {
  reports::Row row = CorrectRow();
  row.verdict = stats::Verdict::kInfrastructure;
  row.reason = "the device is gone";
  row.timing.samples_ns.clear();
  CheckWrites(row, "", 5);
  const ZooOutcome outcome = Measure();
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_EQ(outcome.sentence, "the device is gone");
}

TEST(MissingModelTest, HasTheReason) {
  ZooModel model;
  model.name = "net";
  const ZooOutcome outcome =
      MissingModel(model, MeasureOptions(), "no network");
  EXPECT_EQ(outcome.result, ZooResult::kMissing);
  EXPECT_EQ(outcome.sentence, "no network");
}

}  // namespace
}  // namespace assay::suites
