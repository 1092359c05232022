// BoostedTrees: a function of features that is learned from examples, as a sum
// of decision trees. Each tree is fitted to what the trees before it leave of
// the labels (gradient boosting, by XGBoost).
//
//   FeatureRows rows(2);
//   rows.Add({1, NAN});
//   …
//   const BoostedTrees trees(rows, labels, {});
//   const std::vector<float> predicted = trees.Predict(candidates);
//
// Trees are independent of the scale of a feature: a decision compares a
// feature with a number. Rows without this feature go to the side that fits
// better. The loss is the squared error.
//
// The result depends on the arguments only. Everything runs on the thread of
// the caller; a thousand rows of 50 features cost some ten milliseconds to fit
// and half a millisecond to predict.
#ifndef ASSAY_COMPILER_TUNE_COST_BOOSTED_TREES_H_
#define ASSAY_COMPILER_TUNE_COST_BOOSTED_TREES_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "runtime/base/check.h"

namespace assay::tune {

// A table of features, with one row for each point. A feature that a point does
// not have is NaN.
class FeatureRows {
 public:
  // `columns` must be positive.
  explicit FeatureRows(size_t columns) : columns_(columns) {
    CHECK(columns > 0);
  }

  // CHECK-fails unless `row` has columns() values.
  void Add(absl::Span<const float> row) {
    CHECK(row.size() == columns_) << row.size();
    values_.insert(values_.end(), row.begin(), row.end());
  }

  bool empty() const { return values_.empty(); }
  size_t columns() const { return columns_; }
  size_t size() const { return values_.size() / columns_; }
  absl::Span<const float> operator[](size_t row) const {
    return absl::MakeConstSpan(values_).subspan(row * columns_, columns_);
  }
  // Row after row.
  const std::vector<float>& values() const { return values_; }

 private:
  const size_t columns_;
  std::vector<float> values_;
};

struct TreeOptions {
  int trees = 50;
  int depth = 4;
  // The part of the remaining error that a tree removes.
  double learning_rate = 0.3;
};

class BoostedTrees {
 public:
  // Fits trees to the labels of the rows, which must be finite. CHECK-fails
  // unless there is a label for each row, and at least one row.
  BoostedTrees(const FeatureRows& rows, absl::Span<const float> labels,
               const TreeOptions& options);
  ~BoostedTrees();
  BoostedTrees(const BoostedTrees&) = delete;
  BoostedTrees& operator=(const BoostedTrees&) = delete;

  // Returns the predicted label of each row. CHECK-fails unless `rows` has the
  // columns of the rows that the trees were fitted to.
  std::vector<float> Predict(const FeatureRows& rows) const;

 private:
  const size_t columns_;
  void* booster_ = nullptr;
};

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_COST_BOOSTED_TREES_H_
