#include "reports/history/change.h"

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

// Two nights of one cell.
class ChangeTest : public ::testing::Test {
 protected:
  Row& before() { return before_.rows[0]; }
  Row& after() { return after_.rows[0]; }
  Change Compare() const {
    return ChangeOfCell({before_, before_.rows[0]}, {after_, after_.rows[0]});
  }
  std::string CausesOf() const { return CausesText(Compare().causes); }

  RunResult before_ = SampleResult();
  RunResult after_ = SampleResult();
};

TEST_F(ChangeTest, EqualNightsMeasuredTheSame) {
  after_.environment.state["load1"] = "17";  // differs in every run
  after().timing.samples_ns = {5e6};
  const Change change = Compare();
  EXPECT_TRUE(change.causes.none());
  EXPECT_TRUE(change.causes.same_program());
  EXPECT_EQ(CausesText(change.causes), "none");
  EXPECT_EQ(change.program, "");
  EXPECT_EQ(change.machine, "");
}

TEST_F(ChangeTest, AnotherDigestOfAKernelIsCode) {
  after().build.artifact_digest = "new";
  after().build.code[1].digest = "c0de03";
  const Change change = Compare();
  EXPECT_EQ(CausesText(change.causes), "code");
  EXPECT_EQ(change.program, "code of 1 of 2 kernels: k002_dense");
  EXPECT_FALSE(change.causes.same_program());
}

TEST_F(ChangeTest, FewerKernelsAreCode) {
  after().build.artifact_digest = "new";
  after().build.code.pop_back();
  EXPECT_EQ(CausesOf(), "code");
  EXPECT_EQ(Compare().program, "code of 0 of 1 kernels");
}

TEST_F(ChangeTest, AnotherArtifactOfTheSameKernelsIsLayout) {
  after().build.artifact_digest = "new";
  after().build.code[0].symbol = "renamed";
  EXPECT_EQ(CausesOf(), "layout");
  std::swap(after().build.code[0], after().build.code[1]);
  EXPECT_EQ(CausesOf(), "layout");
  EXPECT_EQ(Compare().program, "another artifact of the same kernels");
}

TEST_F(ChangeTest, AnotherArtifactOfUnknownKernelsIsCode) {
  after().build.artifact_digest = "new";
  before().build.code[0].digest.clear();
  EXPECT_EQ(CausesOf(), "code");
  before().build.code.clear();
  EXPECT_EQ(CausesOf(), "code");
}

TEST_F(ChangeTest, AnotherModelIsCode) {
  after().build.artifact_digest = "new";
  after().build.model_digest = "bbbb";
  EXPECT_EQ(CausesOf(), "code");
}

TEST_F(ChangeTest, RuntimeAndTimingPolicyAreMethod) {
  after().build.runtime_digest = "0123456789abcdef";
  EXPECT_EQ(CausesOf(), "method");
  EXPECT_EQ(Compare().program, "runtime 0123456789ab, before 99aa");
  after().build.runtime_digest = "99aa";
  after().timing.policy = "method=2";
  EXPECT_EQ(CausesOf(), "method");
  EXPECT_TRUE(Compare().causes.same_program());
}

TEST_F(ChangeTest, WhatANightDidNotRecordIsNoDifference) {
  before().build.runtime_digest.clear();
  after().timing.policy.clear();
  EXPECT_EQ(CausesOf(), "none");
}

TEST_F(ChangeTest, EnvironmentIsMachine) {
  after_.environment.state["governor"] = "powersave";
  const Change change = Compare();
  EXPECT_EQ(CausesText(change.causes), "machine");
  EXPECT_EQ(change.machine, "governor: powersave, before performance");
  EXPECT_FALSE(change.other_machine);
  EXPECT_TRUE(change.causes.same_program());
}

TEST_F(ChangeTest, AnotherBoardIsAnotherMachine) {
  after().board = "rpi3b-2";
  const Change change = Compare();
  EXPECT_EQ(CausesText(change.causes), "machine");
  EXPECT_TRUE(change.other_machine);
  EXPECT_EQ(change.machine,
            "fingerprint: x86_64-some-cpu-2c-0123abcd rpi3b-2, before "
            "x86_64-some-cpu-2c-0123abcd");
}

TEST_F(ChangeTest, NamesSeveralCauses) {
  after().build.artifact_digest = "new";
  after().build.code[0].digest = "c0de09";
  after().build.runtime_digest = "88";
  after_.environment.state["governor"] = "powersave";
  EXPECT_EQ(CausesOf(), "code and method and machine");
}

TEST_F(ChangeTest, CodeOfOtherKernelsIsLayoutOfAKernel) {
  const Measured old = {before_, before()};
  const Measured now = {after_, after()};
  const auto causes = [&](const char* a, const char* b) {
    return CausesText(ChangeOfKernel(old, a, now, b).causes);
  };
  EXPECT_EQ(causes("c0de01", "c0de01"), "none");
  after().build.artifact_digest = "new";
  EXPECT_EQ(causes("c0de01", "c0de01"), "layout");
  EXPECT_EQ(causes("c0de01", "c0de02"), "code");
  EXPECT_EQ(causes("", ""), "code");
}

TEST_F(ChangeTest, OurProgramIsNotPartOfTheReference) {
  const Measured old = {before_, before()};
  const Measured now = {after_, after()};
  after().build.artifact_digest = "new";
  after().build.runtime_digest = "88";
  EXPECT_TRUE(ChangeOfReference(old, now).causes.none());
  before().comparison.parity["other"]["version"] = "1.0";
  after().comparison.parity["other"]["version"] = "1.1";
  EXPECT_EQ(CausesText(ChangeOfReference(old, now).causes), "method");
}

}  // namespace
}  // namespace assay::reports
