#include "runtime/tools/bench_steps.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/in_process.h"

namespace assay::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class BenchStepsTest : public testing::Test {
 protected:
  BenchStepsTest() : dir_(TempDir::Create().value()) {
    const Artifact artifact = TestArtifact();
    session_ = *InProcessRunner().Load({&artifact}, {/*threads=*/2});
    EXPECT_TRUE(session_->SetInputs(SeededInputs(artifact, 1)).ok());
  }

  // Returns the lines of output. `@` is replaced by the test's folder.
  std::vector<std::string> Serve(std::string text) {
    for (size_t at; (at = text.find('@')) != std::string::npos;) {
      text.replace(at, 1, dir_.path());
    }
    std::istringstream in(text);
    std::ostringstream out;
    ServeSteps(*session_, in, out);
    std::vector<std::string> lines = absl::StrSplit(out.str(), '\n');
    EXPECT_EQ(lines.back(), "");
    lines.pop_back();
    return lines;
  }

  TempDir dir_;
  std::unique_ptr<Session> session_;
};

TEST_F(BenchStepsTest, AnswersEveryLine) {
  const NamedTensors other = SeededInputs(TestArtifact(), 2);
  ASSERT_TRUE(WriteTensors(dir_.path() + "/in", other).ok());
  const auto lines = Serve("run 3\ncalls\ninputs @/in\nrun 1\noutputs @/out\n");
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0], "ready 2");
  EXPECT_THAT(lines[1], MatchesRegex("ok [0-9]+"));
  EXPECT_THAT(lines[2], MatchesRegex("ok [0-9]+ [0-9]+ [0-9]+"));
  EXPECT_EQ(lines[3], "ok");
  EXPECT_EQ(lines[5], "ok");
  const auto outputs = ReadTensors(dir_.path() + "/out");
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  const float x = other[0].value.data<float>()[9];
  const float z = other[1].value.data<float>()[9];
  EXPECT_EQ((*outputs)[0].value.data<float>()[9], 2 * (x + 9.0f) + z);
}

TEST_F(BenchStepsTest, AnswersFailedRequestsWithAnError) {
  const auto lines =
      Serve("run 0\nrun x\nrun\ndance\ninputs @/nothing\n\noutputs @\nrun 2\n");
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[1], "error `0` is no number of runs");
  EXPECT_THAT(lines[4], HasSubstr("error `dance` is no step"));
  EXPECT_THAT(lines[5], HasSubstr("nothing"));
  for (int i = 1; i < 8; ++i) EXPECT_EQ(lines[i].rfind("error ", 0), 0u) << i;
  EXPECT_THAT(lines[8], MatchesRegex("ok [0-9]+"));
}

}  // namespace
}  // namespace assay::runtime
