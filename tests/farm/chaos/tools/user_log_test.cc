#include "tests/farm/chaos/tools/user_log.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

class UserLogTest : public testing::Test {
 protected:
  UserLog Read(const std::string& lines, const std::string& output = "") {
    const std::string path = JoinPath(dir_.path(), "user.jsonl");
    const std::string log = JoinPath(dir_.path(), "user.log");
    EXPECT_TRUE(WriteFileAtomic(path, lines).ok());
    EXPECT_TRUE(WriteFileAtomic(log, output).ok());
    return ReadUserLog(path, log);
  }

  static std::string At(double seconds) {
    return std::to_string(static_cast<int64_t>(seconds * 1e9));
  }
  static std::string Measuring(double at, const std::string& device) {
    return R"({"event":"measuring","at":)" + At(at) + R"(,"device":")" +
           device + "\"}\n";
  }
  static std::string Broke(double at) {
    return R"({"event":"broke","at":)" + At(at) + R"(,"why":"lost"})" + "\n";
  }
  static std::string Verdict(double at, int number, const std::string& truth,
                             const std::string& verdict) {
    return R"({"event":"verdict","at":)" + At(at) +
           R"(,"device":"d1","number":)" + std::to_string(number) +
           R"(,"truth":")" + truth + R"(","verdict":")" + verdict +
           "\",\"restarts\":1}\n";
  }

  const TempDir dir_ = *TempDir::Create();
};

TEST_F(UserLogTest, CountsVerdicts) {
  const UserLog log = Read(Verdict(1, 0, "equal", "equivalent") +
                           Verdict(2, 1, "slower", "regressed") +
                           Verdict(3, 2, "slower", "equivalent") +
                           Verdict(4, 3, "equal", "regressed") +
                           Verdict(5, 4, "equal", "inconclusive"));
  EXPECT_EQ(log.broken_lines, 0);
  EXPECT_EQ(log.last_verdict_at, 5'000'000'000);
  const Tally all = TallyOf({log}, 0);
  EXPECT_EQ(all.verdicts, 5);
  EXPECT_EQ(all.wrong, 2);
  EXPECT_EQ(all.inconclusive, 1);
  EXPECT_EQ(all.restarted, 5);
  EXPECT_EQ(all.kinds.at("equal -> regressed"), 1);
  EXPECT_EQ(TallyOf({log}, 3'000'000'000, 4'000'000'000).wrong, 1);
  EXPECT_EQ(TallyOf({log}, 0, INT64_MAX, "d2").verdicts, 0);
}

TEST_F(UserLogTest, MissesWhatWasReportedAsRecorded) {
  const std::string first = Verdict(1, 0, "equal", "equivalent");
  EXPECT_EQ(Read(first, "recorded 0\nrecorded 1").lost, 0);
  EXPECT_EQ(Read(first, "a message\nrecorded 0\nrecorded 1\n").lost, 1);
  // A line that is not finished, one that is damaged, and a number twice.
  EXPECT_EQ(Read(first + first.substr(0, 20)).broken_lines, 0);
  EXPECT_EQ(Read(first + "{\"event\"\n").broken_lines, 1);
  EXPECT_EQ(Read(first + first).broken_lines, 1);
}

TEST_F(UserLogTest, FindsTheFaultOfABreak) {
  const UserLog log =
      Read(Measuring(1, "d1") + Broke(5) + Broke(6) + Measuring(7, "d2") +
           Broke(20) + Measuring(21, "d1"));
  const auto at = [](double seconds) {
    return static_cast<int64_t>(seconds * 1e9);
  };
  // The second break has no fault.
  Recoveries found = RecoveriesFrom({log}, {{"d1", at(4)}, {"d1", at(19)}}, 0);
  EXPECT_EQ(found.count, 1);
  EXPECT_DOUBLE_EQ(found.longest_s, 3);
  EXPECT_EQ(found.unexplained, 1);
  // A fault before the last line counts only while it lasts.
  EXPECT_EQ(RecoveriesFrom({log}, {{"d2", at(6)}}, at(10)).count, 0);
  found = RecoveriesFrom({log}, {{"d2", at(6), at(20)}}, at(10));
  EXPECT_EQ(found.count, 1);
  EXPECT_DOUBLE_EQ(found.longest_s, 15);
  EXPECT_EQ(found.unexplained, 0);
}

}  // namespace
}  // namespace assay
