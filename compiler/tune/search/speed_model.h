// SpeedModel: predicts the labels of points from those that were measured, and
// from the points of other tasks.
//
//   SpeedModel model(space, others);
//   model.Fit(results);
//   const std::vector<float> labels = model.Predict(rows);
//
// Points of other tasks, or of other devices, are first learned by trees of
// their own (the base): of each task, those whose implementation the space has,
// too. Columns are matched by name; those that the other task lacks are NaN.
// The trees of the task itself then learn what the base leaves.
#ifndef ASSAY_COMPILER_TUNE_SEARCH_SPEED_MODEL_H_
#define ASSAY_COMPILER_TUNE_SEARCH_SPEED_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/tune/cost/boosted_trees.h"
#include "compiler/tune/search/tuner.h"
#include "compiler/tune/space/search_space.h"

namespace assay::tune {

// Measured points of a task as rows of features with labels.
struct Examples {
  std::vector<std::string> names;  // of the columns of `rows`
  FeatureRows rows;
  std::vector<float> labels;
};

// The label of the slowest points.
constexpr float kMaxLabel = 2;

// Returns the results as examples. The label of a point is the natural
// logarithm of its seconds divided by those of the default point, at most
// kMaxLabel. Labels of different tasks and devices can therefore be compared. A
// failed trial counts as a very slow one: its label is kMaxLabel. If the
// default point is not among the results, or has failed, the labels are
// relative to the fastest point.
Examples ExamplesOf(const SearchSpace& space,
                    const std::vector<Measured>& results);

class SpeedModel {
 public:
  // `space` must outlive the model.
  SpeedModel(const SearchSpace& space, const std::vector<Examples>& others);

  // Returns true if the other tasks have points from which something can be
  // learned.
  bool has_base() const { return base_ != nullptr; }
  // Learns the results, which must not be empty, in place of earlier ones.
  void Fit(const std::vector<Measured>& results);
  // Returns the predicted labels of rows of SearchSpace::Features(). They are 0
  // if there is no base and Fit() was not called.
  std::vector<float> Predict(const FeatureRows& rows) const;

 private:
  const SearchSpace& space_;
  std::unique_ptr<BoostedTrees> base_, own_;
};

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SEARCH_SPEED_MODEL_H_
