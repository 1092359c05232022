#include "rpc/server/crash_record.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class CrashRecordTest : public testing::Test {
 protected:
  void Add(const char* user, int times = 1) {
    for (int i = 0; i < times; ++i) record_.Add(user, "died of signal 11");
  }

  FakeClock clock_;
  CrashRecord record_{{/*max_crashes=*/3, /*min_users=*/2, 60 * kSecond},
                      &clock_};
};

TEST_F(CrashRecordTest, CrashesOfTwoUsersAreAProblem) {
  Add("ann", 2);
  EXPECT_EQ(record_.problem(), "");
  Add("bob");
  EXPECT_EQ(record_.problem(),
            "3 workers of 2 users crashed within 60 s; the last one: died of "
            "signal 11");
  EXPECT_EQ(record_.count(), 3);
  // It stays until it is cleared.
  clock_.Advance(600 * kSecond);
  Add("ann");
  EXPECT_NE(record_.problem(), "");
  record_.Clear();
  EXPECT_EQ(record_.problem(), "");
  EXPECT_EQ(record_.count(), 4);
}

TEST_F(CrashRecordTest, OneUserIsNotAProblem) {
  Add("ann", 5000);
  EXPECT_EQ(record_.problem(), "");
  EXPECT_EQ(record_.count(), 5000);
  Add("bob");
  EXPECT_NE(record_.problem(), "");
}

TEST_F(CrashRecordTest, OldCrashesDoNotCount) {
  Add("ann", 2);
  clock_.Advance(61 * kSecond);
  Add("bob");
  EXPECT_EQ(record_.problem(), "");
  Add("ann");
  EXPECT_EQ(record_.problem(), "");
  Add("bob");
  EXPECT_NE(record_.problem(), "");
}

TEST_F(CrashRecordTest, ClearedCrashesDoNotCount) {
  Add("ann", 2);
  record_.Clear();
  Add("bob");
  EXPECT_EQ(record_.problem(), "");
}

TEST_F(CrashRecordTest, ManyUsersCannotMakeTheRecordLarge) {
  CrashRecord record({/*max_crashes=*/1000000, /*min_users=*/2, 60 * kSecond},
                     &clock_);
  for (int i = 0; i < 3000; ++i) record.Add(absl::StrCat("user", i), "x");
  EXPECT_EQ(record.problem(), "");
  EXPECT_EQ(record.count(), 3000);
}

}  // namespace
}  // namespace assay::rpc
