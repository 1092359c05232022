#include "tests/fuzz/mutation_tally.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace assay::fuzz {
namespace {

std::string Problem(int exit_code, const std::string& out,
                    const std::string& err, int signal = 0) {
  runtime::ProcessResult ended;
  ended.exit_code = exit_code;
  ended.out = out;
  ended.err = err;
  ended.signal = signal;
  return ProblemOf(ended);
}

TEST(ProblemOfTest, AcceptsResultsAndRefusals) {
  EXPECT_EQ(Problem(0, "12.5\n", ""), "");
  EXPECT_EQ(Problem(0, "", "a remark of a library\n"), "");
  EXPECT_EQ(Problem(3, "a table\n", ""), "");
  EXPECT_EQ(Problem(4, "a table\n", ""), "");
  EXPECT_EQ(Problem(2, "", "error: no operator `Odd`\n"), "");
  EXPECT_EQ(Problem(2, "refused\n", "a remark\nerror: too large\n"), "");
}

TEST(ProblemOfTest, RefusalHasOneSentence) {
  EXPECT_EQ(Problem(2, "", ""),
            "exited with 2 with 0 errors; it wrote: "
            "nothing");
  EXPECT_EQ(Problem(2, "", "error: a\nerror: b\n"),
            "exited with 2 with 2 errors; it wrote: error: a; error: b");
  EXPECT_EQ(Problem(2, "", "error: a\nb\n"),
            "exited with 2 with an error of several lines; it wrote: error: a; "
            "b");
  EXPECT_EQ(Problem(2, "", "error: \n"),
            "exited with 2 without a sentence; it wrote: error:");
}

TEST(ProblemOfTest, ResultHasAReportAndNoError) {
  EXPECT_EQ(Problem(3, "", ""),
            "exited with 3 without a report; it wrote: nothing");
  EXPECT_EQ(Problem(4, "a table\n", "error: a\n"),
            "exited with 4 with an error; it wrote: error: a");
}

TEST(ProblemOfTest, OtherEndsAreProblems) {
  EXPECT_EQ(Problem(1, "a table\n", ""), "exited with 1; it wrote: nothing");
  EXPECT_EQ(Problem(5, "", "error: broken\n"),
            "exited with 5; it wrote: error: broken");
  EXPECT_EQ(Problem(-1, "", "check failed\n", 6),
            "died of signal 6; it wrote: check failed");
  EXPECT_EQ(ProblemOf(absl::DeadlineExceededError("`x` did not finish")),
            "`x` did not finish");
}

TEST(TallyTableTest, HasALineForEachFileAndSums) {
  Tally magika, bert;
  magika.name = "magika";
  magika.runs = 500;
  magika.codes = {{0, 100}, {2, 390}, {4, 8}};
  magika.failures = 2;
  bert.name = "bert_mini_dynamic";
  bert.runs = 10;
  bert.codes = {{2, 9}, {3, 1}};
  EXPECT_EQ(TallyTable({magika, bert}),
            "file               mutations  exit 0  exit 2  exit 3  exit 4  "
            "failures\n"
            "magika                   500     100     390       0       8  "
            "       2\n"
            "bert_mini_dynamic         10       0       9       1       0  "
            "       0\n"
            "all                      510     100     399       1       8  "
            "       2\n");
}

}  // namespace
}  // namespace assay::fuzz
