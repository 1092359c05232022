#include "suites/kernels/comparison.h"

#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/ratio.h"
#include "runtime/base/file.h"
#include "suites/references/library_session.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// A prepared kernel whose output is one number.
class Answer : public PreparedKernel {
 public:
  explicit Answer(float value) : PreparedKernel(1), value_(value) {}
  int runs() const { return runs_; }

 private:
  absl::Status Run() override {
    ++runs_;
    return absl::OkStatus();
  }
  absl::StatusOr<NDArray> Output() override {
    return NDArray::FromVector<float>({1}, {value_});
  }

  const float value_;
  int runs_ = 0;
};

// Returns a contender under the conditions of a program of ours.
Entrant Named(const std::string& name, Answer& answer) {
  return {{name, &answer}, OurParity(1)};
}

Comparison Timed() {
  Comparison comparison;
  comparison.name = "a,b";
  comparison.problem = "1x1x1";
  comparison.threads = 1;
  comparison.flops = 1000;
  comparison.parity = {{"ours", OurParity(1)}, {"other", OurParity(1)}};
  comparison.series = {{"ours", 1, {100, 200, 400}},
                       {"other", 1, {150, 300, 900}}};
  return comparison;
}

TEST(ComparisonTest, DoesNotTimeWrongOutputs) {
  Answer ours(1.0f), other(2.0f);
  Comparison comparison;
  ASSERT_TRUE(Compare({Named("ours", ours), Named("blas", other)}, nullptr,
                      KernelOptions(), &comparison)
                  .ok());
  EXPECT_EQ(comparison.wrong.find("ours and blas differ: "), 0u)
      << comparison.wrong;
  EXPECT_TRUE(comparison.series.empty());
  EXPECT_EQ(ours.runs(), 1);
}

TEST(ComparisonTest, TimesCorrectOutputs) {
  Answer ours(1.0f), other(1.0f);
  KernelOptions options;
  options.rounds = 3;
  options.sample_nanos = 10'000;
  Comparison comparison;
  ASSERT_TRUE(Compare({Named("ours", ours), Named("blas", other)}, nullptr,
                      options, &comparison)
                  .ok());
  EXPECT_EQ(comparison.wrong, "");
  ASSERT_EQ(comparison.series.size(), 2u);
  EXPECT_EQ(comparison.series[1].samples_ns.size(), 3u);
  ASSERT_EQ(comparison.parity.size(), 2u);
  EXPECT_EQ(comparison.parity[1].contender, "blas");
  EXPECT_EQ(comparison.parity[1].parity.warmup_runs, 1);
}

TEST(ComparisonTest, DoesNotTimeUnderOtherConditions) {
  Answer ours(1.0f), free(1.0f), same(1.0f);
  KernelOptions options;
  options.rounds = 2;
  options.sample_nanos = 1;
  std::vector<Entrant> entrants = {Named("ours", ours), Named("free", free),
                                   Named("same", same)};
  entrants[1].parity.affinity = Affinity::kFree;
  Comparison comparison;
  ASSERT_TRUE(Compare(entrants, nullptr, options, &comparison).ok());
  ASSERT_EQ(comparison.series.size(), 2u);
  EXPECT_EQ(comparison.series[1].name, "same");
  EXPECT_EQ(comparison.parity.size(), 2u);
  EXPECT_THAT(comparison.notes,
              ::testing::ElementsAre(
                  "free is not timed: the conditions differ: affinity of "
                  "`free` is `free`, but that of `ours` is `pinned`"));
  EXPECT_EQ(free.runs(), 1);  // its output was checked
}

TEST(ComparisonTest, ContendersWithAPeerHaveTheConditionsOfThePeer) {
  Answer ours(1.0f), kernel(1.0f), other(1.0f);
  KernelOptions options;
  options.rounds = 2;
  options.sample_nanos = 1;
  std::vector<Entrant> entrants = {Named("ours", ours), Named("kernel", kernel),
                                   Named("onednn", other)};
  entrants[1].peer = entrants[2].peer = "onednn";
  entrants[1].parity.layout = TensorLayout::kOwn;
  entrants[2].parity.layout = TensorLayout::kOwn;
  Comparison comparison;
  ASSERT_TRUE(Compare(entrants, nullptr, options, &comparison).ok());
  EXPECT_EQ(comparison.series.size(), 3u);
  entrants[2].parity.layout = TensorLayout::kPlain;
  Comparison mixed;
  ASSERT_TRUE(Compare(entrants, nullptr, options, &mixed).ok());
  EXPECT_EQ(mixed.series.size(), 2u);
  EXPECT_EQ(mixed.notes.size(), 1u);
}

// A reference library with a fixed name and version.
class Library : public Reference {
 public:
  std::string name() const override { return "blas"; }
  std::string version() const override { return "1"; }
};

TEST(ComparisonTest, InterpreterReplacesMissingReferences) {
  Answer ours(1.0f), interpreter(1.0f);
  KernelOptions options;
  options.rounds = 2;
  options.sample_nanos = 1;
  std::vector<std::unique_ptr<Reference>> references;
  references.push_back(std::make_unique<Library>());
  Comparison with, without;
  ASSERT_TRUE(CompareWithReferences(
                  {Named("ours", ours)}, references,
                  [](Reference&) -> absl::StatusOr<PreparedReference> {
                    return PreparedReference{std::make_unique<Answer>(1.0f),
                                             OurParity(1)};
                  },
                  interpreter, options, &with)
                  .ok());
  EXPECT_EQ(interpreter.runs(), 0);
  ASSERT_EQ(with.series.size(), 2u);
  EXPECT_EQ(with.series[1].name, "blas");
  ASSERT_TRUE(CompareWithReferences(
                  {Named("ours", ours)}, references,
                  [](Reference&) {
                    return absl::UnimplementedError("blas has no such thing");
                  },
                  interpreter, options, &without)
                  .ok());
  EXPECT_EQ(interpreter.runs(), 1);
  EXPECT_EQ(without.series.size(), 1u);
  ASSERT_EQ(without.notes.size(), 2u);
  EXPECT_EQ(without.notes[0], "blas has no such thing");
}

TEST(ComparisonTest, OracleIsNotTimed) {
  Answer ours(1.0f), same(1.0f), other(2.0f);
  KernelOptions options;
  options.rounds = 2;
  options.sample_nanos = 1;
  Comparison comparison;
  ASSERT_TRUE(Compare({Named("ours", ours)}, &same, options, &comparison).ok());
  EXPECT_EQ(same.runs(), 1);
  ASSERT_EQ(comparison.series.size(), 1u);
  Comparison wrong;
  ASSERT_TRUE(Compare({Named("ours", ours)}, &other, options, &wrong).ok());
  EXPECT_NE(wrong.wrong, "");
  EXPECT_TRUE(wrong.series.empty());
}

TEST(ComparisonTest, ComputesRatiosOfRounds) {
  const Comparison comparison = Timed();
  const std::optional<stats::Ratio> ratio = comparison.Ratio("ours", "other");
  ASSERT_TRUE(ratio.has_value());
  EXPECT_DOUBLE_EQ(ratio->value, 1.5);
  // Three rounds are too few for an interval.
  EXPECT_EQ(ratio->lower, 0);
  EXPECT_EQ(comparison.LogRatios("ours", "other").size(), 3u);
  EXPECT_DOUBLE_EQ(comparison.GflopsOf("ours"), 5);
  EXPECT_FALSE(comparison.Ratio("ours", "nobody").has_value());
  EXPECT_FALSE(comparison.Ratio("nobody", "ours").has_value());
  EXPECT_TRUE(comparison.LogRatios("nobody", "ours").empty());
}

TEST(ComparisonTest, FindsTheFastestReference) {
  Comparison comparison = Timed();
  comparison.series.push_back({"faster", 1, {90, 210, 300}});
  EXPECT_EQ(comparison.FastestOf("ours", {"other", "faster", "nobody"}),
            "faster");
  EXPECT_EQ(comparison.FastestOf("ours", {"other"}), "other");
  EXPECT_EQ(comparison.FastestOf("ours", {"nobody"}), "");
}

TEST(ComparisonTest, StatesThatPrecisionDiffers) {
  Comparison comparison = Timed();
  EXPECT_FALSE(comparison.PrecisionDiffers("ours", "other"));
  comparison.parity[0].parity.splits_floats = true;
  EXPECT_TRUE(comparison.PrecisionDiffers("ours", "other"));
  EXPECT_FALSE(comparison.PrecisionDiffers("ours", "nobody"));
  EXPECT_FALSE(comparison.PrecisionDiffers("", "other"));
  // The ratio is still there.
  EXPECT_TRUE(comparison.Ratio("ours", "other").has_value());
  const auto folder = TempDir::Create();
  KernelOptions options;
  options.out = folder->path();
  ASSERT_TRUE(
      WriteComparisons(options, "gemm", {}, {comparison, Timed()}).ok());
  const std::string json = *ReadFile(JoinPath(options.out, "results.json"));
  EXPECT_THAT(json, HasSubstr("\"precision_differs\": true"));
  EXPECT_THAT(json, HasSubstr("\"precision_differs\": false"));
  const std::string csv = *ReadFile(JoinPath(options.out, "results.csv"));
  EXPECT_THAT(csv, HasSubstr(",ours,200,100,5,3,split in bfloat16 parts\n"));
  EXPECT_THAT(csv, HasSubstr(",other,300,150,3.33333,3,no\n"));
}

TEST(ComparisonTest, WritesRawSamples) {
  const auto folder = TempDir::Create();
  KernelOptions options;
  options.out = JoinPath(folder->path(), "out");
  ASSERT_TRUE(WriteComparisons(options, "gemm", {"blas 1.0"}, {Timed()}).ok());
  EXPECT_EQ(*ReadFile(JoinPath(options.out, "results.csv")),
            "name,problem,threads,contender,median_ns,min_ns,gflops,samples,"
            "reduced_precision\n"
            "\"a,b\",1x1x1,1,ours,200,100,5,3,no\n"
            "\"a,b\",1x1x1,1,other,300,150,3.33333,3,no\n");
  const std::string json = *ReadFile(JoinPath(options.out, "results.json"));
  EXPECT_NE(json.find("900.0"), std::string::npos) << json;
  EXPECT_NE(json.find("\"affinity\": \"pinned\""), std::string::npos) << json;
}

}  // namespace
}  // namespace assay::suites
