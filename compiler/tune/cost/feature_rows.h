// FeatureRows: a table of features, with one row for each point. A feature that
// a point does not have is NaN.
#ifndef ASSAY_COMPILER_TUNE_COST_FEATURE_ROWS_H_
#define ASSAY_COMPILER_TUNE_COST_FEATURE_ROWS_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "runtime/base/check.h"

namespace assay::tune {

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

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_COST_FEATURE_ROWS_H_
