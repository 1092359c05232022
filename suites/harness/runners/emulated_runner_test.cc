#include "suites/harness/runners/emulated_runner.h"

#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Stands for emulator and program: takes the flags of bench_artifact, gives
// the inputs back as outputs, reports BODY, and counts its runs.
constexpr char kBench[] = R"sh(
for a in "$@"; do
  case $a in
    --artifact=*) dir=$(dirname "${a#*=}") ;;
    --inputs=*) inputs=${a#*=} ;;
    --outputs=*) outputs=${a#*=} ;;
    --json=*) json=${a#*=} ;;
  esac
done
echo "$@" >> LOG
cp "$inputs" "$outputs"
BODY
)sh";

class EmulatedRunnerTest : public ::testing::Test {
 protected:
  EmulatedRunnerTest() : dir_(TempDir::Create().value()) {
    log_ = JoinPath(dir_.path(), "log");
    inputs_ = {{"x", NDArray::FromVector<float>({2}, {1, 2})}};
    artifact_.metadata["model"] = "net";
    timing_.set_number(1);
    timing_.set_repeat(1);
  }

  // A session whose program runs `body` at its end.
  std::unique_ptr<Session> Load(const std::string& body, int threads = 4,
                                double timeout_s = 20) {
    const std::string script = JoinPath(dir_.path(), "bench.sh");
    EXPECT_TRUE(
        WriteFileAtomic(script, absl::StrReplaceAll(
                                    kBench, {{"BODY", body}, {"LOG", log_}}))
            .ok());
    EmulatedRunner runner({"/bin/sh", script}, timeout_s);
    auto session = runner.Load(artifact_, inputs_, threads);
    EXPECT_TRUE(session.ok()) << session.status();
    return std::move(*session);
  }

  std::string Report(const std::string& samples) const {
    return absl::StrCat(
        "echo '{\"artifact\": {\"digest\": \"", runtime::Digest(artifact_),
        "\"}, \"threads\": 2, \"samples_ms\": ", samples, "}' > \"$json\"");
  }

  std::string Error(const std::string& body, double timeout_s = 20) {
    return std::string(Load(body, 4, timeout_s)->Evaluate().status().message());
  }

  TempDir dir_;
  std::string log_;
  runtime::NamedTensors inputs_;
  runtime::Artifact artifact_;
  devices::TimingPolicy timing_;
};

TEST_F(EmulatedRunnerTest, HandsEverythingOverAndBack) {
  const std::unique_ptr<Session> session = Load(Report("[1.5]"), 0);
  const auto outputs = session->Evaluate();
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_TRUE(BitwiseEqual((*outputs)[0].value, inputs_[0].value));
  EXPECT_EQ(session->threads(), 2);

  timing_.set_warmup(1);
  timing_.set_repeat(3);
  const auto measured = session->Measure(timing_);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_THAT(measured->samples_ms, ElementsAre(1.5));
  const std::string log = *ReadFile(log_);
  EXPECT_THAT(log, HasSubstr("--threads=0 --warmup=0 --number=1 --repeat=1"));
  EXPECT_THAT(log, HasSubstr("--threads=2 --warmup=1 --number=1 --repeat=3"));
}

TEST_F(EmulatedRunnerTest, OneSampleTakesOneRun) {
  const std::unique_ptr<Session> session = Load(Report("[1.5]"));
  ASSERT_TRUE(session->Evaluate().ok());
  const auto measured = session->Measure(timing_);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_THAT(measured->samples_ms, ElementsAre(1.5));
  const std::string log = *ReadFile(log_);
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
}

TEST_F(EmulatedRunnerTest, FailuresSayWhatTheProgramWrote) {
  EXPECT_EQ(Error("echo no memory >&2; exit 5"),
            "`/bin/sh` exited with 5; it wrote: no memory");
  EXPECT_THAT(Error("kill -11 $$"), HasSubstr("died of signal 11"));
  EXPECT_THAT(Error("sleep 60", 0.5), HasSubstr("did not finish in time"));
}

TEST_F(EmulatedRunnerTest, ReportsAreNotBelieved) {
  EXPECT_THAT(Error(":"), HasSubstr("report.json"));
  EXPECT_THAT(Error("echo '{' > \"$json\""), HasSubstr("is not JSON"));
  EXPECT_THAT(Error("echo '{\"artifact\": {}}' > \"$json\""),
              HasSubstr("another artifact"));
  EXPECT_THAT(Error(Report("[0]")), HasSubstr("not a positive number"));
  EXPECT_THAT(Error(Report("7")), HasSubstr("has no `samples_ms`"));
  EXPECT_THAT(Error(Report("[1]") + "; echo x > \"$outputs\""),
              HasSubstr("outputs"));
}

}  // namespace
}  // namespace assay::suites
