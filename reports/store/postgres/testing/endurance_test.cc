// Runs the programs of this folder that print figures, in small.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/process/subprocess.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;

// Returns the output of a program that succeeds.
std::string OutputOf(const std::string& program,
                     std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   "reports/store/postgres/testing/" + program);
  const auto result = runtime::RunProcess(arguments, {});
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return "";
  EXPECT_EQ(result->exit_code, 0) << result->out << result->err;
  return result->out;
}

TEST(EnduranceTest, KilledServerLosesNothing) {
  EXPECT_THAT(OutputOf("kill_server", {"--writers=5", "--kills=3"}),
              HasSubstr(" 0 lost, 0 twice"));
}

TEST(EnduranceTest, CutNetworkLosesNothing) {
  EXPECT_THAT(OutputOf("cut_network", {"--nights=4", "--cells=5"}),
              HasSubstr(" 0 lost, 0 twice"));
}

TEST(EnduranceTest, HistoriesAreWhole) {
  EXPECT_THAT(
      OutputOf("history_benchmark", {"--cells=20", "--nights=60",
                                     "--queries=20", "--target_ms=60000"}),
      HasSubstr("1200 rows: 20 cells, 60 nights"));
}

}  // namespace
}  // namespace assay::reports
