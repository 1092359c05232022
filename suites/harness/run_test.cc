// Tests what a run measures, in which order, and what it writes to disk.
#include "suites/harness/run.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/baseline/baseline.h"
#include "reports/result/results_json.h"
#include "runtime/base/file.h"
#include "suites/correctness/accuracy.h"
#include "suites/harness/testing/suite_fixture.h"
#include "suites/references/parity.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using RunTest = SuiteFixture;

TEST_F(RunTest, ChecksAndMeasuresReference) {
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  script_.samples = {10};
  other_.samples = {15};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows[0].timing.samples_ns, std::vector<double>(8, 10e6));
  EXPECT_NEAR(result_.rows[0].comparison.speedup_vs_reference->value, 1.5,
              1e-9);
  // The reference runs once for its check, once for each of the other two
  // answers, and once on each of two examples before it is timed.
  EXPECT_EQ(std::count(other_.log.begin(), other_.log.end(), "evaluate"), 5);
  EXPECT_THAT(out_, HasSubstr("the interpreter and other 1.0 agree"));
  EXPECT_THAT(out_, HasSubstr("net on host, fusion on, 2 threads: speed "
                              "compared with other 1.0: 1.50 [1.50, 1.50] "
                              "(medians 10.000 and 15.000 ms; fastest 1.50 "
                              "[1.50, 1.50]; 12 loads)"));
  EXPECT_THAT(result_.rows[0].reproduce, HasSubstr("--reference=onnxruntime"));
  const auto& parity = result_.rows[0].comparison.parity;
  ASSERT_EQ(parity.size(), 2u);
  EXPECT_EQ(parity.at("ours").at("inputs"), "new every round");
  EXPECT_EQ(parity.at("other 1.0").at("affinity"), "pinned");

  other_.log.clear();
  other_.output = 2;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  EXPECT_TRUE(result_.rows[0].timing.samples_ns.empty());
  EXPECT_THAT(other_.log, ElementsAre("evaluate"));
  EXPECT_THAT(result_.rows[0].reason,
              HasSubstr("other 1.0 gives another answer"));
}

TEST_F(RunTest, DoesNotTimeReferenceUnderOtherConditions) {
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  other_affinity_ = Affinity::kFree;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows[0].timing.samples_ns.size(), 8u);
  EXPECT_FALSE(result_.rows[0].comparison.speedup_vs_reference.has_value());
  EXPECT_TRUE(result_.rows[0].comparison.parity.empty());
  EXPECT_THAT(out_, HasSubstr("not compared with onnxruntime: the conditions "
                              "differ: affinity of `other 1.0` is `free`, "
                              "but that of `ours` is `pinned`"));
}

TEST_F(RunTest, MarksRatioIfPrecisionDiffers) {
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("; 12 loads)\n"));
  EXPECT_THAT(out_, Not(HasSubstr("differ in precision")));
  other_splits_floats_ = true;
  EXPECT_EQ(Run(), 0);
  EXPECT_TRUE(result_.rows[0].comparison.speedup_vs_reference.has_value());
  EXPECT_THAT(out_, HasSubstr("; 12 loads)*\n"));
  EXPECT_THAT(out_, HasSubstr("\n* contenders differ in precision: "));
}

TEST_F(RunTest, ComparesWithBothModesOfAReferenceWithOtherValues) {
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  script_.samples = {10};
  other_.samples = {15};
  other_default_output_ = 1.5f;
  // Answers are those of the exact mode. Without products of 8-bit integers,
  // the modes are the same.
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("speed compared with other 1.0: 1.50"));
  has_inexact_products_ = true;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("speed compared with other 1.0 in its exact "
                              "mode: 1.50 [1.50, 1.50]"));
  EXPECT_THAT(out_, HasSubstr("speed compared with other 1.0 in its default "
                              "mode: 1.50 [1.50, 1.50]"));
  EXPECT_THAT(out_, HasSubstr("; it computes other values: output `y` differs "
                              "by up to 50 % of its largest element\n"));
  EXPECT_TRUE(result_.rows[0].comparison.speedup_vs_reference.has_value());
  other_default_output_ = 1;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("speed compared with other 1.0: 1.50"));
  EXPECT_THAT(out_, Not(HasSubstr("other values")));
}

TEST_F(RunTest, ReferenceThatRefusesAnInputIsNotCompared) {
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  other_.refuse = [](const runtime::NamedTensors&) {
    return absl::InternalError("invalid expand shape");
  };
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_THAT(out_, HasSubstr("net on host, fusion on, 2 threads: not compared "
                              "with onnxruntime: invalid expand shape"));
}

TEST_F(RunTest, ReferenceHasTheInputsOfTheRound) {
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  EXPECT_EQ(Run(), 0);
  // Two examples alternate over the rounds of each load.
  ASSERT_GE(other_.inputs.size(), 24u);
  const runtime::NamedTensors first = other_.inputs[0];
  const auto is_first = [&](const runtime::NamedTensors& inputs) {
    return SameBits(inputs, first);
  };
  const int64_t of_first =
      std::count_if(other_.inputs.begin(), other_.inputs.end(), is_first);
  EXPECT_GE(of_first, 12);
  EXPECT_LE(of_first, static_cast<int64_t>(other_.inputs.size()) - 12);
}

TEST_F(RunTest, PrintsConditionsOnce) {
  options_.comparison.reference = "onnxruntime";
  options_.matrix.fusion = {true, false};
  models_ = {"first", "second"};
  AddOtherRuntime();
  EXPECT_EQ(Run(), 0);
  const std::string title = "conditions of the comparison";
  const size_t at = out_.find(title);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(out_.find(title, at + 1), std::string::npos);
}

TEST_F(RunTest, SelectsCellsByName) {
  options_.matrix.fusion = {true, false};
  options_.matrix.cells = {"net/host/fusion_off/*"};
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 1u);
  EXPECT_FALSE(result_.rows[0].cell.variant.fusion);
  options_.matrix.cells = {"nothing*"};
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("`--cells` matches none of the 2 cells"));
}

TEST_F(RunTest, LoadsOnlyModelsWithSelectedCells) {
  models_ = {"broken", "net"};
  options_.matrix.cells = {"net/*"};
  EXPECT_NE(Run(), 0);  // the name of the broken model is in it
  names_are_known_ = true;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.size(), 1u);
}

TEST_F(RunTest, RunsWithoutUnavailableReference) {
  options_.comparison.reference = "onnxruntime";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows[0].timing.samples_ns.size(), 8u);
  EXPECT_FALSE(result_.rows[0].comparison.speedup_vs_reference.has_value());
  EXPECT_THAT(out_, HasSubstr("not compared with onnxruntime: it could not be "
                              "fetched"));
}

TEST_F(RunTest, MatrixIsDevicesByThreadsByFusion) {
  options_.matrix.devices = {"host", "board"};
  options_.matrix.fusion = {true, false};
  options_.matrix.threads = {1, 0};
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 8u);
  std::vector<std::string> cells;
  for (const reports::Row& row : result_.rows) {
    cells.push_back(row.cell.device +
                    (row.cell.variant.fusion ? " on " : " off ") +
                    std::to_string(row.cell.threads));
  }
  EXPECT_THAT(cells, ElementsAre("host on 1", "host off 1", "host on 8",
                                 "host off 8", "board on 1", "board off 1",
                                 "board on 8", "board off 8"));
  // Compiled once per device, fusion and number of threads, interpreted once
  // for each input.
  EXPECT_EQ(std::count(script_.log.begin(), script_.log.end(), "reference"), 3);
  EXPECT_EQ(
      std::count(script_.log.begin(), script_.log.end(), "compile board off"),
      2);
}

TEST_F(RunTest, AlternatesBetweenFusionOnAndOff) {
  options_.matrix.fusion = {true, false};
  script_.samples = {10};
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 2u);
  // Both are checked before either is timed, one sample at a time.
  EXPECT_THAT(
      std::vector<std::string>(script_.log.begin(), script_.log.begin() + 11),
      ElementsAre("compile host on", "reference", "reference", "reference",
                  "evaluate", "evaluate", "compile host off", "evaluate",
                  "evaluate", "measure 1", "measure 1"));
  // A late input follows the samples of each.
  EXPECT_EQ(script_.log.size(), 9u + 2 * (8 + 1));
  EXPECT_EQ(result_.rows[0].comparison.speedup_vs_unfused->value, 1);
  EXPECT_THAT(out_, HasSubstr("not distinguishable [1.00, 1.00]"));
  EXPECT_FALSE(result_.rows[1].comparison.speedup_vs_unfused.has_value());
}

TEST_F(RunTest, SeveralModelsAreMeasuredEvenIfOneCannotBe) {
  models_ = {"first", "broken", "second"};
  EXPECT_EQ(Run(), 2);
  ASSERT_EQ(result_.rows.size(), 2u);
  EXPECT_EQ(result_.rows[0].suite, "first");
  EXPECT_EQ(result_.rows[1].suite, "second");
  EXPECT_THAT(out_, HasSubstr("error: broken: no such op\n"));
  options_.comparison.bless = "as it should be";
  models_ = {"first", "second"};
  EXPECT_EQ(Run(), 0);
  for (const std::string& name : models_) {
    EXPECT_TRUE(FileExists(
        reports::BaselinePath(baselines_, name, environment_.fingerprint)));
  }
}

TEST_F(RunTest, PerOperatorTimesAreOfTheSession) {
  options_.timing.per_op = true;
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows[0].timing.operators.size(), 1u);
  EXPECT_NEAR(result_.rows[0].timing.operators[0].ms, 10, 0.02);
  EXPECT_EQ(result_.rows[0].timing.operators[0].flops, 500);
  EXPECT_NEAR(result_.rows[0].timing.operators_whole_ms.value(), 10, 0.02);
  EXPECT_THAT(out_, HasSubstr("1 kernel calls"));
  EXPECT_THAT(result_.rows[0].reproduce, HasSubstr(" --per_op"));
}

TEST_F(RunTest, ReportsTheSizeAndTheTimeOfLoading) {
  script_.build = std::string(12345, 'w');
  script_.load_nanos = 61'250'000;
  EXPECT_EQ(Run(), 0);
  const reports::BuildFacts& build = result_.rows.at(0).build;
  EXPECT_EQ(build.params_bytes, 12345);
  EXPECT_GT(build.artifact_bytes, build.params_bytes);
  EXPECT_EQ(result_.rows[0].timing.load_ms, 61.25);
  EXPECT_THAT(out_, ContainsRegex("size.MB.  load.ms."));
  EXPECT_THAT(out_, ContainsRegex(" 0.01     61.25 "));
}

TEST_F(RunTest, ReportsThePeakOfTheMemory) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.at(0).timing.peak_rss_bytes, std::nullopt);
  EXPECT_THAT(out_, Not(HasSubstr("peak(MB)")));
  script_.peak_bytes = 123'400'000;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.at(0).timing.peak_rss_bytes, 123'400'000);
  EXPECT_THAT(out_, ContainsRegex("peak.MB."));
  EXPECT_THAT(out_, HasSubstr("  123.40  "));
  // An emulator needs memory itself.
  options_.matrix.devices = {"board"};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.at(0).timing.peak_rss_bytes, std::nullopt);
}

TEST_F(RunTest, DevicesNeedNotTimeLoading) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.at(0).timing.load_ms, std::nullopt);
  EXPECT_GT(result_.rows[0].build.artifact_bytes, 0);
  // A device that fails is no such device.
  script_.load_nanos = absl::UnavailableError("the cable was cut");
  EXPECT_EQ(Run(), 5);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInfrastructure);
  EXPECT_THAT(result_.rows[0].reason, HasSubstr("the cable was cut"));
}

TEST_F(RunTest, RowsWithWrongOutputsHaveNoTimeOfLoading) {
  script_.load_nanos = 61'250'000;
  script_.output_after = 2;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(result_.rows.at(0).timing.load_ms, std::nullopt);
  EXPECT_GT(result_.rows[0].build.artifact_bytes, 0);
}

TEST_F(RunTest, WritesResultsAfterEveryRow) {
  options_.output.out = JoinPath(dir_.path(), "a/b");
  options_.matrix.fusion = {true, false};
  EXPECT_EQ(Run(), 0);
  const auto text = ReadFile(JoinPath(options_.output.out, "results.json"));
  ASSERT_TRUE(text.ok()) << text.status();
  const auto parsed = reports::ParseResultsJson(*text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(*parsed == result_);
  for (const char* name : {"results.csv", "results.xml", "summary.md"}) {
    EXPECT_TRUE(FileExists(JoinPath(options_.output.out, name))) << name;
  }

  // An error of the second device ends the run, but the rows of the first are
  // stored.
  options_.matrix.devices = {"host", "board"};
  script_.fail_on_board = true;
  EXPECT_EQ(Run(), 2);
  const auto partial = reports::ParseResultsJson(
      *ReadFile(JoinPath(options_.output.out, "results.json")));
  ASSERT_TRUE(partial.ok()) << partial.status();
  ASSERT_EQ(partial->rows.size(), 2u);
  EXPECT_EQ(partial->rows[0].cell.device, "host");
  EXPECT_FALSE(partial->rows[1].timing.samples_ns.empty());
}

TEST_F(RunTest, RowsSayWhatTheyAreMadeOf) {
  script_.code_digest = "digest";
  script_.setup_digest = "another digest";
  options_.timing.repeat = 12;
  EXPECT_EQ(Run(), 0);
  const reports::Row& row = result_.rows.at(0);
  // A setup call is not part of an inference.
  EXPECT_EQ(row.build.kernels, 1);
  EXPECT_EQ(row.build.flops, 500);
  ASSERT_EQ(row.build.code.size(), 2u);
  EXPECT_EQ(row.build.code[0].symbol, "k001_encode");
  EXPECT_EQ(row.build.code[0].digest, "another digest");
  EXPECT_EQ(row.build.code[1].symbol, "k000_conv_relu");
  EXPECT_THAT(row.build.code[1].sources, ElementsAre("conv1"));
  EXPECT_EQ(row.build.code[1].digest, "digest");
  EXPECT_EQ(row.build.runtime_digest, "runtime of host");
  EXPECT_THAT(row.timing.policy, StartsWith("method=1 warmup="));
  EXPECT_THAT(row.timing.policy, HasSubstr(" repeat=12 "));

  // The board of a farm has a runtime of its own.
  script_.boards = {"rpi3b-1"};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.at(0).build.runtime_digest, "");
}

TEST_F(RunTest, NamesReachNoFormatAsTheyAre) {
  const std::string plain = "net\\x1b[2J\\n\\xff|,";
  models_ = {"net\x1b[2J\n\xff|,"};
  script_.code_digest = "digest";
  options_.output.out = JoinPath(dir_.path(), "out");
  std::ostringstream terminal;
  terminal_ = &terminal;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows.at(0).cell.model, plain);
  EXPECT_THAT(terminal.str(), HasSubstr(plain));
  EXPECT_THAT(out_, HasSubstr(plain));
  for (const char* name :
       {"results.json", "results.csv", "results.xml", "summary.md"}) {
    const auto text = ReadFile(JoinPath(options_.output.out, name));
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_THAT(*text, HasSubstr("2J\\")) << name;
    EXPECT_EQ(text->find_first_of("\x1b\xff"), std::string::npos) << name;
    EXPECT_THAT(*text, Not(HasSubstr("2J\n"))) << name;
  }
  EXPECT_EQ(out_.find_first_of("\x1b\xff"), std::string::npos);
  EXPECT_EQ(terminal.str().find('\xff'), std::string::npos);
}

TEST_F(RunTest, SaysIfProcessorsMayNotBeUsed) {
  environment_.identity["processors"] = "2";
  environment_.state["usable_processors"] = "2";
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, Not(HasSubstr("processors of")));
  environment_.state["usable_processors"] = "1";
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("only 1 of the 2 processors of x86_64-fake"));
}

TEST_F(RunTest, MachineReadableFormatsHaveNoOtherOutput) {
  options_.output.format = reports::Format::kJson;
  options_.comparison.bless = "as it should be";
  options_.output.out = JoinPath(dir_.path(), "out");
  EXPECT_EQ(Run(), 0);
  const auto parsed = reports::ParseResultsJson(out_);
  ASSERT_TRUE(parsed.ok()) << parsed.status() << out_;
  EXPECT_TRUE(*parsed == result_);
}

TEST_F(RunTest, BlessingRequiresABaselineFolder) {
  options_.comparison.bless = "as it should be";
  baselines_ = "";
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("give `--baseline`"));
  options_.comparison.baseline = JoinPath(dir_.path(), "mine");
  EXPECT_EQ(Run(), 0);
  EXPECT_TRUE(FileExists(reports::BaselinePath(
      options_.comparison.baseline, "net", environment_.fingerprint)));
}

}  // namespace
}  // namespace assay::suites
