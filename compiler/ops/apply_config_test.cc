#include "compiler/ops/apply_config.h"

#include <string>

#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

class ApplyConfigTest : public testing::Test {
 protected:
  ApplyConfigTest()
      : x_(te::Placeholder({24, 10}, DType::Float32(), "x")),
        y_(te::Compute({24, 10}, "y",
                       [&](const std::vector<te::Expr>& i) { return x_(i); })),
        schedule_({y_}),
        stage_(schedule_[y_]) {}

  te::Tensor x_, y_;
  schedule::Schedule schedule_;
  schedule::Stage& stage_;
};

TEST_F(ApplyConfigTest, SplitNestsFromOutermost) {
  const auto axes = ApplySplit(stage_, stage_.axis(0), {-1, 3, 4});
  EXPECT_EQ(schedule_.ToString(),
            "y.split(i0, 12) -> i0.o, i0.i\n"
            "y.split(i0.i, 4) -> i0.i.o, i0.i.i\n");
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].extent, 2);
  EXPECT_EQ(axes[1].extent, 3);
  EXPECT_EQ(axes[2].extent, 4);
}

TEST_F(ApplyConfigTest, TailAppliesToOutermostSplit) {
  ApplySplit(stage_, stage_.axis(1), {-1, 2, 2}, schedule::Tail::kShiftInwards);
  EXPECT_EQ(schedule_.ToString(),
            "y.split(i1, 4, shift_inwards) -> i1.o, i1.i\n"
            "y.split(i1.i, 2) -> i1.i.o, i1.i.i\n");
}

}  // namespace
}  // namespace assay::ops
