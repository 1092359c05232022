// KernelLike: a function on a search space that behaves as the times of a
// kernel do, for tests of tuners: some knobs matter much and others little,
// good values of one knob depend on another, there are cliffs, and some points
// fail. The modelled times of the space are wrong in the way of a model that
// knows the knobs that matter, but not the cliffs.
#ifndef ASSAY_COMPILER_TUNE_SEARCH_TESTING_KERNEL_LIKE_H_
#define ASSAY_COMPILER_TUNE_SEARCH_TESTING_KERNEL_LIKE_H_

#include <cstdint>
#include <optional>

#include "compiler/tune/space/search_space.h"

namespace assay::tune {

class KernelLike {
 public:
  // A space of two implementations with about `points` points; at least 40.
  KernelLike(int64_t points, uint64_t seed);

  const SearchSpace& space() const { return space_; }

  // The time of a point without noise; nullopt if the point fails, which one of
  // ten does. The default point never fails.
  std::optional<double> Seconds(int64_t point) const;
  // The smallest time of all points.
  double best() const { return best_; }

 private:
  const uint64_t seed_;
  const SearchSpace space_;
  double best_ = 0;
};

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SEARCH_TESTING_KERNEL_LIKE_H_
