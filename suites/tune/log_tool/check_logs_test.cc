#include "suites/tune/log_tool/check_logs.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/tune/log_tool/testing/sample_records.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Log LogOf(std::vector<TuningRecord> records) {
  Log log;
  log.path = "a.jsonl";
  log.records = std::move(records);
  for (size_t i = 0; i < log.records.size(); ++i) {
    log.lines.push_back(static_cast<int64_t>(i) + 1);
  }
  return log;
}

// The problem with the comparison that `change` changes.
std::string Problem(const std::function<void(TuningRecord*)>& change) {
  TuningRecord record = Comparison(2, stats::Verdict::kImproved, 0.5, 0.6);
  change(&record);
  const LogCheck check = CheckLogs({LogOf({record})});
  return check.problems.empty() ? "" : check.problems[0];
}

TEST(CheckLogsTest, GoodRecordsHaveNoProblems) {
  TuningRecord failed = Trial(1, {});
  failed.status = TrialStatus::kRunError;
  failed.error = "the kernel crashed";
  const LogCheck check =
      CheckLogs({LogOf({DefaultTrial({100}), Trial(1, {90}), failed,
                        Comparison(1, stats::Verdict::kImproved, 0.8, 0.9),
                        ElementwiseTrial({10})})});
  EXPECT_THAT(check.problems, IsEmpty());
  EXPECT_EQ(CheckText(check),
            "5 records, 0 problems, 0 records of older templates, 0 "
            "duplicates\n");
}

TEST(CheckLogsTest, ProblemsHaveFileAndLine) {
  Log first = LogOf({DefaultTrial({100}), Trial(1, {90})});
  first.lines = {1, 4};
  first.records[1].task = "0123456789abcdef";
  first.damaged = {{3, "the line is not JSON"}, {5, "version 2"}};
  Log second = LogOf({DefaultTrial({100})});
  second.path = "b.jsonl";
  const LogCheck check = CheckLogs({first, second});
  EXPECT_THAT(
      check.problems,
      ElementsAre("a.jsonl:3: the line is not JSON",
                  HasSubstr("a.jsonl:4: the task is `0123456789abcdef`"),
                  "a.jsonl:5: version 2"));
  EXPECT_EQ(check.duplicates, 1);
  EXPECT_THAT(CheckText(check), HasSubstr("\n3 records, 3 problems"));
}

TEST(CheckLogsTest, PartsOfARecordMustFit) {
  EXPECT_EQ(Problem([](TuningRecord*) {}), "");
  EXPECT_THAT(Problem([](TuningRecord* r) { r->device = ""; }),
              HasSubstr("names no device"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->template_digest = "XY"; }),
              HasSubstr("`XY` is no template digest"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->target = "llvm -mcpu=z"; }),
              HasSubstr("cannot be compiled"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->workload = "p0: x"; }),
              HasSubstr("cannot be compiled"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->anchor = "dense()"; }),
              HasSubstr("the anchor is `dense()`, but"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->implementation = "x.y"; }),
              HasSubstr("`x.y`"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->config.SetKnob("mr", 7777); }),
              HasSubstr("the point is in no search space: "));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->verdict->ratio = 0.9; }),
              HasSubstr("the ratio 0.9 is not in its interval [0.5, 0.6]"));
  EXPECT_THAT(Problem([](TuningRecord* r) { r->status = TrialStatus::kWrong; }),
              HasSubstr("has samples, although its status is `wrong`"));
  TuningRecord point = ElementwiseTrial({1});
  point.implementation = "matmul.blocked";
  EXPECT_THAT(CheckLogs({LogOf({point})}).problems,
              ElementsAre(HasSubstr("has no implementations")));
}

TEST(CheckLogsTest, RecordsOfNetworksAreChecked) {
  NetworkRecord network;
  network.device = kSampleDevice;
  Log log = LogOf({DefaultTrial({100})});
  log.networks = {network, network, network};
  log.network_lines = {2, 3, 4};
  log.networks[0].device = "";
  log.networks[1].verdict.low = 1.5;
  const LogCheck check = CheckLogs({log});
  EXPECT_EQ(check.records, 4);
  EXPECT_THAT(
      check.problems,
      ElementsAre("a.jsonl:2: the record names no device",
                  "a.jsonl:3: the ratio 1 is not in its interval [1.5, 1]"));
}

TEST(CheckLogsTest, OlderTemplatesAreCounted) {
  TuningRecord old = Trial(1, {90});
  old.template_digest = "0123456789abcdef";
  old.config.SetKnob("mr", 7777);  // a point of those days
  const LogCheck check = CheckLogs({LogOf({old, old})});
  EXPECT_THAT(check.problems, IsEmpty());
  EXPECT_EQ(check.older_templates, 2);
}

}  // namespace
}  // namespace assay::suites
