#include "tests/fuzz/mutate_main.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "suites/model_zoo/testing/zoo_fixture.h"

namespace assay::fuzz {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Runs MutateMain() with shell scripts in place of the programs, and a zoo with
// the models `good` and `gone`.
class MutateMainTest : public suites::ZooFixture {
 protected:
  MutateMainTest() {
    Write("net.onnx", "net");
    AddModel("gone,11,,,package x,cannot be fetched", "net", "no route\n");
    AddModel("good,22,N=1 M=2,,export,a network", "net");
    Program("model", "echo 'error: refused' >&2; exit 2");
    Program("model_zoo/compile_model", "exit 0");
  }

  // Writes a program that accepts `net.onnx` and runs `script` for all other
  // files.
  void Program(const std::string& name, const std::string& script) const {
    WriteScript(
        absl::StrCat("assay/suites/", name),
        absl::StrCat("echo \"$*\" >> ", Path("calls"),
                     "\nfor a; do case $a in --model=*) file=${a#*=};; esac; "
                     "done\nif cmp -s \"$file\" ",
                     Path("net.onnx"), "; then exit 0; fi\n", script, "\n"));
  }

  // Returns the standard output of MutateMain().
  std::string Mutate(const std::vector<std::string>& arguments,
                     ExitCode want) const {
    return RunMain(MutateMain, arguments, want);
  }

  std::string Model() const { return "--model=" + Path("net.onnx"); }

  std::string Calls() const { return ReadFile(Path("calls")).value_or(""); }
};

TEST_F(MutateMainTest, CountsExitCodes) {
  EXPECT_THAT(Mutate({Model(), "--mutations=9", "--jobs=3"}, ExitCode::kPass),
              AllOf(ContainsRegex("net +9 +0 +9 +0 +0 +0\n"),
                    ContainsRegex("all +9 +0 +9 +0 +0 +0\n")));
  EXPECT_THAT(
      Mutate({Model(), "--mutations=4", "--program=compile"}, ExitCode::kPass),
      ContainsRegex("net +4 +4 +0 +0 +0 +0\n"));
}

TEST_F(MutateMainTest, KeepsFilesWithWhichTheProgramFails) {
  Program("model", "echo 'check failed' >&2; kill -ABRT $$");
  const std::string out = Mutate({Model(), "--mutations=2", "--seed=6",
                                  "--jobs=1", "--keep=" + Path("keep")},
                                 ExitCode::kWrongResult);
  EXPECT_THAT(out, ContainsRegex("net, seed 6, .*: died of signal 6; it wrote: "
                                 "check failed\n"));
  EXPECT_THAT(out, HasSubstr("net, seed 7, "));
  EXPECT_THAT(out, ContainsRegex("net +2 +0 +0 +0 +0 +2\n"));
  EXPECT_NE(ReadFile(Path("keep/net_6.onnx")).value(), "net");
  EXPECT_THAT(ReadFile(Path("keep/net_6.txt")).value(),
              AllOf(StartsWith("net, seed 6, "),
                    HasSubstr("--model=" + Path("keep/net_6.onnx")),
                    HasSubstr("standard error:\ncheck failed\n")));
  EXPECT_TRUE(FileExists(Path("keep/net_7.onnx")));
}

TEST_F(MutateMainTest, FindsOtherFailures) {
  for (const char* script : {"exit 1", "exit 2", "exit 5"}) {
    Program("model", script);
    EXPECT_THAT(Mutate({Model(), "--mutations=1"}, ExitCode::kWrongResult),
                ContainsRegex("net +1 +0 +0 +0 +0 +1\n"))
        << script;
  }
  Program("model", "sleep 100");
  EXPECT_THAT(Mutate({Model(), "--mutations=1", "--timeout_s=2"},
                     ExitCode::kWrongResult),
              HasSubstr("did not finish in time (2 s)"));
}

TEST_F(MutateMainTest, RunsOneShortSample) {
  (void)Mutate({Model() + ",N=1,M=2", "--mutations=1", "--max_memory=2G"},
               ExitCode::kPass);
  EXPECT_THAT(Calls(), AllOf(HasSubstr("/net.onnx --dim=N=1 --dim=M=2 "
                                       "--threads=1 --max_memory=2G "
                                       "--fusion=on"),
                             HasSubstr(" --repeat=1 ")));
  (void)Mutate({Model(), "--mutations=1", "--program=compile"},
               ExitCode::kPass);
  EXPECT_THAT(Calls(), HasSubstr("--threads=1 --max_memory=1G\n"));
}

TEST_F(MutateMainTest, TakesModelsOfTheZoo) {
  std::string out =
      Mutate({"--zoo=none", "--zoo=good", "--mutations=3"}, ExitCode::kPass);
  EXPECT_THAT(out, ContainsRegex("good +3 +0 +3 +0 +0 +0\n"));
  EXPECT_THAT(Calls(), HasSubstr("/good.onnx --dim=N=1 --dim=M=2 "));
  out = Mutate({"--zoo=gone,good", "--mutations=1"}, ExitCode::kInfrastructure);
  EXPECT_THAT(out, HasSubstr("gone is missing: no route\n"));
  EXPECT_THAT(out, ContainsRegex("good +1 +0 +1 +0 +0 +0\n"));
}

TEST_F(MutateMainTest, ProgramMustAcceptTheFileAsItIs) {
  Write("odd/odd.onnx", "odd");
  EXPECT_THAT(Mutate({"--model=" + Path("odd/odd.onnx")}, ExitCode::kUsage),
              Not(HasSubstr("mutations")));
}

TEST_F(MutateMainTest, WrongFlagsAreUsageErrors) {
  Write("again/net.onnx", "net");
  (void)Mutate({}, ExitCode::kUsage);
  (void)Mutate({"--model=" + Path("none.onnx")}, ExitCode::kUsage);
  (void)Mutate({Model(), "--model=" + Path("again/net.onnx")},
               ExitCode::kUsage);
  (void)Mutate({"--zoo=none"}, ExitCode::kUsage);
  (void)Mutate({Model(), "--program=other"}, ExitCode::kUsage);
  (void)Mutate({Model(), "--max_memory=much"}, ExitCode::kUsage);
  (void)Mutate({Model(), "--address_space=much"}, ExitCode::kUsage);
  EXPECT_EQ(Calls(), "");
}

}  // namespace
}  // namespace assay::fuzz
