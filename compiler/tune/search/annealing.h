// Anneal: searches a space for points with a small value of a function, by
// simulated annealing.
#ifndef ASSAY_COMPILER_TUNE_SEARCH_ANNEALING_H_
#define ASSAY_COMPILER_TUNE_SEARCH_ANNEALING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/tune/space/search_space.h"
#include "runtime/base/random.h"

namespace assay::tune {

// Returns the values of points.
using PointFunction =
    std::function<std::vector<float>(const std::vector<int64_t>&)>;

struct AnnealingOptions {
  int steps = 100;
  // A step to a value that is larger by this is taken with a probability of
  // 1/e at the beginning. The temperature falls to 0 linearly.
  double temperature = 0.3;
};

// Each of `starts` begins a chain of points. A step of a chain goes to a random
// neighbor (SearchSpace::Neighbor) if its value is smaller, and with a
// probability that depends on the difference otherwise. Returns the `count`
// points with the smallest values that any chain has seen and that are not in
// `visited`, by increasing value; fewer if the chains have not seen as many.
std::vector<int64_t> Anneal(const SearchSpace& space,
                            const PointFunction& function,
                            std::vector<int64_t> starts,
                            const PointSet& visited, size_t count,
                            const AnnealingOptions& options, Rng& rng);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SEARCH_ANNEALING_H_
