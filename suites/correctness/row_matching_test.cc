#include "suites/correctness/row_matching.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Rows of one float and one integer.
Rows RowsOf(std::vector<double> floats, std::vector<int64_t> ints) {
  Rows rows;
  rows.count = static_cast<int64_t>(floats.size());
  rows.num_floats = 1;
  rows.num_ints = 1;
  rows.floats = std::move(floats);
  rows.ints = std::move(ints);
  return rows;
}

NamedTensors Detections(int64_t n) {
  return {{"boxes", NDArray(DType::Float32(), {n, 4})},
          {"scores", NDArray(DType::Float32(), {n})},
          {"count", NDArray(DType::Int64(), {})},
          {"features", NDArray(DType::Float32(), {8})}};
}

TEST(PlacesTest, RowsAreEqualWithinBounds) {
  const Rows x = RowsOf({1, 2, 3}, {7, 8, 9});
  EXPECT_THAT(Places(x, RowsOf({3.25, 1.5, 1}, {9, 8, 7}), {0.5}),
              ElementsAre(2, 1, 0));
  EXPECT_THAT(Places(x, RowsOf({3.25, 1.5, 1}, {9, 8, 7}), {0.25}),
              ElementsAre(2, -1, 0));
  EXPECT_THAT(Places(x, RowsOf({1, 2, 3}, {7, 9, 9}), {0.5}),
              ElementsAre(0, -1, 2));
}

TEST(PlacesTest, EqualRowsAreToldApartByTheirOrder) {
  const Rows x = RowsOf({0, 5, 0, 0}, {1, 1, 1, 1});
  const Rows y = RowsOf({0, 0, 5}, {1, 1, 1});
  EXPECT_THAT(Places(x, y, {0.5}), ElementsAre(0, 2, 1, -1));
  EXPECT_THAT(NearestPlaces(x, y, {0.5}), ElementsAre(0, 2, 1, -1));
}

TEST(PlacesTest, NonFiniteFloatsAreEqualToTheSameOnly) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Rows x = RowsOf({inf, nan, -inf, 1}, {0, 0, 0, 0});
  const Rows y = RowsOf({nan, inf, 1, inf}, {0, 0, 0, 0});
  EXPECT_THAT(Places(x, y, {10}), ElementsAre(1, 0, -1, 2));
  EXPECT_THAT(NearestPlaces(x, y, {10}), ElementsAre(1, 0, -1, 2));
}

TEST(NearestPlacesTest, TheNearestRowIsTaken) {
  const Rows x = RowsOf({1, 2}, {0, 0});
  const Rows y = RowsOf({1.75, 1.25}, {0, 0});
  EXPECT_THAT(Places(x, y, {1}), ElementsAre(0, 1));
  EXPECT_THAT(NearestPlaces(x, y, {1}), ElementsAre(1, 0));
}

TEST(NearestPlacesTest, ARowWithoutPartnerTakesNoOther) {
  const Rows x = RowsOf({1, 2}, {0, 0});
  const Rows y = RowsOf({1.75}, {0});
  EXPECT_THAT(Places(x, y, {1}), ElementsAre(0, -1));
  EXPECT_THAT(NearestPlaces(x, y, {1}), ElementsAre(-1, 0));
}

TEST(NearestPlacesTest, RowsMustBeEqual) {
  const Rows x = RowsOf({1, 2}, {0, 0});
  EXPECT_THAT(NearestPlaces(x, RowsOf({1, 3.5}, {1, 0}), {1}),
              ElementsAre(-1, -1));
}

TEST(NearestPlacesTest, DifferencesAreRelativeToBounds) {
  Rows x, y;
  x.count = 1;
  y.count = 2;
  x.num_floats = y.num_floats = 2;
  x.floats = {0, 0};
  y.floats = {0, 0.5, 5, 0};
  EXPECT_THAT(NearestPlaces(x, y, {100, 1}), ElementsAre(1));
  EXPECT_THAT(NearestPlaces(x, y, {10, 100}), ElementsAre(0));
}

TEST(GroupByRowsTest, NumbersOfRowsDecide) {
  const RowAxes axes = {0, 0, 0, std::nullopt};
  const std::vector<NamedTensors> answers = {Detections(5), Detections(7)};
  const auto groups = GroupByRows(Detections(6), answers, axes);
  ASSERT_TRUE(groups.has_value());
  EXPECT_THAT(*groups,
              ElementsAre(Pair(IsEmpty(), ElementsAre(3)),
                          Pair(ElementsAre(1, 1, 1), ElementsAre(2)),
                          Pair(ElementsAre(5, 7, 6), ElementsAre(0, 1))));
}

TEST(GroupByRowsTest, OtherTypesHaveNoGroups) {
  const RowAxes axes = {0, 0, 0, std::nullopt};
  NamedTensors other = Detections(5);
  other[1].value = NDArray(DType::Float64(), {5});
  EXPECT_FALSE(GroupByRows(other, {Detections(5)}, axes).has_value());
  other.pop_back();
  EXPECT_FALSE(GroupByRows(other, {Detections(5)}, axes).has_value());
}

TEST(GroupByRowsTest, GroupsOfAtMostKMaxRowsAreComparable) {
  EXPECT_FALSE(IsComparable({}));
  EXPECT_TRUE(IsComparable({0, kMaxRows}));
  EXPECT_FALSE(IsComparable({0, kMaxRows + 1}));
}

TEST(JoinRowsTest, RowsLieAlongTheirAxis) {
  const NamedTensors tensors = {
      {"points", NDArray::FromVector<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
      {"labels", NDArray::FromVector<int64_t>({3}, {7, 8, 9})}};
  const Rows rows = JoinRows(tensors, {0, 1}, {1, 0});
  EXPECT_EQ(rows.count, 3);
  EXPECT_EQ(rows.num_floats, 2u);
  EXPECT_EQ(rows.num_ints, 1u);
  EXPECT_THAT(rows.floats, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(rows.ints, ElementsAre(7, 8, 9));
}

TEST(RowBoundsTest, AreThoseOfTheOutputs) {
  const NamedTensors tensors = {
      {"points", NDArray::FromVector<float>({2, 2}, {1, 2, 3, 100})},
      {"labels", NDArray::FromVector<int64_t>({2}, {7, 8})},
      {"scores", NDArray::FromVector<float>({2}, {10, 9})}};
  CheckRule rule(1);
  rule[0].noise = {0.25};
  EXPECT_THAT(RowBounds(tensors, {0, 1, 2}, {0, 0, 0}, rule),
              ElementsAre(2, 2, DoubleNear(1e-3, 1e-9)));
}

}  // namespace
}  // namespace assay::suites
