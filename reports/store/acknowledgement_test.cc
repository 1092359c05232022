#include "reports/store/acknowledgement.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/store/checked_line.h"

namespace assay::reports {
namespace {

using Kind = Acknowledgement::Kind;
using ::testing::HasSubstr;

constexpr char kCell[] = "zoo/net/host/fusion_on/threads_2";

Acknowledgement Sample(Kind kind = Kind::kAcknowledge) {
  Acknowledgement a;
  a.kind = kind;
  a.cell = "zoo/*";
  a.author = "ada";
  a.reason = "a \"slower\" sum,\nsee #7";
  a.made_at = "2024-05-01T12:00:00.5Z";
  a.levels = {{kCell, "here", 10}, {kCell, "there", 20}};
  return a;
}

absl::Time Day(int day) {
  return absl::FromCivil(absl::CivilDay(2024, 5, day), absl::UTCTimeZone());
}

bool IsSilent(const std::vector<Acknowledgement>& all, double median_ms,
              const std::string& machine = "here", int day = 2) {
  return SilencedBy(all, {kCell, machine, median_ms}, Day(day)) != nullptr;
}

TEST(AcknowledgementTest, RoundTrip) {
  for (const absl::string_view name : AcknowledgementKinds()) {
    Acknowledgement a = Sample(*ParseKind(name));
    a.until = "2024-06-01T00:00:00Z";
    a.tolerance = 0.1;
    const std::string line = FormatAcknowledgement(a);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto parsed = ParseAcknowledgement(line);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_TRUE(*parsed == a);
  }
  EXPECT_THAT(ParseKind("blast").status().message(), HasSubstr("`blast`"));
}

TEST(AcknowledgementTest, RejectsOtherLines) {
  std::string line = FormatAcknowledgement(Sample());
  line[line.find("ada")] = 'b';
  EXPECT_TRUE(absl::IsDataLoss(ParseAcknowledgement(line).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseAcknowledgement("hm").status()));
  for (const char* body :
       {"\"run\":1}", "\"acknowledgement\":{}}", "\"acknowledgement\":7}",
        "\"acknowledgement\":{\"kind\":\"later\"}}", "}"}) {
    const absl::Status status =
        ParseAcknowledgement(CheckedLine(body)).status();
    EXPECT_TRUE(absl::IsOutOfRange(status)) << body << ": " << status;
  }
}

TEST(AcknowledgementTest, IsSilentUntilTheLevelMovesAgain) {
  for (const Kind kind : {Kind::kAcknowledge, Kind::kBless}) {
    const std::vector<Acknowledgement> all = {Sample(kind)};
    EXPECT_TRUE(IsSilent(all, 10));
    EXPECT_TRUE(IsSilent(all, 10.19));
    EXPECT_TRUE(IsSilent(all, 9.81));
    EXPECT_FALSE(IsSilent(all, 10.21));
    EXPECT_FALSE(IsSilent(all, 9.79));
    EXPECT_TRUE(IsSilent(all, 20, "there"));
    EXPECT_FALSE(IsSilent(all, 10, "elsewhere"));
  }
}

TEST(AcknowledgementTest, IgnoresAllLevels) {
  const std::vector<Acknowledgement> all = {Sample(Kind::kIgnore)};
  EXPECT_TRUE(IsSilent(all, 1000, "elsewhere"));
  EXPECT_EQ(SilencedBy(all, {"suite/net", "here", 10}, Day(2)), nullptr);
}

TEST(AcknowledgementTest, Expires) {
  std::vector<Acknowledgement> all = {Sample(Kind::kIgnore)};
  all[0].until = "2024-05-10T00:00:00Z";
  EXPECT_TRUE(IsSilent(all, 10, "here", 9));
  EXPECT_FALSE(IsSilent(all, 10, "here", 10));
}

TEST(AcknowledgementTest, LastOneDecides) {
  Acknowledgement later = Sample(Kind::kBless);
  later.made_at = "2024-05-01T12:00:01Z";
  later.levels = {{kCell, "here", 11}};
  // In any order of the files.
  for (const auto& all :
       {std::vector{Sample(), later}, std::vector{later, Sample()}}) {
    EXPECT_TRUE(IsSilent(all, 11));
    EXPECT_FALSE(IsSilent(all, 10));
  }
  later.kind = Kind::kWithdraw;
  EXPECT_FALSE(IsSilent({later, Sample(Kind::kIgnore)}, 10));
  later.until = "2024-05-02T00:00:00Z";
  EXPECT_TRUE(IsSilent({later, Sample(Kind::kIgnore)}, 10));
}

}  // namespace
}  // namespace assay::reports
