// Tests what the data files say, with a synthetic store.
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "reports/site/data_script.h"
#include "reports/site/testing/fake_store.h"
#include "reports/site/testing/site_fixture.h"

namespace assay::reports {
namespace {

constexpr int kCells = 48;
constexpr int kNights = 50;

class SiteFilesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = new TempDir(*TempDir::CreateInMemory());
    const std::string store = JoinPath(dir_->path(), "store");
    ASSERT_TRUE(MakeDirs(store).ok());
    FakeStoreOptions options;
    options.cells = kCells;
    options.nights = kNights;
    options.code_changes = 0.1;
    FakeStore fake(options);
    for (int night = 0; night < kNights; ++night) {
      ASSERT_TRUE(fake.AppendNight(store).ok());
    }
    ASSERT_TRUE(fake.AppendDecisions(store).ok());
    const auto summary =
        WriteFixtureSite(store, JoinPath(dir_->path(), "site"));
    ASSERT_TRUE(summary.ok()) << summary.status();
  }
  static void TearDownTestSuite() { delete dir_; }

  static SiteJson Data(const std::string& name) {
    const SiteJson data =
        DataOf(JoinPath(dir_->path(), absl::StrCat("site/data/", name, ".js")));
    EXPECT_FALSE(data.is_null()) << name;
    return data;
  }
  static std::string Bytes(const SiteJson& base64) {
    std::string bytes;
    EXPECT_TRUE(absl::Base64Unescape(base64.get<std::string>(), &bytes));
    return bytes;
  }

  static TempDir* dir_;
};

TempDir* SiteFilesTest::dir_ = nullptr;

TEST_F(SiteFilesTest, FrontHasAllCells) {
  const SiteJson front = Data("front");
  EXPECT_EQ(front["nights"], kNights);
  EXPECT_EQ(front["newest"]["run"], kNights - 1);
  EXPECT_EQ(front["newest"]["devices"],
            SiteJson({"graviton", "host", "rpi4b"}));
  const SiteJson& cells = front["cells"];
  for (const char* column :
       {"suite", "model", "device", "variant", "threads", "status", "reason",
        "median_ms", "change", "lower", "upper", "published", "acknowledged",
        "spark_lo", "spark_hi"}) {
    EXPECT_EQ(cells[column].size(), static_cast<size_t>(kCells)) << column;
  }
  const std::string sparks = Bytes(cells["spark"]);
  ASSERT_EQ(sparks.size(), static_cast<size_t>(kCells) * 32);
  for (size_t id = 0; id < kCells; ++id) {
    std::set<int> bytes;
    for (const char c : sparks.substr(32 * id, 32)) {
      bytes.insert(static_cast<unsigned char>(c));
    }
    EXPECT_EQ(bytes.count(0), 1u) << id;
    EXPECT_EQ(bytes.count(254), 1u) << id;
    EXPECT_LT(cells["spark_lo"][id], cells["spark_hi"][id]);
  }
  int64_t judged = 0;
  int64_t others = 0;
  for (const SiteJson& suite : front["census"]) {
    judged += suite["judged"].get<int64_t>();
    for (const SiteJson& count : suite["not_judged"]) {
      others += count.get<int64_t>();
    }
  }
  EXPECT_EQ(judged + others, kCells);
  EXPECT_EQ(front["acknowledgements"].size(), 2u);
  ASSERT_EQ(front["bisections"].size(), 1u);
  EXPECT_EQ(front["bisections"][0]["status"], "found");
}

TEST_F(SiteFilesTest, RunsHaveTheMediansOfTheirNights) {
  const SiteJson run = Data("runs/49");
  EXPECT_EQ(run["run"], 49);
  const std::string medians = Bytes(run["medians"]);
  const std::string verdicts = Bytes(run["verdicts"]);
  ASSERT_EQ(medians.size(), static_cast<size_t>(kCells) * 4);
  ASSERT_EQ(verdicts.size(), static_cast<size_t>(kCells));
  const SiteJson front = Data("front");
  const SiteJson tail = Data("tails/0");
  int64_t missing = 0;
  for (size_t id = 0; id < kCells; ++id) {
    float median = 0;
    std::memcpy(&median, medians.data() + 4 * id, 4);
    const SiteJson& nights = tail["cells"][id]["nights"];
    if (nights["run"].back() != 49) {
      EXPECT_TRUE(std::isnan(median));
      ++missing;
      continue;
    }
    EXPECT_NEAR(nights["median"].back().get<double>() / median, 1, 1e-3);
    EXPECT_EQ(static_cast<unsigned char>(verdicts[id]),
              front["cells"]["status"][id]);
  }
  // A wrong output, a failure, and a cell that was not measured.
  EXPECT_EQ(missing, 3);
}

TEST_F(SiteFilesTest, CommitsHaveTheirEvents) {
  const SiteJson front = Data("front");
  const SiteJson& newest = front["commits"].back();
  EXPECT_GT(newest["published"].get<int>(), 0);
  const SiteJson commit =
      Data("commits/" + newest["sha"].get<std::string>().substr(0, 12));
  EXPECT_EQ(commit["runs"], SiteJson({kNights - 1}));
  EXPECT_EQ(commit["runs_before"], SiteJson({kNights - 2}));
  ASSERT_FALSE(commit["events"].empty());
  const SiteJson& event = commit["events"][0];
  EXPECT_EQ(event["published"], true);
  EXPECT_EQ(event["causes"], SiteJson({"code"}));
  EXPECT_EQ(event["commit"], newest["sha"]);
  EXPECT_LT(event["lower"], event["change"]);
  EXPECT_FALSE(commit["kernels"].empty());
  // The bisection suspects the newest commit.
  EXPECT_EQ(commit["bisections"].size(), 1u);
  EXPECT_EQ(commit["subject"], "Split the inner loops of convolutions by 14");
  const SiteJson bisection =
      Data("bisections/" + commit["bisections"][0].get<std::string>());
  EXPECT_EQ(bisection["bad"], newest["sha"]);
}

TEST_F(SiteFilesTest, CellsHaveKernelsAttributionAndBisections) {
  const SiteJson tail = Data("tails/0");
  int64_t attributed = 0;
  int64_t bisected = 0;
  for (const SiteJson& cell : tail["cells"]) {
    bisected += static_cast<int64_t>(cell["bisections"].size());
    if (!cell["attribution"].empty()) {
      ++attributed;
      EXPECT_EQ(cell["attribution"][0]["same_code"], false);
      EXPECT_FALSE(cell["attribution"][0]["work"].empty());
    }
    EXPECT_FALSE(cell["reproduce"].empty());
    if (cell["device"] != "host") continue;
    const SiteJson& kernels = cell["kernels"];
    EXPECT_EQ(kernels["names"].size(), 6u);
    EXPECT_EQ(kernels["ms"].size(), kernels["runs"].size());
    EXPECT_EQ(kernels["ms"][0].size(), 6u);
    EXPECT_EQ(cell["siblings"].size(), 3u);
  }
  EXPECT_GT(attributed, 0);
  EXPECT_EQ(bisected, 1);
}

TEST_F(SiteFilesTest, DevicesHaveTheirHealth) {
  const SiteJson board = Data("devices/rpi4b");
  EXPECT_EQ(board["runs"].size(), static_cast<size_t>(kNights));
  EXPECT_EQ(board["boards"].size(), 2u);
  EXPECT_GT(board["temperature"][0].get<double>(), 50);
  EXPECT_GT(board["throttled"][28].get<double>(), 0);
  const SiteJson host = Data("devices/host");
  EXPECT_EQ(host["canary"][36], 0.5);
  EXPECT_EQ(host["canary"][35], 1);
  EXPECT_TRUE(host["temperature"][0].is_null());
  EXPECT_GT(host["noise"][5].get<double>(), 0.001);
  EXPECT_EQ(host["facts"]["cpu"], "AMD EPYC 9B14");
  EXPECT_FALSE(host["changes"].empty());
  EXPECT_NEAR(host["level"][18].get<double>() - host["level"][16].get<double>(),
              0.045, 0.02);
}

}  // namespace
}  // namespace assay::reports
