// Runs all networks of the suites, with an eighth of their channels, through
// the program that runs all suites: checked against the interpreter, with and
// without fusion, on this machine and on an emulated Raspberry Pi.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

constexpr char kVariants[] =
    "resnet18,resnet34,resnet50,mobilenet_v1,mobilenet_v2,ssd_mobilenet_v1,"
    "ssd_vgg16";
constexpr size_t kModels = 7;

class FullSuiteTest : public ::testing::Test {
 protected:
  FullSuiteTest() : dir_(TempDir::Create("full").value()) {
    // Do not use the user's cache.
    setenv("XDG_CACHE_HOME", JoinPath(dir_.path(), "cache").c_str(), 1);
  }

  std::vector<reports::Row> RunAll(std::vector<std::string> arguments) {
    const std::string out = JoinPath(dir_.path(), "out");
    arguments.insert(arguments.begin(),
                     {"suites/full", absl::StrCat("--variant=", kVariants),
                      "--multiplier=0.125", "--out=" + out});
    runtime::ProcessOptions options;
    options.timeout_s = 800;
    const auto run = runtime::RunProcess(arguments, options);
    EXPECT_TRUE(run.ok()) << run.status();
    if (!run.ok()) return {};
    EXPECT_EQ(run->exit_code, 0) << run->out << run->err;
    out_ = run->out;
    const auto text = ReadFile(JoinPath(out, "results.json"));
    EXPECT_TRUE(text.ok()) << text.status();
    auto result = reports::ParseResultsJson(text.ok() ? *text : "");
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? result->rows : std::vector<reports::Row>();
  }

  static void ExpectSound(const reports::Row& row) {
    EXPECT_FALSE(row.timing.samples_ns.empty()) << row.cell.model << row.reason;
    EXPECT_LE(row.correctness.max_abs_error.value(),
              row.correctness.max_abs_error_bound.value());
    EXPECT_GT(row.build.live_bytes, 0);
    EXPECT_LE(row.build.live_bytes, row.build.arena_bytes);
    EXPECT_GT(row.build.compile_ms.value(), 0);
    EXPECT_GT(row.build.params_bytes, 0);
    EXPECT_GT(row.build.artifact_bytes, row.build.params_bytes);
    EXPECT_GT(row.timing.load_ms.value(), 0);
  }

  TempDir dir_;
  std::string out_;
};

TEST_F(FullSuiteTest, RunsOnThisMachineWithAndWithoutFusion) {
  const std::vector<reports::Row> rows =
      RunAll({"--device=host", "--threads=2", "--repeat=6", "--per_op"});
  ASSERT_EQ(rows.size(), 2 * kModels);
  std::set<std::string> models;
  for (size_t i = 0; i < rows.size(); ++i) {
    const reports::Row& row = rows[i];
    models.insert(row.cell.model);
    ExpectSound(row);
    EXPECT_EQ(row.comparison.speedup_vs_unfused.has_value(),
              row.cell.variant.fusion);
    EXPECT_EQ(row.timing.operators.size(),
              static_cast<size_t>(row.build.kernels));
    size_t sources = 0;
    for (const reports::OperatorTime& op : row.timing.operators) {
      sources = std::max(sources, op.sources.size());
    }
    // Convolution, normalization and activation are fused into one kernel.
    if (row.cell.variant.fusion) EXPECT_GE(sources, 2u) << row.cell.model;
    if (!row.cell.variant.fusion)
      EXPECT_GT(row.build.kernels, rows[i - 1].build.kernels);
  }
  EXPECT_EQ(models.size(), rows.size() / 2);
  EXPECT_THAT(out_, HasSubstr("speedup: of fusion"));
  EXPECT_THAT(out_, HasSubstr("conv_pw_13"));
  EXPECT_THAT(rows[6].reproduce, HasSubstr("//suites:mobilenet -- --variant=v1 "
                                           "--multiplier=0.125 --device=host"));
}

TEST_F(FullSuiteTest, RunsOnEmulatedRaspberryPi) {
  const std::vector<reports::Row> rows =
      RunAll({"--device=rpi3b", "--fusion=on"});
  ASSERT_EQ(rows.size(), kModels);
  for (const reports::Row& row : rows) {
    ExpectSound(row);
    EXPECT_TRUE(row.emulated);
  }
}

}  // namespace
}  // namespace assay::suites
