#include "suites/tune/replay/log_spaces.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/current_task.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kTarget[] =
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2";
constexpr char kProduct[] =
    "p0: float32[24,40] p1: float32[40,56] v0: float32[24,56] = matmul(p0, p1) "
    "return v0";
constexpr char kPool[] =
    "p0: float32[1,4,8,8] v0: float32[1,4,4,4] = max_pool2d(p0) "
    "{kernel=[2,2], strides=[2,2], padding=[0,0,0,0]} return v0";

// The record of a point of the workload, with a time of 1 + point.
TuningRecord Trial(const std::string& workload, int64_t point) {
  const auto kernel = tune::KernelOfWorkload(workload);
  CHECK(kernel.ok()) << kernel.status();
  const auto space =
      tune::SpaceOfKernel(**kernel, *target::Target::Parse(kTarget));
  CHECK(space.ok()) << space.status();
  TuningRecord record;
  record.task = workload == kProduct ? "product" : "pool";
  record.workload = workload;
  record.anchor = "some operator";
  record.target = kTarget;
  record.device = "x86_64-amd";
  const auto choice = space->At(point);
  record.implementation = choice.implementation;
  record.config = choice.config;
  record.samples_ns = {1000.0 * static_cast<double>(1 + point)};
  record.default_ns = {1000};
  return record;
}

TEST(LogSpacesTest, RecordsAreGroupedByTaskPlaceAndTemplate) {
  TuningRecord other_device = Trial(kProduct, 2);
  other_device.device = "aarch64-arm";
  TuningRecord other_threads = Trial(kProduct, 3);
  other_threads.threads = 2;
  TuningRecord other_template = Trial(kProduct, 4);
  other_template.template_digest = "new";
  const std::vector<LogSpace> spaces =
      SpacesOf({Trial(kProduct, 1), Trial(kPool, 0), other_device,
                other_threads, other_template, Trial(kProduct, 5)});
  ASSERT_THAT(spaces, SizeIs(5));
  EXPECT_EQ(spaces[0].task, "product");
  EXPECT_EQ(spaces[0].measured.num_points(), 2);
  EXPECT_EQ(spaces[0].measured.Time(5), 6);
  EXPECT_EQ(spaces[1].task, "pool");
  EXPECT_EQ(spaces[2].place.device, "aarch64-arm");
  EXPECT_EQ(spaces[3].place.threads, 2);
  EXPECT_EQ(spaces[4].measured.Time(4), 5);
}

TEST(LogSpacesTest, IgnoresRecordsWithoutASpace) {
  TuningRecord no_workload = Trial(kPool, 0);
  no_workload.task = "a";
  no_workload.workload = "v0 = lure(p0)";
  TuningRecord no_target = Trial(kPool, 0);
  no_target.target = "none";
  TuningRecord no_point = Trial(kPool, 0);
  no_point.implementation = "conv2d.other";
  TuningRecord elementwise = Trial(kPool, 0);
  elementwise.anchor.clear();
  const std::vector<LogSpace> spaces =
      SpacesOf({no_workload, no_workload, no_target, no_point, elementwise,
                Trial(kPool, 1)});
  ASSERT_THAT(spaces, SizeIs(1));
  EXPECT_EQ(spaces[0].measured.num_points(), 1);
}

TEST(LogSpacesTest, ExamplesAreThoseOfOtherTasksAndPlaces) {
  TuningRecord other_device = Trial(kProduct, 0);
  other_device.device = "aarch64-arm";
  const std::vector<LogSpace> spaces =
      SpacesOf({Trial(kProduct, 1), Trial(kPool, 0), other_device});
  const LogSpace& product = spaces[0];
  const OtherExamples examples(spaces);
  const auto others = examples.For("product", product.place);
  ASSERT_THAT(others, SizeIs(2));
  EXPECT_EQ(others[0].names, spaces[1].measured.space().feature_names());
  EXPECT_EQ(others[1].names, product.measured.space().feature_names());
  EXPECT_THAT(others[0].labels, ElementsAre(0));
  // The same examples serve all searches.
  EXPECT_THAT(examples.For("pool", product.place), SizeIs(2));
  EXPECT_THAT(examples.For("other", product.place), SizeIs(3));
  EXPECT_THAT(OtherExamples({product}).For("product", product.place),
              IsEmpty());
}

}  // namespace
}  // namespace assay::suites
