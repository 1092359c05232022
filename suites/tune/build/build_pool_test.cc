#include "suites/tune/build/build_pool.h"

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "suites/tune/build/serve_builds.h"
#include "suites/tune/build/testing/product_request.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

constexpr char kBuilder[] = "suites/tune/build/point_builder";
constexpr char kFaulty[] = "suites/tune/build/testing/faulty_builder";

// The argument of faulty_builder that chooses the point with this `mr`.
std::string Point(int mr) {
  return ProductRequest(mr).choice.config.ToString();
}

BuiltPoint Built(BuildPool& pool, int mr) {
  const absl::StatusOr<BuiltPoint> built = pool.Build(ProductRequest(mr)).get();
  EXPECT_TRUE(built.ok()) << built.status();
  return built.ok() ? *built : BuiltPoint{};
}

void ExpectBuildsWhatTheCompilerBuilds(const BuildRequest& request) {
  BuildPool pool({{kBuilder}, 2});
  const auto expected = PointCompiler().Compile(request);
  ASSERT_TRUE(expected.ok()) << expected.status();
  std::vector<std::future<absl::StatusOr<BuiltPoint>>> futures;
  for (int i = 0; i < 6; ++i) futures.push_back(pool.Build(request));
  for (auto& future : futures) {
    const absl::StatusOr<BuiltPoint> built = future.get();
    ASSERT_TRUE(built.ok()) << built.status();
    EXPECT_EQ(built->status, TrialStatus::kOk) << built->error;
    EXPECT_EQ(built->error, "");
    EXPECT_EQ(built->artifact, *expected);
    EXPECT_EQ(built->code_digest, expected->calls[0].code_digest);
  }
}

TEST(BuildPoolTest, BuildsWhatTheCompilerBuilds) {
  BuildRequest request = ProductRequest(4);
  ExpectBuildsWhatTheCompilerBuilds(request);
  request.target = *target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -num-cores=2");
  request.choice = {};  // the default
  ExpectBuildsWhatTheCompilerBuilds(request);
}

TEST(BuildPoolTest, PointsThatTheCompilerRefusesAreErrors) {
  BuildPool pool({{kBuilder}, 1});
  BuildRequest request = ProductRequest(4);
  request.choice.implementation = "matmul.nosuch";
  const auto built = pool.Build(std::move(request)).get();
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->status, TrialStatus::kBuildError);
  EXPECT_THAT(built->error, HasSubstr("matmul.nosuch"));
  EXPECT_EQ(built->code_digest, "");
}

TEST(BuildPoolTest, ACrashConcernsOnlyItsPoint) {
  BuildPool pool({{kFaulty, "--crash", Point(2)}, 1});
  for (const int mr : {4, 2, 4, 2, 2, 4}) {
    const BuiltPoint built = Built(pool, mr);
    if (mr == 4) {
      EXPECT_EQ(built.status, TrialStatus::kOk) << built.error;
      EXPECT_NE(built.code_digest, "");
    } else {
      EXPECT_EQ(built.status, TrialStatus::kBuildCrash);
      EXPECT_THAT(built.error, HasSubstr("died of signal 11"));
      EXPECT_THAT(built.error, HasSubstr("it wrote: a bug"));
      EXPECT_EQ(built.code_digest, "");
    }
  }
}

TEST(BuildPoolTest, APointThatHangsIsGivenUp) {
  // Long enough for a point that does not hang, on a busy machine, too.
  BuildPool pool({{kFaulty, "--hang", Point(2)}, 1, /*time_limit_s=*/10});
  EXPECT_EQ(Built(pool, 4).status, TrialStatus::kOk);
  const int64_t start = MonotonicNanos();
  const BuiltPoint built = Built(pool, 2);
  EXPECT_EQ(built.status, TrialStatus::kBuildTimeout);
  EXPECT_THAT(built.error, HasSubstr("did not answer within 10 s"));
  EXPECT_GE(MonotonicNanos() - start, 9'900'000'000);
  EXPECT_EQ(Built(pool, 4).status, TrialStatus::kOk);
}

// A process that has built other points is not evidence against a point.
TEST(BuildPoolTest, AProcessThatIsKilledCostsNoPoint) {
  BuildPool pool({{kFaulty, "--most=1"}, 1});
  for (int i = 0; i < 4; ++i) {
    const BuiltPoint built = Built(pool, 4);
    EXPECT_EQ(built.status, TrialStatus::kOk) << built.error;
  }
}

TEST(BuildPoolTest, AProcessThatWritesNonsenseIsReplaced) {
  BuildPool pool({{kFaulty, "--garble", Point(2)}, 1});
  for (int i = 0; i < 2; ++i) {
    const BuiltPoint built = Built(pool, 2);
    EXPECT_EQ(built.status, TrialStatus::kBuildCrash);
    EXPECT_THAT(built.error, HasSubstr("`nonsense`"));
    EXPECT_EQ(Built(pool, 4).status, TrialStatus::kOk);
  }
}

TEST(BuildPoolTest, WithoutAProcessNoPointIsBlamed) {
  BuildPool missing({{"suites/tune/build/nosuch"}, 1});
  const auto built = missing.Build(ProductRequest(4)).get();
  EXPECT_EQ(built.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(built.status().message()), HasSubstr("nosuch"));
  BuildPool broken({{"/bin/false"}, 1});
  EXPECT_EQ(broken.Build(ProductRequest(4)).get().status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace assay::suites
