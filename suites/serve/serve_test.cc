// Runs the command with a small network, from the flags to the exit code.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class ServeTest : public ::testing::Test {
 protected:
  // Returns the exit code and sets out_ and err_.
  int Run(std::vector<std::string> flags) {
    std::vector<std::string> command = {"/usr/bin/env", "HOME=" + home_.path(),
                                        "suites/serve/serve",
                                        "--model=resnet_tiny"};
    command.insert(command.end(), flags.begin(), flags.end());
    const auto result = runtime::RunProcess(command, runtime::ProcessOptions());
    EXPECT_TRUE(result.ok()) << result.status();
    out_ = result->out;
    err_ = result->err;
    return result->exit_code;
  }

  const TempDir home_ = *TempDir::Create();
  std::string out_;
  std::string err_;
};

TEST_F(ServeTest, MeasuresEachScenario) {
  for (const char* scenario : {"single_stream", "multi_stream", "offline"}) {
    EXPECT_EQ(Run({std::string("--scenario=") + scenario, "--min_queries=20",
                   "--min_duration=0.01", "--check=50"}),
              0)
        << err_;
    EXPECT_THAT(out_, AllOf(HasSubstr("resnet_tiny  "), HasSubstr(scenario),
                            HasSubstr("MLPerf: not met: at least 600 s")));
  }
}

TEST_F(ServeTest, ServesARateWithTwoInstances) {
  // A bound of an hour is met by any rate.
  const int code = Run({"--scenario=server", "--rate=200", "--instances=2",
                        "--latency_bound_ms=3600000", "--min_queries=400",
                        "--min_duration=0.01", "--format=json"});
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["queries"], 400);
  EXPECT_GT(json["checked_runs"], 0);
  // Beside other programs, latencies depend on each other, and 400 of them may
  // be worth too few independent ones.
  const bool known = !json["latency"]["p99_ms_upper"].is_null();
  EXPECT_EQ(json["bound_verdict"], known ? "met" : "undecided");
  EXPECT_EQ(code, known ? 0 : 3) << err_;
}

TEST_F(ServeTest, BoundsDetermineTheExitCode) {
  const std::vector<std::string> quick = {"--min_queries=400",
                                          "--min_duration=0.01"};
  const auto with = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(), quick.begin(), quick.end());
    return flags;
  };
  EXPECT_EQ(Run(with({"--latency_bound_ms=0.001"})), 1);
  // A fast machine serves more than 400 queries in the least duration.
  EXPECT_THAT(out_, ContainsRegex("bound: missed: [0-9]+ of [0-9]+ queries "
                                  "took longer than 0.001 ms"));
  EXPECT_EQ(Run(with({"--scenario=server", "--latency_bound_ms=0.001"})), 1);
  EXPECT_THAT(err_, HasSubstr("no rate meets the bound of 0.001 ms: a batch "
                              "alone takes "));
  EXPECT_EQ(Run(with({"--scenario=server", "--latency_bound_ms=1",
                      "--rate=1000000"})),
            1);
  EXPECT_THAT(out_, HasSubstr("because the instances are overloaded: without a "
                              "pause, they serve "));
  // Too few queries for an upper bound of the percentile.
  EXPECT_EQ(Run({"--scenario=multi_stream", "--latency_bound_ms=3600000",
                 "--min_queries=10", "--min_duration=0.001"}),
            3);
}

TEST_F(ServeTest, UsageErrorsExitWith2) {
  EXPECT_EQ(Run({"--scenario=server"}), 2);
  EXPECT_THAT(err_, HasSubstr("--scenario=server needs --latency_bound_ms"));
  EXPECT_EQ(Run({"--rate=5"}), 2);
  EXPECT_EQ(Run({"--scenario=offline", "--latency_bound_ms=5"}), 2);
  EXPECT_EQ(Run({"--instances=0"}), 2);
  EXPECT_EQ(Run({"--dim=N=2"}), 2);
  EXPECT_EQ(Run({"--seed=-1"}), 2);
}

}  // namespace
}  // namespace assay::suites
