#include "reports/store/time_limit.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;

absl::Time Now() {
  return absl::FromCivil(absl::CivilSecond(2024, 5, 10, 12, 30, 0),
                         absl::UTCTimeZone());
}

TEST(TimeLimitTest, ParsesDaysTimesAndAges) {
  EXPECT_EQ(*TimeLimit("2024-05-01", Now()), "2024-05-01T00:00:00Z");
  EXPECT_EQ(*TimeLimit("2024-05-01T12:00:01Z", Now()), "2024-05-01T12:00:01Z");
  EXPECT_EQ(*TimeLimit("2024-05-01T12:00:00+02:00", Now()),
            "2024-05-01T10:00:00Z");
  EXPECT_EQ(*TimeLimit("3d", Now()), "2024-05-07T12:30:00Z");
  EXPECT_EQ(*TimeLimit("12h", Now()), "2024-05-10T00:30:00Z");
  EXPECT_EQ(*TimeLimit("0d", Now()), "2024-05-10T12:30:00Z");
}

TEST(TimeLimitTest, RejectsOtherText) {
  for (const char* text : {"", "d", "-1d", "1w", "1.5d", "yesterday", "2024",
                           "2024-13-01", "99999999999999d"}) {
    const auto limit = TimeLimit(text, Now());
    ASSERT_FALSE(limit.ok()) << text;
    EXPECT_THAT(std::string(limit.status().message()),
                HasSubstr(std::string("is `") + text + "`; it must be"));
  }
}

}  // namespace
}  // namespace assay::reports
