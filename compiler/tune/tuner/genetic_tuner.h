// GeneticTuner: breeds points from the fastest ones so far.
//
// The parents are the 32 fastest points so far. One is drawn with a probability
// proportional to the fourth power of its speed, because the speeds of good
// points differ little. A child has the first knobs of one parent and the other
// knobs of a second one (SearchSpace::Cross); each knob then mutates with a
// probability of 0.1. A child that was measured before mutates until it is new,
// so no trial is repeated. The first plan is random.
//
// AutoTVM's tuner has the same operators, but a larger population that is
// replaced by its children, and probabilities proportional to the speed. On
// functions like the times of kernels (tuner_test.cc), it needs more trials.
#ifndef ASSAY_COMPILER_TUNE_TUNER_GENETIC_TUNER_H_
#define ASSAY_COMPILER_TUNE_TUNER_GENETIC_TUNER_H_

#include <cstdint>
#include <memory>

#include "compiler/tune/space/search_space.h"
#include "compiler/tune/tuner/tuner.h"

namespace assay::tune {

// `space` must outlive the tuner.
std::unique_ptr<Tuner> MakeGeneticTuner(const SearchSpace& space,
                                        uint64_t seed);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TUNER_GENETIC_TUNER_H_
