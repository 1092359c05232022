#include "suites/tune/measured_encodings.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

target::Target Avx512() {
  return *driver::ResolveTarget(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=1");
}

BestOfTask Measured(double default_ns) {
  BestOfTask best;
  best.default_ns = default_ns;
  return best;
}

BestOfTask Accepted(double default_ns, double ratio) {
  BestOfTask best = Measured(default_ns);
  best.judged = JudgedPoint{
      {}, 1, 1, {stats::Verdict::kImproved, ratio, ratio / 2, ratio * 2}};
  return best;
}

// A convolution with two epilogues, and another one.
class MeasuredEncodingsTest : public ::testing::Test {
 protected:
  MeasuredEncodingsTest() {
    const auto model = graph::GraphFromText(R"(
        graph g(%x: float32[1,64,20,20]) -> (%6) {
          %1: float32[64,64,3,3] = constant {fill=1}
          %2: float32[1,64,20,20] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
          %3: float32[1,64,20,20] = relu(%2)
          %4: float32[1,64,20,20] = conv2d(%3, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
          %5: float32[64,64,1,1] = constant {fill=1}
          %6: float32[1,64,20,20] = conv2d(%4, %5) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        })");
    auto tasks =
        tune::ExtractTasks(*model, Avx512(), {}, tune::LayoutChoices::kAll);
    CHECK(tasks.ok()) << tasks.status();
    tasks_ = *std::move(tasks);
  }

  // The tasks whose workloads contain all of `parts`.
  std::vector<const tune::Task*> Find(const std::vector<std::string>& parts) {
    std::vector<const tune::Task*> found;
    for (const tune::Task& task : tasks_) {
      bool all = true;
      for (const std::string& part : parts) {
        all &= absl::StrContains(task.workload, part);
      }
      if (all) found.push_back(&task);
    }
    return found;
  }

  static ops::OpInstance OpOf(const tune::Task& task) {
    const graph::Node& kernel = *task.kernel->outputs()[0].value.node;
    return ops::InstanceOf(
        *ops::AnchorOf(*kernel.attrs_as<graph::KernelAttrs>().body));
  }

  double Modelled(const tune::Task& task) const {
    return ops::ModelledTimes(target_).conv2d(OpOf(task)).value();
  }

  ops::EncodingTimes Times() const {
    auto times = MeasuredEncodingTimes(tasks_, best_, target_);
    CHECK(times.has_value());
    return *std::move(times);
  }

  const target::Target target_ = Avx512();
  std::vector<tune::Task> tasks_;
  BestRecords best_;
};

TEST_F(MeasuredEncodingsTest, NeedsTimesOfAnotherEncoding) {
  EXPECT_FALSE(MeasuredEncodingTimes(tasks_, best_, target_).has_value());
  const tune::Task* other = nullptr;
  for (const tune::Task& task : tasks_) {
    if (task.calls > 0) {
      best_.tasks[task.key] = Measured(1000);
    } else if (absl::StrContains(task.anchor, "conv2d(")) {
      other = &task;
    }
  }
  EXPECT_FALSE(MeasuredEncodingTimes(tasks_, best_, target_).has_value());
  ASSERT_NE(other, nullptr);
  best_.tasks[other->key] = BestOfTask();  // every trial has failed
  EXPECT_FALSE(MeasuredEncodingTimes(tasks_, best_, target_).has_value());
  best_.tasks[other->key] = Measured(1000);
  EXPECT_TRUE(MeasuredEncodingTimes(tasks_, best_, target_).has_value());
}

TEST_F(MeasuredEncodingsTest, MeasuredTimesAreThoseOfTheLog) {
  // Two epilogues of one convolution: with and without relu.
  const auto direct = Find({"conv2d(", ",3,3]", "@filters(in=8,out=8)"});
  ASSERT_EQ(direct.size(), 2u);
  best_.tasks[direct[0]->key] = Measured(3000);
  best_.tasks[direct[1]->key] = Accepted(10'000, 0.5);
  // The cost model chooses another encoding, so this one counts 3 % more.
  EXPECT_DOUBLE_EQ(Times().conv2d(OpOf(*direct[0])).value(), 1.03 * 4e-6);
}

TEST_F(MeasuredEncodingsTest, OtherEncodingsOfAMeasuredConvolutionHaveNoTime) {
  const auto small = Find({"conv2d(", ",3,3]", "@filters(in=8,out=8)"});
  const auto large = Find({"conv2d(", ",3,3]", "@filters(in=16,out=16)"});
  const auto tiles = Find({"conv2d(", "@blocks(8)", "@winograd("});
  ASSERT_FALSE(small.empty() || large.empty() || tiles.empty());
  best_.tasks[small[0]->key] = Measured(1000);
  // A log of a compiler that chose another encoding does not forbid the one
  // that is chosen now.
  EXPECT_TRUE(Times().conv2d(OpOf(*large[0])).has_value());
  for (const tune::Task& task : tasks_) {
    if (task.calls > 0) best_.tasks[task.key] = Measured(1000);
  }
  const ops::EncodingTimes times = Times();
  EXPECT_TRUE(times.conv2d(OpOf(*small[0])).has_value());
  EXPECT_FALSE(times.conv2d(OpOf(*large[0])).has_value());
  EXPECT_FALSE(times.conv2d(OpOf(*tiles[0])).has_value());
}

TEST_F(MeasuredEncodingsTest, OtherConvolutionsHaveTheTimesOfTheModelScaled) {
  const auto measured = Find({"conv2d(", ",3,3]", "@filters(in=8,out=8)"});
  const auto other = Find({"conv2d(", "[64,64,1,1]", "@filters(in=8,out=8)"});
  ASSERT_FALSE(measured.empty() || other.empty());
  // The ratio is that of the default point, which the model describes.
  best_.tasks[measured[0]->key] = Accepted(7e9 * Modelled(*measured[0]), 0.5);
  EXPECT_NEAR(Times().conv2d(OpOf(*other[0])).value(), 7 * Modelled(*other[0]),
              1e-12);
}

TEST_F(MeasuredEncodingsTest, ConversionsAreMeasuredToo) {
  const graph::TensorType image = {DType::Float32(), {1, 64, 20, 20}};
  const graph::TensorType half = {DType::Float32(), {1, 32, 20, 20}};
  const ops::EncodingTimes modelled = ops::ModelledTimes(target_);
  const auto conv = Find({"conv2d(", ",3,3]", "@filters(in=8,out=8)"});
  ASSERT_FALSE(conv.empty());
  best_.tasks[conv[0]->key] = Measured(7e9 * Modelled(*conv[0]));
  EXPECT_NEAR(Times().conversion(image), 7 * modelled.conversion(image), 1e-12);

  const auto moves = Find({"encode(p0)", "return v0"});
  ASSERT_FALSE(moves.empty());
  for (const tune::Task* move : moves) {
    best_.tasks[move->key] = Measured(3e9 * modelled.conversion(image));
  }
  EXPECT_NEAR(Times().conversion(image), 3 * modelled.conversion(image), 1e-12);
  EXPECT_NEAR(Times().conversion(half), 3 * modelled.conversion(half), 1e-12);
}

}  // namespace
}  // namespace assay::suites
