// Examples: measured points of a task as rows of features with labels, from
// which a cost model learns.
#ifndef ASSAY_COMPILER_TUNE_TUNER_EXAMPLES_H_
#define ASSAY_COMPILER_TUNE_TUNER_EXAMPLES_H_

#include <string>
#include <vector>

#include "compiler/tune/cost/feature_rows.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/tuner/tuner.h"

namespace assay::tune {

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

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TUNER_EXAMPLES_H_
