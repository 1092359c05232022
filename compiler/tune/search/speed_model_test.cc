#include "compiler/tune/search/speed_model.h"

#include <cmath>
#include <optional>
#include <vector>

#include "compiler/tune/search/testing/kernel_like.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ExamplesTest, LabelsAreRelativeToTheDefaultPoint) {
  const KernelLike kernel(200, 1);
  const SearchSpace& space = kernel.space();
  const int64_t usual = space.default_point();
  const Examples examples = ExamplesOf(space, {{usual + 1, 2e-3},
                                               {usual, 1e-3},
                                               {usual + 2, 5e-4},
                                               {usual + 3, std::nullopt},
                                               {usual + 4, 1e3}});
  EXPECT_THAT(examples.labels,
              ElementsAre(FloatEq(std::log(2.0f)), 0, FloatEq(-std::log(2.0f)),
                          kMaxLabel, kMaxLabel));
  EXPECT_EQ(examples.names, space.feature_names());
  ASSERT_THAT(examples.rows, SizeIs(5));
  const std::vector<float> last = space.Features(usual + 4);
  for (size_t i = 0; i < last.size(); ++i) {
    if (!std::isnan(last[i])) EXPECT_EQ(examples.rows[4][i], last[i]) << i;
  }
}

TEST(ExamplesTest, LabelsCanBeRelativeToTheFastestPoint) {
  const KernelLike kernel(200, 1);
  const int64_t usual = kernel.space().default_point();
  EXPECT_THAT(
      ExamplesOf(kernel.space(),
                 {{usual, std::nullopt}, {usual + 1, 3.0}, {usual + 2, 1.5}})
          .labels,
      ElementsAre(kMaxLabel, FloatEq(std::log(2.0f)), 0));
  EXPECT_THAT(ExamplesOf(kernel.space(), {{usual, std::nullopt}}).labels,
              ElementsAre(kMaxLabel));
  EXPECT_THAT(ExamplesOf(kernel.space(), {}).labels, IsEmpty());
}

}  // namespace
}  // namespace assay::tune
