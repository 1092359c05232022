#include "suites/correctness/detections.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Uses three boxes, of which the first two overlap by 0.8, and two classes.
class DetectionsTest : public ::testing::Test {
 protected:
  DetectionCheck Check(const std::vector<int64_t>& rows) {
    return CheckDetections(Detections(rows), Detections({0, 0, 0, 0, 0, 2}),
                           boxes_, scores_, rule_);
  }

  static NDArray Detections(const std::vector<int64_t>& rows) {
    return NDArray::FromVector<int64_t>(
        {static_cast<int64_t>(rows.size() / 3), 3}, rows);
  }

  NDArray boxes_ = NDArray::FromVector<float>(
      {1, 3, 4}, {0, 0, 1, 1, 1, 0.8f, 0, 0, 2, 2, 3, 3});
  NDArray scores_ = NDArray::FromVector<float>(
      {1, 2, 3}, {0.9f, 0.89999f, 0.5f, 0.1f, 0.30001f, 0.1f});
  SuppressionRule rule_ = {5, 0.6f, 0.3f};
};

TEST_F(DetectionsTest, AcceptsDetectionsOfTheReference) {
  const DetectionCheck check = Check({0, 0, 0, 0, 0, 2});
  EXPECT_THAT(check.problem, IsEmpty());
  EXPECT_EQ(check.different, 0);
}

TEST_F(DetectionsTest, AcceptsEitherDecisionOfTies) {
  // The other of two overlapping boxes, and one just above the threshold.
  const DetectionCheck check = Check({0, 0, 1, 0, 0, 2, 0, 1, 1});
  EXPECT_THAT(check.problem, IsEmpty());
  EXPECT_EQ(check.different, 3);
}

TEST_F(DetectionsTest, ErrorsOfTheScoresMakeMoreTies) {
  const NDArray reference = Detections({0, 0, 0, 0, 0, 2});
  const NDArray turned = Detections({0, 0, 2, 0, 0, 0});
  EXPECT_THAT(
      CheckDetections(turned, reference, boxes_, scores_, rule_, 0.3).problem,
      HasSubstr("box 0 comes too late"));
  EXPECT_THAT(
      CheckDetections(turned, reference, boxes_, scores_, rule_, 0.5).problem,
      IsEmpty());
}

TEST_F(DetectionsTest, RejectsOtherDetections) {
  EXPECT_THAT(Check({0, 0, 0}).problem, HasSubstr("box 2 with a score of 0.5"));
  EXPECT_THAT(Check({0, 0, 2, 0, 0, 0}).problem, HasSubstr("box 0 comes too"));
  EXPECT_THAT(Check({0, 0, 0, 0, 0, 1, 0, 0, 2}).problem,
              HasSubstr("boxes 0 and 1 overlap"));
  EXPECT_THAT(Check({0, 0, 0, 0, 0, 2, 0, 1, 0}).problem,
              HasSubstr("class 1: box 0 has a score of only 0.1"));
  EXPECT_THAT(Check({0, 0, 3}).problem, HasSubstr("does not exist"));
  EXPECT_THAT(Check({0, 0, 0, 0, 0, 2, 0, 0, 2}).problem, HasSubstr("overlap"));
  rule_.boxes_per_class = 1;
  EXPECT_THAT(Check({0, 0, 0}).problem, IsEmpty());
  EXPECT_THAT(Check({0, 0, 2}).problem, HasSubstr("is missing"));
}

}  // namespace
}  // namespace assay::suites
