#include "suites/machine/environment.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(EnvironmentTest, ComparableStateHasAFixedOrder) {
  runtime::DeviceFacts facts;
  facts.state = {{"kernel", "6.1.0-18-amd64"}, {"microcode", "0x1000065"},
                 {"governor", "schedutil"},    {"smt", "1"},
                 {"usable_processors", "2"},   {"load", "0.42"}};
  EXPECT_EQ(ComparableState(EnvironmentOf(facts)),
            "kernel=6.1.0-18-amd64 microcode=0x1000065 governor=schedutil "
            "boost=unknown smt=1 usable_processors=2");
  facts.state["kernel"] = "6.12.1";
  EXPECT_TRUE(absl::StartsWith(ComparableState(EnvironmentOf(facts)),
                               "kernel=6.12.1 "));
}

TEST(EnvironmentTest, RemarksThatProcessorsAreMissing) {
  reports::Environment environment;
  environment.fingerprint = "x86_64-cpu-2c";
  EXPECT_EQ(ProcessorRemark(environment), "");
  environment.identity["processors"] = "2";
  environment.state["usable_processors"] = "2";
  EXPECT_EQ(ProcessorRemark(environment), "");
  environment.state["usable_processors"] = "1";
  EXPECT_TRUE(absl::StartsWith(
      ProcessorRemark(environment),
      "only 1 of the 2 processors of x86_64-cpu-2c may be used"));
}

TEST(EnvironmentTest, DescribesStateChanges) {
  EXPECT_EQ(StateChanges("a=1 b=2 c=3=4", "a=1 b=5 c=3=4 d=6"),
            "b: 5, was 2; d: 6, was unknown");
  EXPECT_EQ(StateChanges("a=1", "a=1"), "");
}

}  // namespace
}  // namespace assay::suites
