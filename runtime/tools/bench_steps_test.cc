#include "runtime/tools/bench_steps.h"

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/in_process.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

// Returns the line with the number of threads, and the answers to these
// requests.
std::vector<std::string> ServeSession(Session& session, int programs,
                                      const std::string& requests) {
  std::istringstream in(requests);
  std::ostringstream out;
  ServeSteps(session, programs, in, out, {/*version=*/1});
  std::vector<std::string> lines = absl::StrSplit(out.str(), '\n');
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  return lines;
}

class BenchStepsTest : public testing::Test {
 protected:
  BenchStepsTest()
      : dir_(TempDir::Create().value()),
        inputs_(SeededInputs(TestArtifact(), 1)) {
    const Artifact artifact = TestArtifact();
    session_ = *InProcessRunner().Load({&artifact}, {/*threads=*/2});
    EXPECT_TRUE(session_->SetInputs(inputs_).ok());
  }

  // Returns the lines of output of a session with one program. `@` is replaced
  // by the test's folder.
  std::vector<std::string> Serve(std::string text) {
    for (size_t at; (at = text.find('@')) != std::string::npos;) {
      text.replace(at, 1, dir_.path());
    }
    return ServeSession(*session_, /*programs=*/1, text);
  }
  // Expects that the file has the outputs for these inputs.
  void ExpectOutputs(const std::string& name, const NamedTensors& inputs) {
    const auto outputs = ReadTensors(JoinPath(dir_.path(), name));
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    const float x = inputs[0].value.data<float>()[9];
    const float z = inputs[1].value.data<float>()[9];
    EXPECT_EQ((*outputs)[0].value.data<float>()[9], 2 * (x + 9.0f) + z);
  }

  TempDir dir_;
  const NamedTensors inputs_;
  std::unique_ptr<Session> session_;
};

// Inputs of a client are not preceded by others.
TEST_F(BenchStepsTest, SetsDefaultInputsWhenTheyAreNeeded) {
  ASSERT_TRUE(WriteTensors(JoinPath(dir_.path(), "in"), inputs_).ok());
  const auto count = [&](const std::string& requests) {
    int calls = 0;
    std::istringstream in(requests);
    std::ostringstream out;
    StepsOptions options;
    options.set_default_inputs = [&] {
      ++calls;
      return absl::OkStatus();
    };
    ServeSteps(*session_, /*programs=*/1, in, out, options);
    EXPECT_THAT(out.str(), Not(HasSubstr("fail")));
    return calls;
  };
  const std::string inputs = "inputs " + JoinPath(dir_.path(), "in") + "\n";
  const std::string block = "block {\"samples\":[[0,1,0,0]]}\n";
  EXPECT_EQ(count("loaded\nblock {\"samples\":[]}\n"), 0);
  EXPECT_EQ(count(block + block), 1);
  EXPECT_EQ(count(inputs + block), 0);
}

TEST_F(BenchStepsTest, TheFirstLineIsTheVersion) {
  for (const int version : {2, 3}) {
    std::istringstream in("loaded\n");
    std::ostringstream out;
    ServeSteps(*session_, /*programs=*/1, in, out, {version});
    EXPECT_THAT(out.str(), MatchesRegex("protocol 2\nready 2\nok [0-9]+\n"));
  }
  EXPECT_THAT(Serve(""), ElementsAre("ready 2"));  // for version 1
}

TEST_F(BenchStepsTest, AnswersEveryLine) {
  const NamedTensors other = SeededInputs(TestArtifact(), 2);
  ASSERT_TRUE(WriteTensors(dir_.path() + "/in", other).ok());
  const auto lines = Serve(
      "inputs @/in\n"
      R"(block {"samples":[[0,1,0,0]],"read_outputs":true,)"
      R"("outputs_folder":"@"})"
      "\nloaded\n");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "ready 2");
  EXPECT_EQ(lines[1], "ok");
  EXPECT_THAT(lines[2], MatchesRegex("sample [0-9]+ 1"));
  EXPECT_EQ(lines[3], "ok");
  EXPECT_THAT(lines[4], MatchesRegex("ok [0-9]+"));
  ExpectOutputs("outputs-0", other);
}

TEST_F(BenchStepsTest, AnswersFailedRequestsWithAnError) {
  NamedTensors unknown = inputs_;
  unknown.push_back({"q", unknown[0].value});
  ASSERT_TRUE(WriteTensors(dir_.path() + "/unknown", unknown).ok());
  const auto lines = Serve(
      "dance\nrun 1\nloaded 1\n\ninputs @/nothing\ninputs @/unknown\n"
      "replace @/unknown\nloaded\n");
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[1], "fail INVALID_ARGUMENT `dance` is no step");
  EXPECT_EQ(lines[3], "fail INVALID_ARGUMENT `loaded 1` is no step");
  EXPECT_THAT(lines[5], HasSubstr("nothing"));
  EXPECT_THAT(lines[6], StartsWith("fail NOT_FOUND "));
  for (int i = 1; i < 8; ++i) EXPECT_THAT(lines[i], StartsWith("fail ")) << i;
  EXPECT_THAT(lines[8], MatchesRegex("ok [0-9]+"));
}

TEST_F(BenchStepsTest, TakesBlocks) {
  const auto lines = Serve(
      R"(block {"samples":[]})"
      "\n"
      R"(block {"samples":[[0,2,1,0],[0,1,0,0]],"time_calls":true,)"
      R"("read_outputs":true,"outputs_folder":"@","checked_run_seed":"5"})"
      "\n"
      R"(block {"samples":[[0,1,0,0]],"flush_cache_bytes":65536})"
      "\n");
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[1], "ok");
  EXPECT_THAT(lines[2], MatchesRegex("sample [0-9]+ 2"));
  EXPECT_THAT(lines[3], MatchesRegex("sample [0-9]+ 1 [0-9]+ [0-9]+ [0-9]+"));
  EXPECT_EQ(lines[4], "ok");
  EXPECT_THAT(lines[5], MatchesRegex("sample [0-9]+ 1"));
  EXPECT_EQ(lines[6], "ok");
  ExpectOutputs("outputs-0", inputs_);
  ExpectOutputs("outputs-1", inputs_);
  EXPECT_FALSE(FileExists(dir_.path() + "/outputs-2"));
}

TEST_F(BenchStepsTest, FailedBlocksHaveNoSamples) {
  const auto lines = Serve(
      "block\n"
      "block []\n"
      R"(block {"samples":[],"dance":1})"
      "\n"
      R"(block {"samples":[[1,1,0,0]]})"
      "\n"
      R"(block {"samples":[[0,1,0,0]],)"
      R"("read_outputs":true,"outputs_folder":"@/nothing"})"
      "\n");
  ASSERT_EQ(lines.size(), 6u);
  constexpr char kNoObject[] =
      "fail INVALID_ARGUMENT block: the text is not a JSON object";
  EXPECT_EQ(lines[1], kNoObject);
  EXPECT_EQ(lines[2], kNoObject);
  EXPECT_EQ(lines[3],
            "fail INVALID_ARGUMENT block: `dance` is not a field of a block");
  EXPECT_EQ(lines[4],
            "fail INVALID_ARGUMENT block: `samples[0].program` is not a whole "
            "number from 0 to 0");
  EXPECT_THAT(lines[5], StartsWith("fail "));
  EXPECT_THAT(lines[5], HasSubstr("/nothing"));
}

TEST(BenchStepsProgramsTest, BlocksKeepOrderWarmUpAndPauses) {
  FakeClock clock;
  FakeSession session(&clock);
  std::vector<std::pair<int, int64_t>> runs;
  session.run = [&runs](int program, int64_t number) {
    runs.emplace_back(program, number);
    return number * 1000;
  };
  const auto lines =
      ServeSession(session, /*programs=*/2,
                   R"(block {"samples":[[1,6,2,0],[0,4,0,0],[0,4,0,0]],)"
                   R"("min_sample_nanos":6000,"cooldown_nanos":500})"
                   "\n");
  // The second sample is taken again, with more runs.
  EXPECT_THAT(runs, ElementsAre(Pair(1, 2), Pair(1, 6), Pair(0, 4), Pair(0, 7),
                                Pair(0, 7)));
  EXPECT_THAT(lines, ElementsAre("ready 1", "sample 6000 6", "sample 7000 7",
                                 "sample 7000 7", "ok"));
  EXPECT_EQ(clock.NowNanos(), 26 * 1000 + 3 * 500);
}

TEST(BenchStepsProgramsTest, TimesCallsOfEachProgram) {
  FakeClock clock;
  FakeSession session(&clock);
  session.calls = [](int program) {
    return std::vector<int64_t>(static_cast<size_t>(program) + 1, 7);
  };
  EXPECT_THAT(ServeSession(session, /*programs=*/2,
                           R"(block {"samples":[[0,1,0,0],[1,1,0,0]],)"
                           R"("time_calls":true})"
                           "\n"),
              ElementsAre("ready 1", "sample 7 1 7", "sample 14 1 7 7", "ok"));
}

TEST(BenchStepsProgramsTest, TheTimeOfLoadingIncludesReading) {
  FakeClock clock;
  FakeSession session(&clock);
  session.load_nanos = 700;
  std::istringstream in("loaded\n");
  std::ostringstream out;
  StepsOptions options;
  options.read_nanos = 50;
  ServeSteps(session, /*programs=*/1, in, out, options);
  EXPECT_EQ(out.str(), "protocol 2\nready 1\nok 750\n");
  session.load_nanos.reset();
  EXPECT_THAT(ServeSession(session, /*programs=*/1, "loaded\n"),
              ElementsAre("ready 1",
                          "fail UNIMPLEMENTED the session has not "
                          "timed its loading"));
}

TEST(BenchStepsProgramsTest, ErrorsOfTheSessionKeepTheirCode) {
  FakeClock clock;
  FakeSession session(&clock);
  session.run = [](int, int64_t) { return int64_t{0}; };
  const auto lines = ServeSession(session, /*programs=*/1,
                                  R"(block {"samples":[[0,1,0,0]]})"
                                  "\n"
                                  R"(block {"samples":[[0,1,0,0]],)"
                                  R"("flush_cache_bytes":5})"
                                  "\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1], StartsWith("fail FAILED_PRECONDITION "));
  EXPECT_THAT(lines[1], HasSubstr("there is nothing to measure"));
  EXPECT_EQ(lines[2], "fail UNIMPLEMENTED this session does not flush caches");
}

}  // namespace
}  // namespace assay::runtime
