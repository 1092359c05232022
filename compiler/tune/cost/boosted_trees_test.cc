#include "compiler/tune/cost/boosted_trees.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::tune {
namespace {

using ::testing::IsEmpty;

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

struct Examples {
  FeatureRows rows{5};
  std::vector<float> labels;
};

// The first feature decides, like the implementation of a point, which of the
// others there are; their effects depend on each other. The last feature has no
// effect.
Examples Random(int count, uint64_t seed) {
  Examples examples;
  Rng rng(seed);
  const auto uniform = [&] { return rng.UniformFloat(0, 1); };
  for (int i = 0; i < count; ++i) {
    const float a = uniform(), b = uniform();
    if (rng.UniformInt(0, 1) == 0) {
      examples.rows.Add({0, a, b, kNone, uniform()});
      examples.labels.push_back(a > 0.5f ? b : 1 - b);
    } else {
      examples.rows.Add({1, kNone, kNone, a, uniform()});
      examples.labels.push_back(2 * a * a);
    }
  }
  return examples;
}

// Returns the mean of the squared errors, divided by the variance.
double Error(const std::vector<float>& labels,
             const std::vector<float>& predicted) {
  const double mean = std::accumulate(labels.begin(), labels.end(), 0.0) /
                      static_cast<double>(labels.size());
  double error = 0, variance = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    error += std::pow(labels[i] - predicted[i], 2);
    variance += std::pow(labels[i] - mean, 2);
  }
  return error / variance;
}

TEST(BoostedTreesTest, PredictsOtherRows) {
  const Examples known = Random(400, 1), unknown = Random(4000, 2);
  const BoostedTrees trees(known.rows, known.labels, {});
  EXPECT_LT(Error(known.labels, trees.Predict(known.rows)), 0.01);
  EXPECT_LT(Error(unknown.labels, trees.Predict(unknown.rows)), 0.1);
  EXPECT_THAT(trees.Predict(FeatureRows(5)), IsEmpty());
}

TEST(BoostedTreesTest, MoreTreesFitBetter) {
  const Examples known = Random(400, 1);
  double last = 1;
  for (const int count : {1, 5, 25, 125}) {
    TreeOptions options;
    options.trees = count;
    const BoostedTrees trees(known.rows, known.labels, options);
    const double error = Error(known.labels, trees.Predict(known.rows));
    EXPECT_LT(error, last * 0.7) << count;
    last = error;
  }
}

TEST(BoostedTreesTest, EqualArgumentsGiveEqualPredictions) {
  const Examples known = Random(300, 3), unknown = Random(300, 4);
  const BoostedTrees first(known.rows, known.labels, {});
  const BoostedTrees second(known.rows, known.labels, {});
  EXPECT_EQ(first.Predict(unknown.rows), second.Predict(unknown.rows));
}

TEST(BoostedTreesTest, OneRowIsEnough) {
  FeatureRows rows(1);
  rows.Add({3});
  const BoostedTrees trees(rows, {7.0f}, {});
  rows.Add({kNone});
  for (const float predicted : trees.Predict(rows)) {
    EXPECT_NEAR(predicted, 7, 0.01);
  }
}

}  // namespace
}  // namespace assay::tune
