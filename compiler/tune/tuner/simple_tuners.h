// Tuners that learn nothing from the results: they are the baseline with which
// others are compared, and the way to measure a small space completely.
#ifndef ASSAY_COMPILER_TUNE_TUNER_SIMPLE_TUNERS_H_
#define ASSAY_COMPILER_TUNE_TUNER_SIMPLE_TUNERS_H_

#include <cstdint>
#include <memory>

#include "compiler/tune/space/search_space.h"
#include "compiler/tune/tuner/tuner.h"

namespace assay::tune {

// Returns a tuner that measures random points. `space` must outlive it.
std::unique_ptr<Tuner> MakeRandomTuner(const SearchSpace& space, uint64_t seed);

// Returns a tuner that measures all points in order, after the default point.
std::unique_ptr<Tuner> MakeGridTuner(const SearchSpace& space);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TUNER_SIMPLE_TUNERS_H_
