#include "reports/store/listing.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Record> Sample() {
  std::vector<Record> records;
  for (const Row& row : SampleResult().rows) {
    Record record{"run", "job", "cell", SampleResult()};
    record.result.rows = {row};
    records.push_back(record);
  }
  records[1].result.commit = "";
  return records;
}

TEST(ListingTest, FormatsTable) {
  EXPECT_EQ(
      ListingTable(Sample()),
      "started_at            commit      suite     model              device  "
      "fusion  tuning  threads  samples  median(ms)    std  verdict\n"
      "2024-05-01T12:00:00Z  0123456789  resnet18  resnet18           host    "
      "on      none          2        6      10.000  0.354  pass\n"
      "2024-05-01T12:00:00Z  -           resnet18  resnet18           rpi3b   "
      "on      none          4        1    4321.500  0.000  emulated\n"
      "2024-05-01T12:00:00Z  0123456789  resnet18  resnet18           host    "
      "off     none          2        0           -      -  wrong_output\n"
      "2024-05-01T12:00:00Z  0123456789  resnet18  a \"quoted\", model  host   "
      " on      none          1        6      21.000  0.894  regressed\n"
      "2024-05-01T12:00:00Z  0123456789  resnet18  resnet34           host    "
      "on      none          2        6      10.000  0.354  equivalent\n");
}

TEST(ListingTest, FormatsCsv) {
  const std::string csv = ListingCsv(Sample());
  EXPECT_THAT(csv, StartsWith("run,started_at,commit,suite,model,device,"));
  EXPECT_THAT(csv, HasSubstr("\nrun,2024-05-01T12:00:00Z,"
                             "0123456789abcdef0123456789abcdef01234567,"
                             "resnet18,\"a \"\"quoted\"\", model\",host,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
}

TEST(ListingTest, JsonContainsCompleteRecords) {
  const std::vector<Record> records = Sample();
  const auto json = nlohmann::json::parse(ListingJson(records), nullptr, false);
  ASSERT_TRUE(json.is_array());
  ASSERT_EQ(json.size(), records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    const auto result = ParseResultsJson(json[i]["result"].dump());
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(*result == records[i].result);
    EXPECT_EQ(json[i]["run"], "run");
  }
}

TEST(ListingTest, FormatsEmptyList) {
  EXPECT_THAT(ListingTable({}), StartsWith("started_at  commit"));
  EXPECT_EQ(ListingJson({}), "[\n]\n");
}

}  // namespace
}  // namespace assay::reports
