#include "suites/model_zoo/zoo_main.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "suites/model_zoo/testing/zoo_fixture.h"

namespace assay::suites {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// Runs the zoo with the models `good`, `odd`, `bad` and `gone`, a compiler that
// refuses `odd` and crashes for `bad`, and a program that finds `good` correct.
// There is no file of `gone`.
class ZooMainTest : public ZooFixture {
 protected:
  ZooMainTest() {
    AddModel("bad,11,,,export,crashes", "");
    AddModel("gone,22,,,package x,cannot be fetched", "",
             "x 1.0 could not be fetched: no route\n");
    AddModel("good,33,batch=1,sr=16000,export,is compiled", "");
    AddModel("odd,44,,,export,has an operator", "");
    WriteScript("assay/suites/model_zoo/compile_model",
                absl::StrCat("echo call >> ", Path("calls"),
                             "\ncase $* in\n"
                             "*/bad.onnx*) kill -SEGV $$ ;;\n"
                             "*/odd.onnx*) echo refused\n"
                             "echo 'error: no `Odd`' >&2; exit 2 ;;\n"
                             "esac\necho 250\n"));
    reports::RunResult result;
    result.rows.resize(1);
    result.rows[0].verdict = stats::Verdict::kNoBaseline;
    result.rows[0].timing.samples_ns = {2e6, 3e6, 4e6};
    result.rows[0].comparison.speedup_vs_reference =
        stats::Ratio{0.5, 0.25, 0.75};
    Write("results", reports::ResultsJson(result));
    WriteScript(
        "assay/suites/model",
        absl::StrCat("for a; do case $a in --out=*) folder=${a#*=};; esac; "
                     "done\ncp ",
                     Path("results"), " \"$folder/results.json\"\n"));
  }

  // Runs ZooMain() and returns its standard output.
  std::string Run(const std::vector<std::string>& arguments,
                  ExitCode want) const {
    return RunMain(ZooMain, arguments, want);
  }

  // How many models were compiled.
  size_t Calls() const {
    return ReadFile(Path("calls")).value_or("").size() / 5;
  }
};

TEST_F(ZooMainTest, EveryModelIsALineOfTheTable) {
  const std::string out = Run({}, ExitCode::kInfrastructure);
  EXPECT_THAT(out, ContainsRegex("good  correct  0.50 .0.25, 0.75. +3.000 +"
                                 "0.25 +[0-9]+\n"));
  EXPECT_THAT(out, ContainsRegex("odd   refused  .*no `Odd`\n"));
  EXPECT_THAT(out, ContainsRegex("bad   crashed  .*died of signal 11"));
  EXPECT_THAT(out, ContainsRegex("gone  missing  .*could not be fetched: no "
                                 "route\n"));
  EXPECT_THAT(out, AllOf(HasSubstr("4 models: 1 correct, 1 refused, 1 crashed, "
                                   "1 missing\n"),
                         HasSubstr("geometric mean of 1: 0.500\n"),
                         HasSubstr("1 below 0.95: good 0.50 [0.25, 0.75]\n")));
}

TEST_F(ZooMainTest, RefusedModelIsNoFailure) {
  EXPECT_THAT(Run({"--models=good|odd"}, ExitCode::kPass),
              HasSubstr("2 models: 1 correct, 1 refused\n"));
  (void)Run({"--models=good|odd", "--at_least=2"}, ExitCode::kRegression);
  (void)Run({"--models=odd"}, ExitCode::kInconclusive);
}

TEST_F(ZooMainTest, ResumeDoesNotRepeatModels) {
  const std::string csv = "--csv=" + Path("zoo.csv");
  (void)Run({"--models=good|odd", csv}, ExitCode::kPass);
  EXPECT_EQ(Calls(), 2u);
  const std::string out = Run({csv, "--resume"}, ExitCode::kInfrastructure);
  EXPECT_EQ(Calls(), 3u);
  EXPECT_THAT(out, HasSubstr("4 models: 1 correct, 1 refused, 1 crashed"));
  // A missing model is tried again; other flags or programs are another case.
  Write("assay/suites/model_zoo/models/gone.note", "");
  (void)Run({csv, "--resume"}, ExitCode::kInfrastructure);
  EXPECT_EQ(Calls(), 4u);
  (void)Run({csv, "--resume", "--models=good", "--threads=1"}, ExitCode::kPass);
  EXPECT_EQ(Calls(), 5u);
  WriteScript("assay/suites/model", "exit 5\n");
  (void)Run({csv, "--resume", "--models=good"}, ExitCode::kInfrastructure);
  EXPECT_EQ(Calls(), 6u);
  // Without --resume the file starts empty.
  (void)Run({csv, "--models=odd"}, ExitCode::kInconclusive);
  EXPECT_THAT(
      ReadFile(Path("zoo.csv")).value(),
      AllOf(HasSubstr("\nodd,44,,,0,onnxruntime,"), Not(HasSubstr("good"))));
}

TEST_F(ZooMainTest, NoteOfSeveralLinesIsOneLineOfTheFile) {
  Write("assay/suites/model_zoo/models/gone.note", "no route\nto the host\n");
  const std::string csv = "--csv=" + Path("zoo.csv");
  EXPECT_THAT(Run({"--models=gone", csv}, ExitCode::kInfrastructure),
              HasSubstr("no route to the host\n"));
  (void)Run({"--models=gone", csv, "--resume"}, ExitCode::kInfrastructure);
}

TEST_F(ZooMainTest, ResumeNeedsAFile) {
  (void)Run({"--resume"}, ExitCode::kUsage);
  EXPECT_EQ(Calls(), 0u);
}

TEST_F(ZooMainTest, ListHasOriginsAndFlags) {
  const std::string out = Run({"--list"}, ExitCode::kPass);
  EXPECT_THAT(out, HasSubstr("good  is compiled (export) --dim=batch=1 "
                             "--input_value=sr=16000\n"));
  EXPECT_THAT(out, HasSubstr("gone  cannot be fetched (package x)\n"));
  EXPECT_THAT(out, HasSubstr("4 models\n"));
  EXPECT_EQ(Calls(), 0u);
}

TEST_F(ZooMainTest, UnknownModelIsAUsageError) {
  (void)Run({"--models=none"}, ExitCode::kUsage);
  EXPECT_EQ(Calls(), 0u);
}

}  // namespace
}  // namespace assay::suites
